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

    /// Writes the page of the session, and leaves a summary on the terminal; returns the failure if the page can't be written.
    ///
    /// A demo that starts again goes on, and a terminal that is gone shows nothing.
    func leaveSummary() -> CommandFailure? {
        var path = configuration.sharePath
        if case .failure(let error) = result, error is DemoRestart { return nil }
        var failure: CommandFailure?
        if let file = path, let problem = RidePageFile.write(RidePage(state), to: file) {
            failure = CommandFailure(.outputFailed, problem)
            path = nil
        }
        if case .success(.interrupted(SIGHUP)) = result { return failure }
        guard opening.screen != nil, ProcessContext.current.isTerminal(STDOUT_FILENO) else { return failure }
        let lines = summary(page: path).flatMap { Printable.wrapped($0, to: max(20, state.width)) }
        // The session has ended; there is no other place to say that its terminal takes no text.
        if !lines.isEmpty { try? Printing.tryOut(lines.joined(separator: "\n")) }
        return failure
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
