import Canvas
import Failures
import FleetEmulator
import Foundation
import Synchronization
import TripFeed
import TripModel
import TripText

/// The expectations of a session: judged by its loop, answered on the screen, reported at the end.
final class ExpectationWatch: Sendable {
    /// Where the report is written; `nil` for no report.
    let reportPath: String?
    /// When the session began.
    let begins: Moment
    private let state: Mutex<State>

    private struct State {
        var checker: ExpectationChecker
        /// The latest moment that was judged; the clock of a replay may be anywhere else.
        var latest: Moment

        /// Returns the latest moment until now.
        mutating func advance(to now: Moment) -> Moment {
            if now.steady > latest.steady { latest = now }
            return latest
        }
    }

    /// Creates a watch of a session that starts at a moment.
    init(
        _ expectations: [TripExpectation],
        reportPath: String?,
        first: TripID?,
        begins: Moment
    ) {
        self.reportPath = reportPath
        self.begins = begins
        let checker = ExpectationChecker(expectations, first: first, begins: begins)
        state = Mutex(State(checker: checker, latest: begins))
    }

    /// The results in the order of the file.
    var results: [ExpectationResult] { state.withLock { $0.checker.results } }

    /// The end of the session: the latest moment that was judged, or now.
    func end(at now: Moment) -> Moment { state.withLock { $0.advance(to: now) } }

    /// Processes a feed event; returns the numbers of the changed results.
    ///
    /// An event without a time of its own, in a replay, happens at the time of the event before it.
    func take(_ event: FeedEvent, at time: Moment?) -> [Int] {
        state.withLock { state in
            let now = state.advance(to: time ?? state.latest)
            return state.checker.take(event, at: now)
        }
    }

    /// Records the answer to a manual step; returns the numbers of the changed results.
    func answer(_ index: Int, _ answer: ExpectationResult.Answer, note: String, at now: Moment) -> [Int] {
        state.withLock { $0.checker.answer(index, answer, note: note, at: now) }
    }

    /// Decides what is undecided; returns the numbers of the changed results.
    func finish(at now: Moment) -> [Int] {
        state.withLock { state in
            let end = state.advance(to: now)
            return state.checker.finish(at: end)
        }
    }

    /// The failure of the command; `nil` if no expectation failed.
    var failure: CommandFailure? {
        let results = results
        let failed = results.filter { $0.outcome == .failed }
        guard let first = failed.first else { return nil }
        return CommandFailure(.expectationFailed) { localizer in
            let name = excerpt(first.expectation.name)
            return localizer(
                .failureExpectations,
                [
                    "failed": "\(failed.count)",
                    "total": "\(results.count)",
                    "name": name,
                    "verdict": localizer.verdict(of: first),
                ]
            )
        }
    }

    /// Writes the report, if one is wanted.
    func writeReport(of configuration: SessionConfiguration) throws(CommandFailure) {
        guard let reportPath else { return }
        let report = ExpectationReport(
            results: results,
            host: configuration.endpoint.displayName,
            begins: begins,
            ends: end(at: configuration.clock.now()),
            recording: configuration.recordingPath,
            remarks: configuration.remarks.all
        )
        let text = reportPath.lowercased().hasSuffix(".xml") ? report.xml : report.json
        do {
            try OutputFile.write(text.utf8, to: reportPath)
        } catch {
            throw CommandFailure(.outputFailed) {
                $0(.failureReport, ["file": excerpt(path: reportPath), "reason": error.reason($0)])
            }
        }
    }
}

extension SessionConfiguration {
    /// Reads the file of `--expect`; does nothing without one.
    ///
    /// `begins` is the moment from which times count; `nil` for now.
    mutating func readExpectations(
        _ options: ExpectationOptions,
        begins: Moment? = nil
    ) throws(CommandFailure) {
        guard let path = options.expect else { return }
        let yaml = try InputFile.text(path, what: .nounExpectations, advice: CommandText(.adviceExpectations))
        let expectations: [TripExpectation]
        do {
            expectations = try ExpectationFile.read(
                yaml: yaml,
                file: path,
                trips: tripsFile == nil ? trips : nil,
                findings: FindingRule.all.map(\.id)
            )
        } catch {
            throw CommandFailure(
                .badInput,
                .failureExpectationFile,
                ["reason": error.description.sanitized(limit: 1000)]
            )
        }
        self.expectations = ExpectationWatch(
            expectations,
            reportPath: options.report,
            first: trips.first,
            begins: begins ?? clock.now()
        )
    }
}
