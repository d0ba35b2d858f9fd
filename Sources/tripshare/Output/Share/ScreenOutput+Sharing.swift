import Canvas
import Failures
import Foundation
import Runtime
import Terminal
import TripFeed
import TripModel
import TripScreen
import TripText

/// What a screen leaves behind: pages, and a summary on the terminal.
extension ScreenOutput {
    /// The maximum number of trips of a summary besides the shown one.
    private static let mostOthers = 2

    /// Writes a page of what is shown, in another task; a message names the new file or the error.
    mutating func share(to path: String?) {
        let path = path ?? newFile("html")
        perform(path) { [state = shown] in
            guard let problem = RidePageFile.write(RidePage(state), to: path) else { return .saved(path) }
            return .complaint(Localizer.ofProcess(problem).replacing("\n", with: " "))
        }
    }

    /// What a session leaves whose screen is still shown while notices are awaited.
    struct Leaving: Sendable {
        /// The page that was written.
        var page: String?
        /// Why the page could not be written.
        var failure: CommandFailure?
        /// Whether the demo starts again.
        var isRestart = false
    }

    /// Writes the page of the session; a demo that starts again goes on.
    mutating func conclude() {
        var leaving = Leaving()
        if case .failure(let error) = result, error is DemoRestart { leaving.isRestart = true }
        if !leaving.isRestart, let file = configuration.sharePath {
            leaving.failure = RidePageFile.write(RidePage(state), to: file).map { CommandFailure(.outputFailed, $0) }
            if leaving.failure == nil { leaving.page = file }
        }
        self.leaving = leaving
        // What ended the session does not end the wait for notices, too.
        player = nil
        if case .success(.interrupted) = result { return }
        result = nil
        reading?.cancel()
        travel = nil
    }

    /// Leaves a summary on the terminal; a terminal that is gone shows nothing.
    func leaveSummary() {
        guard let leaving, !leaving.isRestart else { return }
        if case .success(.interrupted(SIGHUP)) = result { return }
        guard opening.screen != nil, ProcessContext.current.isTerminal(STDOUT_FILENO) else { return }
        let lines = summary(page: leaving.page).flatMap { Printable.wrapped($0, to: max(20, state.width)) }
        // The session has ended; there is no other place to say that its terminal takes no text.
        if !lines.isEmpty { try? Printing.tryOut(lines.joined(separator: "\n")) }
    }

    /// Shows which notices are not delivered yet, in the line of the banner.
    mutating func update(_ progress: NoticeProgress) {
        let key = configuration.output.keys.first { $0.command == .quit }?.keys.first?.name ?? ":quit"
        let text = progress.text(.ofProcess, quit: key)
        if text != state.delivery { effects += show(.delivery(text)) }
    }

    /// The lines of the summary: the shown trip, the others by their statuses, and the files; none before the first answer.
    func summary(page: String?) -> [String] {
        let (zone, localizer) = (state.settings.zone, state.settings.localizer)
        guard let trip = state.trip, trip.lastReport != nil else { return [] }
        let others = state.trips.filter { $0.id != trip.id && $0.state.journey != nil }.prefix(Self.mostOthers)
        var lines = RideSummary(trip, at: state.now, zone, localizer).lines
        lines += others.map { RideSummary($0, at: state.now, zone, localizer).status }
        if let file = configuration.recorder?.file {
            lines.append(localizer(.leftRecording(file: excerpt(path: file))))
        }
        if let page { lines.append(localizer.about(trip.id.kind)(.leftPage(file: excerpt(path: page)))) }
        return lines.map(state.settings.glyphs.shown)
    }
}
