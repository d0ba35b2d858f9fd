package import Failures
package import FleetTokens
import Foundation
import Runtime
import TripModel

/// The subject of a token.
package struct RecordedSubject: Sendable, Equatable, Codable {
    /// `trip`, `vehicle`, `tracking`, `task`, `deliveryVehicle` or `server`.
    package var kind: String
    /// The ID.
    package var id: String

    /// Converts the key of a token.
    package init(_ context: AuthorizationContext) {
        kind = context.kind.rawValue
        id = context.id
    }

    /// The key of a token; `nil` for an unknown kind or an invalid ID.
    package var context: AuthorizationContext? {
        // An invalid ID names nothing.
        AuthorizationContext.Kind(rawValue: kind).flatMap { try? AuthorizationContext($0, id) }
    }
}

/// An event of a token: its claims and its fingerprint, never the token.
package struct RecordedToken: Sendable, Equatable, Codable {
    /// What was read from a token: its claims and the results of the rules.
    package struct Inspection: Sendable, Equatable, Codable {
        /// The header and the claims; `nil` if they cannot be read.
        package var claims: TokenClaims?
        /// The results of all applicable rules.
        package var findings: [TokenFinding]
    }

    /// A call that granted credentials for a fetch, or refused them.
    package struct Grant: Sendable, Equatable, Codable {
        /// The call, without its subject, which is the token's subject, and without its failure, which is ``failure``.
        package var call: Call
        /// Why it failed; `nil` if it succeeded.
        package var failure: Failure?

        /// Converts a call.
        init(_ call: Call) {
            (self.call, failure) = (call, call.failure)
            self.call.subject = ""
            self.call.failure = nil
        }

        /// The call, without its subject.
        fileprivate var complete: Call {
            var call = call
            call.failure = failure
            return call
        }
    }

    /// The trip or the vehicle.
    package var subject: RecordedSubject
    /// When it happened.
    package var happened: RecordedMoment
    /// The name of the event, such as `stored`.
    package var event: String
    /// Why a fetch started.
    package var reason: String?
    /// The number of the stored token.
    package var generation: Int?
    /// When the repeated token expires: RFC 3339, UTC.
    package var endsAt: String?
    /// Why a fetch failed.
    package var problem: Failure?
    /// The HTTP status with which the service refused the token; over gRPC, the status of the same answer over REST.
    package var status: Int?
    /// The number of the gRPC status with which the service refused the token.
    package var grpcStatus: Int?
    /// The difference of the clocks in seconds.
    package var offset: Double?
    /// The state of the token after the event.
    package var state: RecordedTokenState
    /// The inspection of the stored token.
    package var inspection: Inspection?
    /// The calls that granted the credentials for a fetch, which the other members describe; `nil` if there were none.
    package var grants: [Grant]?

    /// Converts an event and the inspection of the stored token.
    package init(_ event: TokenEvent, inspection: Inspection? = nil) {
        subject = RecordedSubject(event.context)
        happened = RecordedMoment(event.at)
        self.event = event.kind.name
        state = RecordedTokenState(event.status)
        self.inspection = inspection
        let granted = event.calls.filter { $0.answerer == .credentials }
        grants = granted.isEmpty ? nil : granted.map(Grant.init)
        switch event.kind {
        case .fetching(let reason): self.reason = reason.rawValue
        case .stored(let generation): self.generation = generation
        case .repeated(let end): endsAt = Timestamp.text(end)
        case .failed(let error): problem = error.failure
        case .rejected(let status): (self.status, grpcStatus) = (status.httpStatus, status.grpcStatus)
        case .clockDisagreement(let offset): self.offset = offset.recorded
        case .discardedLate, .evicted, .omitted, .closed: break
        }
    }

    /// Returns the event; `nil` if its name, a value or the ID is unknown or invalid.
    ///
    /// If the event ends a fetch, the reason is the reason of the fetch, which is in an earlier line.
    func tokenEvent(because reason: (AuthorizationContext) -> FetchReason?) -> TokenEvent? {
        guard let context = subject.context, let moment = happened.moment, let kind else { return nil }
        let granted = (grants ?? []).suffix(TokenAnswerRecorder.mostGrants).filter { $0.call.answerer == .credentials }
        return TokenEvent(
            context: context,
            at: moment,
            kind: kind,
            status: state.status,
            because: reason(context),
            grants: granted.map(\.complete)
        )
    }

    private var kind: TokenEvent.Kind? {
        switch event {
        case "fetching": reason.flatMap(FetchReason.init(rawValue:)).map(TokenEvent.Kind.fetching)
        case "stored": generation.map { .stored(generation: $0) }
        case "repeated": endsAt.flatMap(Timestamp.date).map { .repeated(endsAt: $0) }
        case "failed": problem.flatMap(TokenError.init(recorded:)).map(TokenEvent.Kind.failed)
        case "rejected":
            status.map { .rejected(status: AnswerStatus(httpStatus: $0, grpcStatus: grpcStatus)) }
        case "discarded_late": .discardedLate
        case "clock_disagreement": offset.map { .clockDisagreement(Duration(recorded: $0)) }
        case "evicted": .evicted
        case "closed": .closed
        default: nil
        }
    }
}

extension RecordedToken.Inspection {
    /// Reads an inspection; findings that this program does not know are left out.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        claims = try members.decodeIfPresent(TokenClaims.self, forKey: .claims)
        findings = try members.decode([KnownFinding].self, forKey: .findings).compactMap(\.finding)
    }
}

extension TokenError {
    /// Creates the error of a recorded failure; `nil` if that is not one of the provider.
    init?(recorded failure: Failure) {
        guard failure.isMissingToken else { return nil }
        self.init(failure)
    }
}
