import Canvas
import Failures
import FleetTokens
import Foundation
import Runtime
import Synchronization
import TripFeed
import TripModel
import TripText

/// The expectations of a session: judged by its loop, answered on the screen, reported at the end.
final class ExpectationWatch: SessionObserver {
    /// Where the report is written; `nil` for no report.
    let reportPath: String?
    private let state: Mutex<State>

    private struct State {
        var checker: ExpectationChecker
        /// When the session began.
        var begins: Moment
        /// Whether the times of the events count, not the clock: the events of a log are older than the session.
        let isTimedByEvents: Bool
        private var hasEvents = false
        /// The latest moment that was judged; the clock of a replay may be anywhere else.
        var latest: Moment
        /// Why the last search for the trips of a project failed; `nil` if it did not.
        var search: (provider: ProviderID, failure: Failure)?
        /// Whether the session has ended, so that the clock no longer counts.
        var isFinished = false

        init(_ checker: ExpectationChecker, begins: Moment, isTimedByEvents: Bool) {
            (self.checker, self.begins, latest) = (checker, begins, begins)
            self.isTimedByEvents = isTimedByEvents
            // What can't be measured is decided from the start.
            changed = Set(checker.results.indices.filter { checker.results[$0].outcome != .pending })
        }

        /// The numbers of the results that have changed since they were shown.
        var changed: Set<Int> = []

        /// Returns the latest moment until the time of an event; `nil` for an event that has none.
        mutating func advance(toEvent time: Moment?) -> Moment {
            guard let time else { return latest }
            if isTimedByEvents, !hasEvents {
                (begins, latest) = (time, time)
                checker.start(at: time)
            }
            hasEvents = true
            if isTimedByEvents ? time.wall > latest.wall : time.steady > latest.steady { latest = time }
            return latest
        }

        /// Returns the latest moment until now.
        mutating func advance(to now: Moment) -> Moment {
            if !isTimedByEvents, !isFinished, now.steady > latest.steady { latest = now }
            return latest
        }
    }

    /// Creates a watch of a session that starts at a moment.
    init(
        _ expectations: [TripExpectation],
        reportPath: String?,
        first: JourneyID?,
        begins: Moment,
        isTimedByEvents: Bool = false,
        isReplayOfLog: Bool = false
    ) {
        self.reportPath = reportPath
        // What a log had before the start of this process has no time of the steady clock.
        let checker = ExpectationChecker(
            expectations,
            first: first,
            begins: begins,
            isOfLog: isTimedByEvents || isReplayOfLog,
            countsCalls: !isReplayOfLog
        )
        state = Mutex(State(checker, begins: begins, isTimedByEvents: isTimedByEvents))
    }

    /// When the session began.
    var begins: Moment { state.withLock { $0.begins } }

    /// The results in the order of the file.
    var results: [ExpectationResult] { state.withLock { $0.checker.results } }

    /// The end of the session: the latest moment that was judged, or now.
    func end(at now: Moment) -> Moment { state.withLock { $0.advance(to: now) } }

    /// Sets the moment from which times count; call it before the first event.
    func start(at begins: Moment) {
        state.withLock { state in
            (state.begins, state.latest) = (begins, begins)
            state.checker.start(at: begins)
        }
    }

    /// Judges by an item; ``dequeueChanged()`` returns what has changed.
    ///
    /// It must get every event, also one that a slow screen never shows, so that a replay of the recording decides the same. The
    /// findings and the end of a trip come with a poll, whose time is also the time in the recording.
    func receive(_ item: SessionItem, _ changes: [JourneyChange], _ table: JourneyTable) {
        state.withLock { state in
            switch item.content {
            case .token(let event): state.checker.handle(event, table)
            case .feed(let event):
                let now = state.advance(toEvent: event.finished)
                state.changed.formUnion(state.checker.handle(event, table, at: now))
            case .riderCall(let trip, let error):
                let now = state.advance(toEvent: item.at)
                state.changed.formUnion(state.checker.handleCall(of: trip, refused: error, at: now))
            case .remark, .search, .step, .problem: break
            }
        }
    }

    /// Returns the numbers of the results that have changed since the last call.
    func dequeueChanged() -> [Int] {
        state.withLock { state in
            defer { state.changed = [] }
            return state.changed.sorted()
        }
    }

    /// Records the answer to a manual step; returns the numbers of the changed results.
    func answer(_ index: Int, _ answer: ExpectationResult.Answer, note: String, at now: Moment) -> [Int] {
        state.withLock { $0.checker.answer(index, answer, note: note, at: now) }
    }

    /// Records why the last search for the trips of a project failed; `nil` if it did not.
    func noteSearch(of provider: ProviderID, failure: Failure?) {
        state.withLock { $0.search = failure.map { (provider, $0) } }
    }

    /// Decides what is undecided; ``dequeueChanged()`` returns what has changed.
    func finish(at now: Moment) {
        state.withLock { state in
            let end = state.advance(to: now)
            state.isFinished = true
            state.changed.formUnion(state.checker.finish(at: end, search: state.search))
        }
    }

    /// Returns the failure of the command; `nil` if every expectation passed, or had nothing to judge.
    ///
    /// What is undecided because no poll was answered has the failure of the session as its cause, if the session has failed.
    func failure(ofFailedSession hasFailed: Bool) -> CommandFailure? {
        let results = results
        let failed = results.filter { $0.outcome == .failed }
        let undecided = results.filter { $0.outcome == .undecided }
        let counted = undecided.filter { !hasFailed || $0.reason != .neverAnswered }
        guard let first = failed.first ?? counted.first else { return nil }
        return CommandFailure(.expectationFailed) { localizer in
            let name = localizer.name(of: first)
            let verdict = localizer.verdict(of: first)
            let total = "\(results.count)"
            return if undecided.isEmpty {
                localizer(
                    .failureExpectations(failed: "\(failed.count)", total: total, name: name, verdict: verdict)
                )
            } else if failed.isEmpty {
                localizer(
                    .failureUndecided(undecided: "\(undecided.count)", total: total, name: name, verdict: verdict)
                )
            } else {
                localizer(
                    .failureExpectationsBoth(
                        failed: "\(failed.count)",
                        total: total,
                        undecided: "\(undecided.count)",
                        name: name,
                        verdict: verdict
                    )
                )
            }
        }
    }

    /// Writes the report of a session, if one is wanted.
    func writeReport(of configuration: SessionConfiguration) throws(CommandFailure) {
        try writeReport(
            host: configuration.endpoint.displayName,
            ends: configuration.clock.now(),
            recording: configuration.recordingPath,
            remarks: configuration.remarks.all
        )
    }

    /// Writes the report, if one is wanted.
    func writeReport(
        host: String,
        ends: Moment,
        recording: String? = nil,
        remarks: [SessionRemark] = []
    ) throws(CommandFailure) {
        guard let reportPath else { return }
        let report = ExpectationReport(
            results: results,
            host: host,
            begins: begins,
            ends: end(at: ends),
            recording: recording,
            remarks: remarks
        )
        let text = reportPath.lowercased().hasSuffix(".xml") ? report.xml : report.json
        do {
            try OutputFile.write(text.utf8, to: reportPath)
        } catch {
            throw CommandFailure(.outputFailed) {
                $0(.failureReport(file: excerpt(path: reportPath), reason: error.reason($0)))
            }
        }
    }
}
