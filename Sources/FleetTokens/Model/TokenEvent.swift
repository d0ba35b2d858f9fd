public import Foundation
public import TripModel

/// Something that happened to the token of one key.
public struct TokenEvent: Sendable, Equatable {
    /// What can happen.
    ///
    /// ``stored(generation:)``, ``failed(_:)``, ``rejected(status:)`` and ``discardedLate`` are outcomes: none is lost, see
    /// ``TokenProvider/events()``.
    public enum Kind: Sendable, Equatable {
        /// A fetch began, and why.
        case fetching(FetchReason)
        /// A token was stored; callers get it from now on.
        case stored(generation: Int)
        /// The source handed out the token that is held already, which ends then; callers go on with it.
        case repeated(endsAt: Date)
        /// A fetch failed; callers see it only where there was no usable token.
        case failed(TokenError)
        /// The service refused the token, which was dropped.
        case rejected(status: Int)
        /// An answer came too late, after its fetch had been given up.
        case discardedLate
        /// The clocks differ by so much; positive where the service's is ahead of ours. Once per change.
        case clockDisagreement(Duration)
        /// The key was put out of the cache, to make room or because it is to be forgotten.
        case evicted
        /// Outcomes before the next one that a slow reader is told of by their number alone.
        case omitted(EventOmission)
        /// The provider was closed; nothing follows.
        case closed
    }

    /// The key.
    public var context: AuthorizationContext
    /// When, by our clock.
    public var at: Moment
    /// What happened.
    public var kind: Kind
    /// How the key stands after it.
    public var status: TokenStatus

    /// An event of these parts.
    public init(context: AuthorizationContext, at: Moment, kind: Kind, status: TokenStatus) {
        self.context = context
        self.at = at
        self.kind = kind
        self.status = status
    }
}

extension TokenEvent.Kind {
    /// A stable name for programs.
    public var name: String {
        switch self {
        case .fetching: "fetching"
        case .stored: "stored"
        case .repeated: "repeated"
        case .failed: "failed"
        case .rejected: "rejected"
        case .discardedLate: "discarded_late"
        case .clockDisagreement: "clock_disagreement"
        case .evicted: "evicted"
        case .omitted: "omitted"
        case .closed: "closed"
        }
    }

    /// Whether it is what came of a fetch or of a token: none of these is lost on the way to a reader.
    public var isOutcome: Bool {
        switch self {
        case .stored, .repeated, .failed, .rejected, .discardedLate: true
        case .fetching, .clockDisagreement, .evicted, .omitted, .closed: false
        }
    }
}
