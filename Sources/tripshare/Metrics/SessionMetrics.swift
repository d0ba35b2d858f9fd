import CoreMetrics
import Failures
import FleetTokens
import FleetTokensMonitoring
import Foundation
import Recording
import Runtime
import Synchronization
import TripFeed
import TripModel

/// Counts what happens in a session.
///
/// Events are counted when they are posted, also if a slow screen never reads them. Everything else is computed when the
/// metrics are read, so that no timer is needed.
final class SessionMetrics: SessionObserver {
    private struct State {
        /// The trips that are followed.
        var followed: Set<JourneyID> = []
        /// The number of followed trips by the label of their last status.
        var statuses: [String: Int] = [:]

        mutating func count(_ status: JourneyStatus?, after before: JourneyStatus?) {
            if let before { statuses[SessionMetrics.label(of: before), default: 0] -= 1 }
            if let status { statuses[SessionMetrics.label(of: status), default: 0] += 1 }
        }
    }

    private let registry: PrometheusRegistry
    private let clock: any TripClock
    private let providers: [(metrics: TokenMetrics, provider: TokenProvider)]
    /// Whether the polls are the riders' polls in a log; the feed events of a log come from other calls, too.
    private let isOfLog: Bool
    /// The speed of the clock of the recording that is played; `nil` for another source.
    private let recordedPace: Double?
    private let state = Mutex(State())
    private let latency: Recorder
    private let lateness: Recorder

    /// Creates the metrics of a session with a backend.
    init(_ registry: PrometheusRegistry, _ configuration: SessionConfiguration) {
        (self.registry, clock) = (registry, configuration.clock)
        let source = configuration.source
        isOfLog = source.log != nil
        recordedPace = source.replay.map { $0.recording?.header.speed ?? 1 }.map { $0 >= 0.001 ? $0 : 1 }
        // A replay and a log fetch no tokens.
        providers = [("trips", configuration.tokens), ("project", configuration.serverTokens)].compactMap {
            name,
            provider in
            guard let provider, source.polls else { return nil }
            return (TokenMetrics(dimensions: [(MetricTable.provider, name)], factory: registry), provider)
        }
        latency = Recorder(label: MetricTable.latency.name, factory: registry)
        lateness = Recorder(label: MetricTable.lateness.name, factory: registry)
        // A series that exists from the start has a rate from its first event on.
        counter(MetricTable.polls, "ok").increment(by: 0)
        for rule in FindingRule.all { counter(MetricTable.findings, rule.id).increment(by: 0) }
    }

    /// Counts an event of a trip or a call of a rider in a log; does not block.
    func receive(_ item: SessionItem, _ changes: [JourneyChange], _ table: JourneyTable) {
        switch item.content {
        case .feed(let event): for change in changes { handle(change, of: event, table) }
        case .riderCall(_, let refused):
            let code = refused.map { $0.status ?? "HTTP_\($0.httpStatus)" }
            counter(MetricTable.polls, Self.outcome(code)).increment()
        case .token, .remark, .search, .step, .problem: break
        }
    }

    private func handle(_ change: JourneyChange, of event: FeedEvent, _ table: JourneyTable) {
        let trip = change.journey
        switch change.kind {
        case .began: state.withLock { _ = $0.followed.insert(trip) }
        case .polled(let planned): if case .polled(let report, _, _) = event { count(report, planned: planned) }
        case .status(let status, let before): state.withLock { $0.count(status, after: before) }
        case .findings(let findings):
            for finding in findings { counter(MetricTable.findings, finding.rule.id).increment() }
        case .ended:
            state.withLock {
                $0.followed.remove(trip)
                $0.count(nil, after: table[trip]?.status?.value)
            }
        default: break
        }
    }

    private func count(_ report: PollReport, planned: Duration?) {
        if !isOfLog, report.failure?.isHeldBack != true {
            counter(MetricTable.polls, Self.outcome(of: report.failure)).increment()
        }
        // A poll without a token has sent nothing.
        if let time = report.serviceLatency, time > .zero { latency.record(time.seconds) }
        // A person may request a poll earlier than planned.
        guard let planned else { return }
        lateness.record(max(0, (report.started.steady - planned).seconds / (recordedPace ?? clock.pace)))
    }

    /// Updates what is computed when the metrics are read.
    func refresh() {
        for (metrics, provider) in providers { metrics.update(from: provider) }
        let (numbers, followed) = state.withLock { ($0.statuses, $0.followed) }
        for label in JourneyStatus.known.map(Self.label) + ["UNRECOGNIZED"] {
            gauge(MetricTable.trips, [("status", label)]).record(numbers[label] ?? 0)
        }
        gauge(MetricTable.expiry, []).record(left(followed))
    }

    /// Returns the seconds until the first expiry of the tokens in use; NaN without one.
    private func left(_ followed: Set<JourneyID>) -> Double {
        let contexts = [AuthorizationContext.server] + followed.map { .journey($0) }
        let expiries = providers.flatMap { entry in
            contexts.compactMap { context -> Date? in
                let status = entry.provider.status(of: context)
                // The expiry is in the service's time.
                return status.expiresAt.map { $0 - (status.clockOffset?.seconds ?? 0) }
            }
        }
        return expiries.min()?.timeIntervalSince(clock.now().wall) ?? .nan
    }

    /// Returns the code of a failure as in JSON; `OTHER` for the name of a status that is no code, because the service decides it.
    static func outcome(of failure: Failure?) -> String {
        outcome(failure?.nameInJSON)
    }

    private static func outcome(_ code: String?) -> String {
        guard let code else { return "ok" }
        let isCode = code.utf8.count <= 64 && code.wholeMatch(of: /[A-Z0-9_.]+/) != nil
        return isCode ? code : "OTHER"
    }

    /// Returns the value of a label; there must be few values, and the service decides the spelling of an unknown status.
    private static func label(of status: JourneyStatus) -> String {
        status.unknownName == nil ? status.name : "UNRECOGNIZED"
    }

    private func counter(_ family: MetricFamily, _ value: String) -> Counter {
        Counter(label: family.name, dimensions: family.labels.prefix(1).map { ($0, value) }, factory: registry)
    }

    private func gauge(_ family: MetricFamily, _ labels: [(String, String)]) -> Gauge {
        Gauge(label: family.name, dimensions: labels, factory: registry)
    }
}
