package import Failures
package import FleetTokens
package import Foundation
package import TripModel

/// The state of one expectation.
package struct ExpectationResult: Sendable, Equatable {
    /// Whether the expectation is fulfilled; the raw value is its name in reports.
    package enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// Not decided yet.
        case pending
        case passed
        case failed
        /// There was nothing to judge.
        case skipped
        /// It could not be judged, because what it needs was not seen.
        case undecided
    }

    /// The answer of a tester to a manual step.
    package enum Answer: String, Sendable, Hashable, CaseIterable {
        case pass
        case fail
        case skip

        /// The outcome of the step.
        package var outcome: Outcome {
            switch self {
            case .pass: .passed
            case .fail: .failed
            case .skip: .skipped
            }
        }
    }

    /// Why it has this outcome.
    package enum Reason: Sendable, Equatable {
        /// The occasion from which on it is judged has not come yet.
        case notBegun(Occasion)
        /// These conditions do not hold yet.
        case waiting([UnmetCondition])
        /// The conditions are true and must stay true, or were never true and must not become true.
        case holding
        /// The tester was not asked yet, or has not answered.
        case unanswered
        /// The conditions held.
        case met
        /// The conditions held, but after the time limit in seconds.
        case late(limit: Double)
        /// The conditions did not hold within the time limit in seconds.
        case notInTime([UnmetCondition], limit: Double)
        /// The conditions do not hold any more.
        case noLongerMet([UnmetCondition])
        /// The conditions must hold at each poll, but did not.
        case notAlways([UnmetCondition])
        /// The occasion until which it is judged came before the conditions held.
        case cameFirst(Occasion, [UnmetCondition])
        /// What must not happen has happened.
        case happened
        /// What must not happen has not happened at any of these polls, and the polls showed enough to be sure.
        case didNotHappen(polls: Int)
        /// The trip ended before the conditions held.
        case tripEnded([UnmetCondition])
        /// The session ended before the conditions held.
        case sessionEnded([UnmetCondition])
        /// The tester has answered.
        case answered
        /// The source of the session has no values of these measures.
        case notMeasurable([String])
        /// A shipment has no values of these measures.
        case notOfShipments([String])
        /// The replay of a log does not count the rider's calls, which these conditions are about.
        case notCounted([String])
        /// The log has no calls of the rider.
        case noCalls
        /// No poll was answered.
        case neverAnswered
        /// There are already this many expectations of the session.
        case tooMany(Int)

        /// Returns whether it names the value of a comparison.
        package func names(_ check: MeasureCheck) -> Bool {
            switch self {
            case .waiting(let unmet), .notInTime(let unmet, _), .noLongerMet(let unmet), .notAlways(let unmet),
                .cameFirst(_, let unmet), .tripEnded(let unmet), .sessionEnded(let unmet):
                unmet.contains { if case .check(check, _) = $0 { true } else { false } }
            case .notBegun, .holding, .unanswered, .met, .late, .happened, .didNotHappen, .answered, .tooMany,
                .notMeasurable, .notOfShipments, .notCounted, .noCalls, .neverAnswered:
                false
            }
        }
    }

    /// A measured value that shows why a result is what it is.
    package struct Evidence: Sendable, Equatable {
        /// The comparison.
        package let check: MeasureCheck
        /// The value at the decision, or the value of all polls that came closest to another decision.
        package let value: MeasuredValue
        /// The number of the poll that it was seen at.
        package let poll: Int
        /// The time of that poll by the local clock.
        package let time: Date
    }

    /// A failure of a poll and the status of the token then.
    package struct Cause: Sendable, Equatable {
        /// Why the poll failed.
        package let failure: Failure
        /// The status of the token; `nil` if it does not explain the failure.
        package let token: TokenStatus?
        /// The project whose trips could not be listed; `nil` if a poll has failed.
        package var search: ProviderID?
    }

    /// What is expected.
    package let expectation: TripExpectation
    /// The journey that it is about; `nil` if there was none.
    package var journey: JourneyID?
    /// Whether it is fulfilled.
    package var outcome = Outcome.pending
    /// Why.
    package var reason: Reason
    /// When the outcome was decided, in seconds since the start of the session.
    package var seconds: Double?
    /// When the outcome was decided, by the local clock.
    package var time: Date?
    /// The trip's status then.
    package var status: JourneyStatus?
    /// The number of polls of the trip up to the decision, including the poll that is the evidence; `nil` before the decision.
    package var polls: Int?
    /// The measured values that prove it.
    package var evidence: [Evidence] = []
    /// Why the last poll before a failed expectation failed; `nil` if it did not.
    package var cause: Cause?
    /// What the tester noted; untrusted text.
    package var note = ""

    /// Whether the tester must answer now.
    package var isAsking: Bool {
        guard case .manual = expectation.kind, outcome == .pending else { return false }
        return reason == .unanswered
    }
}
