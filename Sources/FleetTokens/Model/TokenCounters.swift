/// What a provider has done so far; `hits + joins + starts + negativeHits + refusals` is the number of calls.
public struct TokenCounters: Sendable, Equatable {
    /// What a fetch that brought no token failed at.
    public enum Failure: String, Sendable, Hashable, CaseIterable {
        /// The source could not be had, or said that it can't now.
        case transient
        /// The source said that the trip or vehicle is not ours to ask for.
        case denied
        /// The source answered, and there was no token in it that may be used.
        case unusable
        /// It took too long.
        case timeout
    }

    /// Calls that got a token at once.
    public var hits = 0
    /// Those of them that got a token whose next one was due and had failed to come.
    public var staleServed = 0
    /// Calls that joined a fetch that others had caused.
    public var joins = 0
    /// Calls that caused a fetch.
    public var starts = 0
    /// Calls that got the last error at once, without a fetch.
    public var negativeHits = 0
    /// Calls that got an error for another reason: cancelled before, closed, too many keys or waiters, too short a life.
    public var refusals = 0
    /// Fetches by cause.
    public var flights: [FetchReason: Int] = [:]
    /// Fetches that brought a token which was stored.
    public var successes = 0
    /// Fetches that brought none, by what they failed at.
    public var failures: [Failure: Int] = [:]
    /// Answers that came after their fetch had been given up.
    public var discardedLate = 0
    /// Tokens that the service refused.
    public var rejections = 0
    /// Refusals of tokens that had been replaced before.
    public var ignoredRejections = 0
    /// Keys put out to make room.
    public var evictions = 0
    /// Callers that were cancelled while they waited.
    public var cancelledWaits = 0
    /// How often the service's clock turned out to differ by another amount than before.
    public var clockDisagreements = 0
    /// Keys held just now.
    public var keys = 0
    /// Fetches in the air just now.
    public var inFlight = 0
    /// Keys that leases hold just now.
    public var pinned = 0
    /// How long the caller that waits longest has waited, by the provider's clock; `nil` where nobody waits.
    public var oldestWaiter: Duration?
    /// How long until the next token in use is due, by the provider's clock; `nil` where none is in use.
    public var nextRefresh: Duration?

    /// Nothing has happened yet.
    public init() {}
}

extension TokenCounters.Failure {
    /// What a fetch failed at that ended with an error; `nil` for an error that is no fetch's.
    init?(_ error: TokenError) {
        switch error {
        case .unavailable(.timedOut, _): self = .timeout
        case .unavailable: self = .transient
        case .denied: self = .denied
        case .missingData, .unusable: self = .unusable
        case .noAuthorizationContext, .rejectedByService, .tooShortLived, .tooManyKeys, .tooManyWaiters, .cancelled,
            .closed:
            return nil
        }
    }
}
