public import Foundation

/// Where a key stands in the life of its token.
public enum TokenState: String, Sendable, Hashable, CaseIterable {
    /// Nothing was fetched yet.
    case absent
    /// The first token, or the next after a gap, is being fetched; callers wait.
    case fetching
    /// There is a token, and it isn't time for another.
    case fresh
    /// There is a token, and another is being fetched; nobody waits.
    case refreshingAhead
    /// There is a token, another is due, and the last attempt to get it failed; nobody notices yet.
    case stale
    /// The token is over, and nobody has asked for another since.
    case expired
    /// There is no token, and the last attempt failed; callers get its error until the next attempt.
    case failing
    /// The source says that this trip or vehicle is not ours to ask for.
    case denied
    /// The service refused the token; another is on its way.
    case invalidated
    /// The provider was closed.
    case closed
}

/// Everything a screen shows about one key: never the token.
public struct TokenStatus: Sendable, Equatable {
    /// Where the key stands.
    public var state: TokenState
    /// When the token was issued, in the service's time.
    public var issuedAt: Date?
    /// When the token ends, in the service's time.
    public var expiresAt: Date?
    /// When the provider stops handing the token out, in the service's time: a little before it ends.
    public var usableUntil: Date?
    /// When the next token is due, in the service's time.
    public var refreshAt: Date?
    /// When the next attempt is allowed after a failure, in the service's time.
    public var retryAt: Date?
    /// Fetches begun so far.
    public var fetches: Int
    /// Failures in a row.
    public var failures: Int
    /// Why the last attempt failed; `nil` after a success.
    public var lastError: TokenError?
    /// How long the last finished fetch took, in real time.
    public var lastFetchDuration: Duration?
    /// How many tokens the key has had.
    public var generation: Int
    /// The fingerprint of the token.
    public var fingerprint: String?
    /// What the source calls itself, such as `http endpoint`.
    public var source: String
    /// What is odd about the token.
    public var warnings: [TokenWarning]
    /// The last token that was rejected, by the provider or by the service; kept for some hundred keys.
    public var lastRejected: RejectedToken?
    /// What the token endpoint answered last; kept for some hundred keys.
    public var lastAnswer: TokenSourceAnswer?
    /// The service's clock minus ours; `nil` where nobody said what time it is there.
    public var clockOffset: Duration?

    /// A status of a key of which nothing is known.
    public init(state: TokenState = .absent, source: String) {
        self.state = state
        self.source = source
        fetches = 0
        failures = 0
        generation = 0
        warnings = []
    }
}
