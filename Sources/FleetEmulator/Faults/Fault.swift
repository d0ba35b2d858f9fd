/// An injected failure.
package struct Fault: Sendable, Equatable {
    /// The endpoint whose answers fail.
    package enum Target: String, Sendable, Hashable, CaseIterable {
        case engine
        case tokens
    }

    /// The kind of failure.
    package enum Kind: Sendable, Equatable {
        /// The answer is delayed.
        case latency(Duration)
        /// An error answer, with an optional `Retry-After` and an optional custom body.
        case status(Int, retryAfter: Int?, body: String?)
        /// The connection is closed before the answer.
        case reset
        /// The answer is truncated.
        case truncated
        /// The answer is not JSON.
        case garbage
        /// The answer is sent slowly, over this total duration.
        case drip(Duration)
        /// The remote clock is shifted: the `Date` header and the times of tokens.
        case clock(Duration)
        /// The token has expired.
        case expiredToken
        /// The token is for another trip or vehicle.
        case wrongToken
        /// The token is larger than any client should accept.
        case oversizedToken
        /// Tokens have this lifetime.
        case lifetime(Duration)
    }

    package var target: Target
    package var kind: Kind
    /// The number of answers that fail; `nil` for no limit.
    package var count: Int?
    /// The duration of the fault in the emulator's time; `nil` until it is removed.
    package var duration: Duration?
    /// A filter: the request's method and path must contain all of these words; `nil` matches all requests.
    package var path: String?

    /// Creates a fault; without count and duration it lasts until it is removed.
    package init(_ target: Target, _ kind: Kind, count: Int? = nil, duration: Duration? = nil, path: String? = nil) {
        (self.target, self.kind, self.count, self.duration, self.path) = (target, kind, count, duration, path)
    }

    /// Returns whether the fault applies to a request in the form `GET /v1/providers/…`.
    func isMet(by request: String) -> Bool {
        (path ?? "").split(separator: " ").allSatisfy { request.contains($0) }
    }
}
