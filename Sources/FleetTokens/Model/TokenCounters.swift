import Failures

/// The counters of a provider; `hits + joins + starts + negativeHits + refusals` is the number of calls.
public struct TokenCounters: Sendable, Equatable {
    /// The reason why a fetch returned no token.
    public enum Failure: String, Sendable, Hashable, CaseIterable {
        /// The source was unreachable or temporarily unavailable.
        case transient
        /// The source denied access to the trip or vehicle.
        case denied
        /// The answer contained no usable token.
        case unusable
        /// The fetch timed out.
        case timeout
    }

    /// Calls that returned a cached token.
    public var hits = 0
    /// The hits whose token was due for a refresh that had failed.
    public var staleServed = 0
    /// Calls that joined a fetch in flight.
    public var joins = 0
    /// Calls that started a fetch.
    public var starts = 0
    /// Calls that returned the last error without a fetch.
    public var negativeHits = 0
    /// Calls that failed for another reason: already cancelled, closed, too many keys or waiters, lifetime too short.
    public var refusals = 0
    /// Fetches by reason.
    public var fetches: [FetchReason: Int] = [:]
    /// Fetches whose token was stored.
    public var successes = 0
    /// Failed fetches by reason.
    public var failures: [Failure: Int] = [:]
    /// Answers that arrived after their fetch was abandoned.
    public var discardedLate = 0
    /// Tokens that the service refused.
    public var rejections = 0
    /// Refusals of tokens that had already been replaced.
    public var ignoredRejections = 0
    /// Keys evicted to make room.
    public var evictions = 0
    /// Callers that were cancelled while waiting.
    public var cancelledWaits = 0
    /// Changes of the offset between the service's clock and the local clock.
    public var clockDisagreements = 0
    /// The current number of keys.
    public var keys = 0
    /// The current number of fetches in flight.
    public var inFlight = 0
    /// The longest current wait of a caller, by the provider's clock; `nil` if there are no waiters.
    public var oldestWaiter: Duration?
    /// The time until the next refresh of a token in use, by the provider's clock; `nil` if none is in use.
    public var nextRefresh: Duration?

    /// Creates counters at zero.
    public init() {}

    mutating func count(_ event: TokenEvent.Kind) {
        switch event {
        case .stored, .repeated: successes += 1
        case .failed(let error):
            switch error.failure.code {
            case .tokenUnavailable:
                failures[error.failure.cause?.code == .timedOut ? .timeout : .transient, default: 0] += 1
            case .tokenDenied, .tokenNotFound: failures[.denied, default: 0] += 1
            case .missingData, .tokenUnusable: failures[.unusable, default: 0] += 1
            default: break
            }
        case .discardedLate: discardedLate += 1
        case .fetching, .rejected, .clockDisagreement, .omitted, .evicted, .closed: break
        }
    }
}
