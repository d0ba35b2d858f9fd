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
        /// It could not be judged.
        case skipped
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
        /// The status from which on it is judged was not reached yet.
        case notBegun(TripStatus)
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
        /// What must not happen has happened.
        case happened
        /// What must not happen has not happened.
        case didNotHappen
        /// The trip ended before the conditions held.
        case tripEnded([UnmetCondition])
        /// The session ended before the conditions held.
        case sessionEnded([UnmetCondition])
        /// The tester has answered.
        case answered
    }

    /// What is expected.
    package let expectation: TripExpectation
    /// The trip that it is about; `nil` if there was none.
    package var trip: TripID?
    /// Whether it is fulfilled.
    package var outcome = Outcome.pending
    /// Why.
    package var reason: Reason
    /// When the outcome was decided, in seconds since the start of the session.
    package var seconds: Double?
    /// When the outcome was decided, by the local clock.
    package var time: Date?
    /// The trip's status then.
    package var status: TripStatus?
    /// The number of polls of the trip until then, of which the last one is the evidence; `nil` before.
    package var polls: Int?
    /// What the tester noted; untrusted text.
    package var note = ""

    /// Whether the tester must answer now.
    package var isAsking: Bool {
        guard case .manual = expectation.kind, outcome == .pending else { return false }
        return reason == .unanswered
    }
}
