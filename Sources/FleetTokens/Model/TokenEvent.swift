package import Failures
public import Foundation
public import Runtime
import TripModel

/// An event of one key's token.
public struct TokenEvent: Sendable, Equatable {
    /// The kinds of events.
    ///
    /// ``stored(generation:)``, ``failed(_:)``, ``rejected(status:)`` and ``discardedLate`` are outcomes. No outcome is lost
    /// uncounted, see ``TokenProvider/events()``.
    public enum Kind: Sendable, Equatable {
        /// A fetch started.
        case fetching(FetchReason)
        /// A token was stored; callers get it from now on.
        case stored(generation: Int)
        /// The source returned the stored token again, which expires at this time; callers continue to use it.
        case repeated(endsAt: Date)
        /// A fetch failed; callers are affected only if there is no usable token.
        case failed(TokenError)
        /// The service refused the token, which was removed.
        case rejected(status: AnswerStatus)
        /// An answer arrived after its fetch was abandoned.
        case discardedLate
        /// The offset between the clocks, reported once per change; positive if the service's clock is ahead.
        case clockDisagreement(Duration)
        /// The key was evicted from the cache, to make room or on request.
        case evicted
        /// The number of outcomes before the next one that were dropped because the reader was slow.
        case omitted(EventOmission)
        /// The provider was closed; no events follow.
        case closed
    }

    /// The key.
    public var context: AuthorizationContext
    /// The time by the local clock.
    package var at: Moment
    /// The time by the local clock.
    public var date: Date { at.wall }
    /// What happened.
    public var kind: Kind
    /// The status of the key after the event.
    public var status: TokenStatus
    /// The calls of a fetch that this event ends: the grants of credentials, then the fetch; empty for other events.
    package var calls: [Call] = []

    /// Creates an event.
    package init(context: AuthorizationContext, at: Moment, kind: Kind, status: TokenStatus) {
        self.init(context: context, at: at, kind: kind, status: status, because: nil)
    }

    /// Creates an event with the calls of the fetch that it ends.
    ///
    /// - Parameters:
    ///   - context: The key.
    ///   - at: The time by the local clock.
    ///   - kind: What happened.
    ///   - status: The status of the key after the event.
    ///   - reason: Why the fetch was begun; `nil` if it is unknown, or if the event ends none.
    ///   - grants: The calls that granted the credentials for the fetch.
    package init(
        context: AuthorizationContext,
        at: Moment,
        kind: Kind,
        status: TokenStatus,
        because reason: FetchReason?,
        grants: [Call] = []
    ) {
        (self.context, self.at, self.kind, self.status) = (context, at, kind, status)
        calls = grants.map { grant in
            var grant = grant
            grant.subject = context.subject
            return grant
        }
        if let fetch = Call(endedBy: self, because: reason) { calls.append(fetch) }
    }
}

extension TokenEvent.Kind {
    /// A stable name for programs.
    public var name: String { caseName(of: self) }

    /// Whether the event is the outcome of a fetch or of a token, which is never lost uncounted.
    public var isOutcome: Bool {
        switch backlogKind {
        case .success, .failure: true
        case .progress, .note, .end: false
        }
    }

    /// How the event relates to unread events before it.
    package var backlogKind: Backlog<TokenEvent>.Kind {
        switch self {
        case .fetching: .progress
        // Each token is an outcome of its own.
        case .stored(let generation): .success(key: "\(name) \(generation)")
        case .repeated: .success(key: name)
        case .failed(let error): .failure(code: error.code, key: error.code)
        case .rejected(let status): .failure(code: "rejected_\(status.name)", key: "rejected_\(status.name)")
        case .discardedLate: .failure(code: name, key: name)
        case .clockDisagreement, .omitted: .note
        case .evicted, .closed: .end
        }
    }
}
