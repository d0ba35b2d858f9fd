/// What a provider has done so far; `hits + joins + starts + negativeHits + refusals` is the number of calls.
public struct TokenCounters: Sendable, Equatable {
    /// Calls that got a token at once.
    public var hits = 0
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
    /// Fetches that brought none.
    public var failures = 0
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
    /// Keys held just now.
    public var keys = 0
    /// Fetches in the air just now.
    public var inFlight = 0

    /// Nothing has happened yet.
    public init() {}
}
