package import Canvas
package import Foundation
package import TripText

/// The complete state of a presenter's console; changed only by ``update(_:)``, drawn by ``consoleView(_:)``.
package struct ConsoleState: Sendable, Equatable {
    /// The settings, which are constant while the console runs.
    package struct Settings: Sendable, Equatable {
        package var localizer: Localizer = .english
        package var glyphs = GlyphSet()
        /// The time zone of clock times.
        package var zone: Zone = .utc
        /// The faults that can be switched.
        package var faults: [FaultChoice] = []
        /// The notes of the presenter; `nil` without any.
        package var notes: PresenterNotes?
        /// What each scenario shows, in English, by its name.
        package var scenarios: [String: String] = [:]
    }

    /// The connection with the demo.
    package enum Link: Sendable, Equatable {
        /// No report has arrived yet.
        case joining
        /// The demo reports.
        case joined(PresenterReport)
        /// The demo is starting again; the last report is shown.
        case restarting(PresenterReport)
    }

    /// An input of the console.
    package enum Message: Sendable, Equatable {
        case report(PresenterReport)
        /// The demo does not answer, but still runs.
        case noAnswer
        /// Why a request was not performed; untrusted text.
        case problem(String)
        case tick(Date)
        case key(Key)
        case pointer(Pointer)
        case resized(width: Int, height: Int)
    }

    /// A side effect that the console requests.
    package enum Effect: Sendable, Equatable {
        case request(PresenterRequest)
        /// Change the clock of the ride.
        case ride(RideChange)
        /// Leave the console; the demo goes on.
        case leave
    }

    package let settings: Settings
    package internal(set) var link = Link.joining
    /// The real time.
    package internal(set) var now: Date
    /// The size of the terminal in cells.
    package internal(set) var width: Int
    package internal(set) var height: Int
    /// The first visible line of the notes.
    package internal(set) var notesRow = 0
    /// The selected scenario while the list of scenarios is open; `nil` while it is closed.
    package internal(set) var chosenScenario: Int?
    /// A sanitized message that is shown until the next key.
    package internal(set) var message: String?

    /// Creates the state before the first report.
    package init(_ settings: Settings, now: Date, width: Int, height: Int) {
        (self.settings, self.now, self.width, self.height) = (settings, now, width, height)
    }

    /// The last report; `nil` before the first one.
    package var report: PresenterReport? {
        switch link {
        case .joining: nil
        case .joined(let report), .restarting(let report): report
        }
    }

    /// The titles of the faults that are switched on.
    package var activeFaults: [String] {
        (report?.activeFaults ?? []).map { id in
            settings.faults.first { $0.id == id }.map { settings.localizer($0.title) } ?? id
        }
    }

    /// The lines of the notes for the current scenario and chapter.
    var notes: [String] {
        guard let notes = settings.notes else { return [] }
        return notes.lines(for: report.map(\.names) ?? [])
    }
}

extension PresenterReport {
    /// The names under which the notes may have a section: the scenario, and the title and number of the chapter.
    var names: [String] { [scenario] + (chapter.map { [$0.title, String($0.number)] } ?? []) }
}
