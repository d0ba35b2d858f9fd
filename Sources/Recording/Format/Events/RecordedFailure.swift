package import Failures
import FleetTokens
import FleetWire
package import Runtime
import Transport
package import TripFeed
import TripModel

/// Why a poll failed.
///
/// The body of an answer says more than these members, which are for programs that do not interpret it.
package struct RecordedFailure: Sendable, Equatable, Codable {
    /// The name for programs: the gRPC status if the service sent one.
    package var code: String
    /// The remote side's message or the parser's position.
    package var message: String?
    /// The wait that the remote side requested, in seconds.
    package var retryAfter: Double?
    /// Why there was no token.
    package var token: RecordedProblem?
    /// Why no complete answer was received.
    package var transport: RecordedProblem?
    /// The rule that the refused token breaks.
    package var finding: RecordedTokenFinding?
    /// What was sent and what came back, without secrets; `nil` if nothing was sent.
    package var exchange: Exchange?
    /// The number of tokens that the source had returned before; `nil` for none.
    package var tokens: Int?

    /// Converts a failure.
    package init(_ failure: Failure) {
        code = failure.nameInJSON
        message = failure.detail.map { RecordedText.redacted($0) }
        retryAfter = failure.retryAfter?.recorded
        exchange = failure.exchange
        tokens = failure.history.tokens > 0 ? failure.history.tokens : nil
        finding = failure.brokenRule.map(RecordedTokenFinding.init)
        token = failure.isMissingToken ? RecordedProblem(failure) : nil
        if failure.code.family == "transport" { transport = RecordedProblem(failure) }
    }
}

/// How following a trip ended.
package struct RecordedEnd: Sendable, Equatable, Codable {
    /// How it ended.
    package enum Kind: String, Sendable, Codable {
        /// The trip has ended with ``RecordedEnd/status``.
        case reached
        /// Further polls would not help, because of ``RecordedEnd/failure``.
        case failed
        /// The trip was removed.
        case left
    }

    /// The trip.
    package var trip: String
    /// How it ended.
    package var kind: Kind
    /// The last status.
    package var status: String?
    /// The last failure.
    package var failure: RecordedFailure?

    /// Converts an end.
    package init(trip: String, _ end: FeedEnd) {
        self.trip = trip
        switch end {
        case .reached(let status): (kind, self.status) = (.reached, status.name)
        case .failed(let failure): (kind, self.failure) = (.failed, RecordedFailure(failure))
        case .left: kind = .left
        }
    }
}

/// Outcomes that are not in the recording, because the program could not keep up.
package struct RecordedOmission: Sendable, Equatable, Codable {
    /// The trip or the vehicle.
    package var subject: RecordedSubject
    /// `poll` or `token`.
    package var of: String
    /// The number of successes.
    package var successes: Int
    /// The number of failures by code.
    package var failures: [String: Int]

    /// Converts an omission.
    package init(of kind: String, _ subject: RecordedSubject, _ omission: EventOmission) {
        of = kind
        self.subject = subject
        (successes, failures) = (omission.successes, omission.failures)
    }

    /// The omission.
    package var omission: EventOmission { EventOmission(successes: successes, failures: failures) }
}
