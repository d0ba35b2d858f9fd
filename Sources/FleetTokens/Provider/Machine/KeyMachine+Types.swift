import Failures

/// The parts of the state, and what the events return.
extension KeyMachine {
    /// A fetch in flight.
    package struct Fetch: Sendable, Equatable {
        /// The provider's number of the fetch.
        package var number: Int
        package var reason: FetchReason
        /// When it times out, by the steady clock.
        package var timeoutAt: Duration
    }

    /// A pause after a failed fetch or a rejection.
    package struct Backoff: Sendable, Equatable {
        /// The end of the backoff, by the steady clock.
        package var until: Duration
        /// The error for callers without a token; its `retryAfter` is updated for each caller.
        package var error: TokenError
        /// The end of the wait that the source requested with `Retry-After`, by the steady clock.
        ///
        /// Not even a rejection by the service shortens it.
        package var requestedUntil: Duration?

        var isDenial: Bool { [.tokenDenied, .tokenNotFound].contains(error.failure.code) }
    }

    /// A waiting caller.
    package struct Waiter: Sendable, Equatable {
        /// The required remaining lifetime of the token.
        package var validFor: Duration
        /// When the wait started, by the steady clock.
        package var since: Duration
    }

    /// How the token is used.
    package enum Use: Sendable {
        /// The current token has not been read: it is not refreshed.
        case idle
        /// The token was read since it was stored: it is refreshed before its expiry.
        case inUse
        /// The last user needs no further token and no call came since.
        case released
    }

    /// The successive failures, and what is remembered about tokens that the service rejected.
    package struct Failures: Sendable, Equatable {
        package var count = 0
        /// The failures that did not reach the source.
        var outages = 0
        var denials = 0
        package var lastError: TokenError?
        /// The fingerprint of the last rejected token, until another token is stored.
        var rejectedFingerprint: String?
        /// The number of successive rejections of young tokens.
        var youngRejections = 0
        /// Whether a young token that the service refused with 401 was replaced at once, and no other token came since.
        var hasReplacedYoung = false
        /// When rejections caused a fetch within the last minute, by the steady clock.
        var forcedFetches: [Duration] = []

        /// Forgets the failures after a success, but not the rejections.
        mutating func end() { (count, outages, denials, lastError) = (0, 0, 0, nil) }
    }

    /// Stores failures apart from the rest of the state, because few of the many keys have any.
    @propertyWrapper package indirect enum FailureStorage: Sendable {
        case none
        case some(Failures)

        package init() { self = .none }

        package var wrappedValue: Failures {
            get { if case .some(let failures) = self { failures } else { Failures() } }
            set { self = newValue == Failures() ? .none : .some(newValue) }
        }
    }

    /// What the provider has to do after an event.
    package struct Action: Sendable {
        /// The waiters to resume, with their results.
        package var results: [(waiter: Int, result: Result<BearerToken, TokenError>)] = []
        /// The events to publish.
        package var events: [TokenEvent.Kind] = []
        /// The number of a fetch that is obsolete and must be cancelled.
        package var cancelledFetch: Int?
    }
}

extension KeyMachine.State {
    /// The state with an optional token, without a fetch and without a backoff.
    init(_ token: BearerToken?) { self = token.map(Self.valid) ?? .empty }
}

/// A policy that all keys share, because it is larger than the state of a key.
package final class SharedPolicy: Sendable {
    package let policy: TokenPolicy

    package init(_ policy: TokenPolicy) { self.policy = policy }
}
