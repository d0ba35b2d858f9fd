import Foundation
import Runtime
package import TripModel

/// Detects ``Finding``s in the polls of one trip; without side effects.
///
/// A lasting state is reported when it begins and when it gets worse. An event is reported each time.
package struct FindingDetector: Sendable {
    private let journey: JourneyID
    private let provider: ProviderID
    private let absent: Set<TripField>
    private let limits: FindingLimits
    private var before: TripState?
    private var polls = PollHistory()
    private var durations = TripDurations()
    private var plan = TripPlan()
    /// The lasting states that were reported and have not ended, with their highest severity.
    private var open: [FindingRule.ID: Finding.Severity] = [:]

    /// Creates a detector for a trip; `absent` lists the fields that the source never provides.
    package init(
        journey: JourneyID,
        provider: ProviderID,
        absent: Set<TripField> = [],
        limits: FindingLimits = FindingLimits()
    ) {
        self.absent = absent
        self.journey = journey
        self.provider = provider
        self.limits = limits
    }

    /// Checks a poll.
    ///
    /// - Parameters:
    ///   - report: The poll.
    ///   - state: The trip's state after the poll.
    ///   - token: The trip's token after the poll.
    ///   - interval: The poll interval.
    /// - Returns: The new findings, the most severe first.
    package mutating func examine(
        _ report: PollReport,
        state: TripState,
        token: ExaminedToken = ExaminedToken(),
        interval: Duration
    ) -> [Finding] {
        polls.record(report, token)
        let answer = answerStep(report, state, token)
        let step = PollStep(report: report, token: token, interval: interval, history: polls, answer: answer)
        let time = state.serviceTime(report.finished)
        let fault = report.faultNames.map { [Evidence(Finding.fault, .text($0))] }
        let rules = FindingRule.all
        var findings: [Finding] = []
        // By their indices, because a loop over the rules would copy each of these large values for every poll.
        for index in rules.indices {
            for detection in rules[index].evaluate(step) {
                let rule = rules[index]
                findings.append(
                    Finding(
                        time: time,
                        journey: journey,
                        rule: rule,
                        severity: detection.severity ?? rule.severity,
                        evidence: detection.evidence(of: rule) + (fault ?? [])
                    )
                )
            }
        }
        return new(findings, isAnswer: report.failure == nil)
    }

    /// Returns the input for the rules about answers; `nil` if the poll failed.
    private mutating func answerStep(
        _ report: PollReport,
        _ state: TripState,
        _ token: ExaminedToken
    ) -> AnswerStep? {
        guard case .success(let answer) = report.outcome, let known = state.journey else { return nil }
        let lastAnswer = before?.lastAnswer?.steady ?? report.finished.steady
        defer { before = state }
        return AnswerStep(
            before: before,
            after: state,
            answer: answer,
            journey: known,
            time: state.serviceTime(report.finished),
            elapsed: (report.finished.steady - lastAnswer).seconds,
            provider: provider,
            absent: absent,
            limits: limits,
            clocks: ClockVerdict(endpoint: token.sourceClockOffset, state),
            durations: &durations,
            plan: &plan
        )
    }

    /// Returns the findings that were not reported yet; a failed poll does not end a lasting state.
    private mutating func new(_ findings: [Finding], isAnswer: Bool) -> [Finding] {
        let new = findings.filter { finding in
            guard finding.rule.kind == .lasting, let reported = open[finding.rule.id] else { return true }
            return finding.severity > reported
        }
        let lasting = findings.filter { $0.rule.kind == .lasting }
        if isAnswer {
            let current = Set(lasting.map(\.rule.id))
            open = open.filter { current.contains($0.key) }
        }
        for finding in lasting { open[finding.rule.id] = max(open[finding.rule.id] ?? .info, finding.severity) }
        return new.sorted { $0.severity > $1.severity }
    }
}
