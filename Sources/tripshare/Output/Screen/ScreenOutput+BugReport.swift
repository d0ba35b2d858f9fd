import AsyncAlgorithms
import Canvas
import Foundation
import Recording
import Runtime
import TripFeed
import TripModel
import TripScreen
import TripText

extension ScreenOutput {
    /// Saves a bug report in the current folder; a message names the file or the error.
    ///
    /// The report contains the screen of this moment. The file is compressed and written in the background.
    mutating func saveBugReport() {
        guard let trip = state.trip else { return }
        let picture = view(state).text + "\n"
        let replayed = configuration.source.replay?.recording
        let now = configuration.clock.now()
        let live = configuration.recorder?.lastMinutes
        let state = state
        let header =
            configuration.source.replay == nil
            ? configuration.header(size: (state.width, state.height)) : replayed?.header
        let (remarks, results) = (configuration.remarks.all, configuration.expectations?.results ?? [])
        let isReplay = configuration.source.replay != nil
        perform("report.md") {
            let recording = live ?? replayed?.excerpt(before: now.steady)
            let curl = BugReport.curlCommands(trip)
            var files: [(name: String, description: String, content: [UInt8])] = [
                ("screen.txt", "the screen as text", Array(picture.utf8))
            ]
            if let recording {
                files.append(
                    (
                        "recording.ndjson",
                        "the last 15 minutes at most: one JSON object per line, without tokens. "
                            + "`tripshare replay recording.ndjson` shows them again.",
                        recording
                    )
                )
            }
            if !curl.isEmpty {
                files.append(
                    (
                        "curl.sh",
                        "the last requests that were sent, as shell commands with variables instead of secrets",
                        Array((curl.joined(separator: "\n\n") + "\n").utf8)
                    )
                )
            }
            let report = BugReport(
                made: now.wall,
                state: state,
                trip: trip,
                header: header,
                remarks: remarks,
                expectations: results,
                isReplay: isReplay,
                files: files.map { ($0.name, $0.description) }
            )
            let all = [("report.md", Array(report.markdown.utf8))] + files.map { ($0.name, $0.content) }
            let file = BugReportFile(all, journey: trip.id, time: now.wall)
            return Self.write(file)
        }
    }

    private static func write(_ file: BugReportFile) -> Message {
        do throws(OutputFile.Failure) {
            return .saved(try file.write())
        } catch {
            let localizer = Localizer.ofProcess
            return .complaint(
                localizer(.bugReportNotSaved(file: excerpt(path: file.path()), reason: error.reason(localizer)))
            )
        }
    }
}
