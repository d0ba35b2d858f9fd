package import Failures
public import Foundation

/// The state of a key.
public enum TokenState: String, Sendable, Hashable, CaseIterable {
    /// No fetch has been made.
    case absent
    /// The first token, or the next after a gap, is being fetched; callers wait.
    case fetching
    /// There is a token and no refresh is due.
    case fresh
    /// There is a token and a refresh is in flight; callers do not wait.
    case refreshingAhead
    /// There is a token, but a refresh is due and the last attempt failed; callers are not affected yet.
    case stale
    /// The token has expired and none was requested since.
    case expired
    /// There is no token and the last attempt failed; callers get its error until the next attempt.
    case failing
    /// The source denied access to this trip or vehicle.
    case denied
    /// The service refused the token; a new one is being fetched.
    case invalidated
    /// The provider was closed.
    case closed
}

/// The status of one key for display, without the token.
public struct TokenStatus: Sendable, Equatable {
    /// The state of the key.
    public var state: TokenState
    /// The time of issue, in the service's time.
    public var issuedAt: Date?
    /// The expiry, in the service's time.
    public var expiresAt: Date?
    /// The time until which the provider returns the token, shortly before its expiry, in the service's time.
    public var usableUntil: Date?
    /// The time of the next refresh, in the service's time.
    public var refreshAt: Date?
    /// The time of the next allowed attempt after a failure, in the service's time.
    public var retryAt: Date?
    /// The number of fetches so far.
    public var fetches = 0
    /// The number of successive failures.
    public var failures = 0
    /// Why the last attempt failed; `nil` after a success.
    public var lastError: TokenError?
    /// The duration of the last completed fetch, in real time.
    public var lastFetchDuration: Duration?
    /// The number of tokens that the key has had.
    public var generation = 0
    /// The fingerprint of the token.
    public var fingerprint: String?
    /// The name of the source, such as `http endpoint`.
    public var source: String
    /// The warnings about the token.
    package var warnings: [Failure] = []
    /// The last token rejected by the provider or the service; stored for a few hundred keys.
    package var lastRejected: RejectedToken?
    /// The last answer of the token endpoint; stored for a few hundred keys.
    package var lastAnswer: TokenSourceAnswer?
    /// What was sent to the source in the last fetch and what came back; stored for a few hundred keys.
    package var lastExchange: Exchange?
    /// The service's clock minus the local clock, by which the token is judged; `nil` if unknown.
    public var clockOffset: Duration?
    /// The clock of the token's source minus the local clock; `nil` if unknown.
    ///
    /// It differs from ``clockOffset`` if the source's clock is wrong, so that the local clock judges the token.
    package var sourceClockOffset: Duration? {
        // Then nothing is known about the clock itself.
        guard lastExchange?.fault?.changesClock != true else { return nil }
        guard clockOffset == .zero else { return clockOffset }
        return warnings.lazy.compactMap(\.clockDifference).first ?? clockOffset
    }

    /// Returns the injected fault that explains that there is no token with this status; `nil` if none does.
    package func injected(into failure: Failure) -> InjectedFault? {
        failure.rejection == nil ? lastExchange?.explanation : lastRejected?.injected
    }

    /// Returns the status if its last attempt explains the failure of a poll; `nil` otherwise.
    ///
    /// The attempt explains it if the poll failed for lack of a token, for the same reason as the last attempt.
    package func explaining(_ failure: Failure) -> TokenStatus? {
        failure.isOnlyMissingToken && lastError?.failure.path == failure.path ? self : nil
    }

    /// The codes of the warnings about the token, such as `warning.short_lived`.
    public var warningCodes: [String] { warnings.map(\.path) }

    /// Creates the status of an unknown key.
    public init(state: TokenState = .absent, source: String) {
        self.state = state
        self.source = source
    }
}
