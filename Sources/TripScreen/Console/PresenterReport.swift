import Canvas
import Foundation
import Runtime

/// What a demo reports to a presenter's console in another process, as JSON.
///
/// Texts are in the language of the demo. Times are in seconds since 1970: real time, unless named as the ride's time.
package struct PresenterReport: Codable, Sendable, Equatable {
    /// How a sentence is to be read.
    package enum Tone: String, Codable, Sendable {
        case plain, good, warning, bad
    }

    /// A sentence about the trip or its token.
    package struct Sentence: Codable, Sendable, Equatable {
        package var text: String
        package var tone: Tone

        package init(_ text: String, _ tone: Tone = .plain) { (self.text, self.tone) = (text, tone) }
    }

    /// The stage of a tour.
    package struct Chapter: Codable, Sendable, Equatable {
        /// The number, from 1.
        package var number: Int
        package var count: Int
        package var title: String
        /// The title of the next chapter; `nil` after the last one.
        package var next: String?
    }

    /// A caption that is to come.
    package struct NextCaption: Codable, Sendable, Equatable {
        package var text: String
        /// The ride's time at which it is due; `nil` if that depends on the drive.
        package var due: Double?

        package init(_ text: String, due: Double? = nil) { (self.text, self.due) = (text, due) }
    }

    /// The clock of the ride.
    package struct RideClock: Codable, Sendable, Equatable {
        /// A moment in real time.
        package var real: Double
        /// The ride's time at that moment.
        package var virtual: Double
        /// The ride's seconds per real second, unless paused.
        package var speed: Double
        package var isPaused: Bool
        /// The speed with which the demo began.
        package var firstSpeed: Double

        /// Returns the ride's time at a moment.
        func time(at now: Date) -> Date {
            Date(timeIntervalSince1970: virtual + (isPaused ? 0 : (now.timeIntervalSince1970 - real) * speed))
        }
    }

    /// The name of the scenario, or of its file.
    package var scenario: String
    /// The stage of the tour; `nil` without a tour.
    package var chapter: Chapter?
    package var trip: Sentence
    package var token: Sentence
    /// What the audience reads now; empty for nothing.
    package var caption: String
    /// The caption that follows; `nil` if none is known.
    package var nextCaption: NextCaption?
    /// When the demo began.
    package var began: Double
    /// When the chapter or the scenario began.
    package var chapterBegan: Double
    package var ride: RideClock
    /// The names of the active faults.
    package var activeFaults: [String]
    /// The scenarios that can be played.
    package var scenarios: [String]
    /// Why the last request was not performed; `nil` if it was.
    package var problem: String?
}

/// Reports from another process.
extension PresenterReport {
    /// The maximum number of faults and of scenarios.
    private static let longestList = 200

    /// Reads a report; `nil` if it is not one, or has a number out of range.
    package init?(json: [UInt8]) {
        // The console shows that the demo does not answer, whatever the error is.
        guard let report = try? JSONDecoder().decode(Self.self, from: Data(json)), report.isPlausible else {
            return nil
        }
        self = report.sanitized
    }

    /// Whether the times are between 1970 and the year 9999, and the speeds are possible for a clock.
    private var isPlausible: Bool {
        let times = [began, chapterBegan, ride.real, ride.virtual] + [nextCaption?.due].compactMap(\.self)
        return times.allSatisfy { (0...253_402_300_799).contains($0) }
            && [ride.speed, ride.firstSpeed].allSatisfy { (0.1...600).contains($0) }
    }

    /// The same report with sanitized texts and lists of limited length.
    private var sanitized: PresenterReport {
        func short(_ text: String) -> String { text.sanitized(limit: 300) }
        var report = self
        report.scenario = short(scenario)
        report.chapter?.title = short(chapter?.title ?? "")
        report.chapter?.next = (chapter?.next).map(short)
        report.trip.text = short(trip.text)
        report.token.text = short(token.text)
        report.caption = short(caption)
        report.nextCaption?.text = short(nextCaption?.text ?? "")
        report.activeFaults = activeFaults.prefix(Self.longestList).map(short)
        report.scenarios = scenarios.prefix(Self.longestList).map(short)
        report.problem = problem.map(short)
        return report
    }
}

/// What a presenter's console asks a demo in another process to do, as JSON; the clock has requests of its own.
///
/// ```
/// {"fault": "503"}            switches a fault on or off
/// {"clearFaults": true}       switches all faults off
/// {"play": "traffic-jam"}     plays another scenario
/// {"jump": "next"}            continues with the next chapter of the tour
/// {"jump": "restart"}         starts the ride again
/// ```
package enum PresenterRequest: Sendable, Equatable {
    case fault(FaultChange)
    case play(String)
    case nextChapter
    case restart

    private struct Body: Codable {
        enum Jump: String, Codable { case next, restart }

        var fault: String?
        var clearFaults: Bool?
        var play: String?
        var jump: Jump?
    }

    /// Reads a request; `nil` if it is not exactly one of them.
    package init?(json: [UInt8]) {
        // The caller learns that the request is unknown, whatever the error is.
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(json)) else { return nil }
        switch (body.fault, body.clearFaults, body.play, body.jump) {
        case (let id?, nil, nil, nil): self = .fault(.toggle(id))
        case (nil, true, nil, nil): self = .fault(.clear)
        case (nil, nil, let scenario?, nil): self = .play(scenario)
        case (nil, nil, nil, .next): self = .nextChapter
        case (nil, nil, nil, .restart): self = .restart
        default: return nil
        }
    }

    /// The request as JSON.
    package var json: [UInt8] {
        let body =
            switch self {
            case .fault(.toggle(let id)): Body(fault: id)
            case .fault(.clear): Body(clearFaults: true)
            case .play(let scenario): Body(play: scenario)
            case .nextChapter: Body(jump: .next)
            case .restart: Body(jump: .restart)
            }
        // Four optional texts and flags can be encoded.
        return Array((try? JSONEncoder().encode(body)) ?? Data())
    }
}
