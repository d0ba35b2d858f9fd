package import FleetTokens
import Foundation
package import TripModel

/// Detects ``Finding``s in the polls of one trip; without side effects.
///
/// A lasting state is reported when it begins and when it gets worse. An event is reported each time.
package struct FindingDetector: Sendable {
    private let trip: TripID
    private let provider: ProviderID
    private let absent: Set<TripField>
    private let limits: FindingLimits
    private var before: TripState?
    private var patience = DurationRule()
    private var watch = PollWatch()
    private var open: [FindingRule: Finding.Severity] = [:]

    /// Creates a detector for a trip; `absent` lists the fields that the source never provides.
    package init(
        trip: TripID,
        provider: ProviderID,
        absent: Set<TripField> = [],
        limits: FindingLimits = FindingLimits()
    ) {
        self.absent = absent
        self.trip = trip
        self.provider = provider
        self.limits = limits
    }

    /// Checks a poll.
    ///
    /// - Parameters:
    ///   - report: The poll.
    ///   - state: The trip's state after the poll.
    ///   - token: The status of the trip's token after the poll, if known.
    ///   - interval: The poll interval.
    /// - Returns: The new findings, the most severe first.
    package mutating func examine(
        _ report: PollReport,
        state: TripState,
        token: TokenStatus? = nil,
        interval: Duration
    ) -> [Finding] {
        var candidates = watch.take(report, interval: interval)
        candidates += watch.take(fault: TokenFault.current(in: report, token), token)
        if let token { candidates += watch.take(token, interval: interval, at: report.finished.steady) }
        let isAnswer = report.failure == nil
        if case .success(let answer) = report.outcome, let known = state.trip {
            candidates += watch.take(state, limits: limits)
            let time = state.serviceTime(report.finished)
            let lastAnswer = before?.lastAnswer?.steady ?? report.finished.steady
            let step = AnswerStep(
                before: before,
                after: state,
                answer: answer,
                trip: known,
                time: time,
                elapsed: (report.finished.steady - lastAnswer).seconds,
                provider: provider,
                absent: absent,
                limits: limits
            )
            candidates += step.statusCandidates + step.arrivalCandidates + step.positionCandidates
            candidates += patience.take(step)
            before = state
        }
        return settle(candidates, isAnswer: isAnswer).map {
            Finding(
                time: state.serviceTime(report.finished),
                trip: trip,
                rule: $0.rule,
                severity: $0.severity,
                evidence: $0.evidence
            )
        }
    }

    /// Filters out findings that were already reported; a failed poll does not end a lasting state.
    private mutating func settle(_ candidates: [FindingCandidate], isAnswer: Bool) -> [FindingCandidate] {
        let news = candidates.filter { candidate in
            guard candidate.isLasting, let known = open[candidate.rule] else { return true }
            return candidate.severity > known
        }
        let lasting = candidates.filter(\.isLasting)
        if isAnswer {
            let seen = Set(lasting.map(\.rule))
            open = open.filter { seen.contains($0.key) }
        }
        for candidate in lasting { open[candidate.rule] = max(open[candidate.rule] ?? .info, candidate.severity) }
        return news.sorted { $0.severity > $1.severity }
    }
}
