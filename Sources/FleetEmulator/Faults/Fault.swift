/// Something that goes wrong on purpose.
package struct Fault: Sendable, Equatable {
    /// Whose answers go wrong.
    package enum Target: String, Sendable, Hashable, CaseIterable {
        case engine
        case tokens
    }

    /// What goes wrong.
    package enum Kind: Sendable, Equatable {
        /// The answer comes late.
        case latency(Duration)
        /// An error answer, with a `Retry-After` if given, and a body of one's own if given.
        case status(Int, retryAfter: Int?, body: String?)
        /// The connection is closed before an answer.
        case reset
        /// The answer breaks off in the middle.
        case truncated
        /// The answer is no JSON.
        case garbage
        /// The answer comes drop by drop, taking this long in all.
        case drip(Duration)
        /// The clock of the other side is off: the `Date` header, and the times of tokens.
        case clock(Duration)
        /// The token has ended already.
        case expiredToken
        /// The token is for another trip or vehicle.
        case wrongToken
        /// The token is larger than any client should take.
        case oversizedToken
        /// Tokens live only this long.
        case lifetime(Duration)
    }

    package var target: Target
    package var kind: Kind
    /// How many answers go wrong; `nil` for as long as it lasts.
    package var count: Int?
    /// How long it lasts, in the emulator's time; `nil` until it is cleared.
    package var duration: Duration?
    /// Only requests of which the method and the path have all of these words in them; `nil` for all.
    package var path: String?

    /// A fault that lasts until it is cleared.
    package init(_ target: Target, _ kind: Kind, count: Int? = nil, duration: Duration? = nil, path: String? = nil) {
        (self.target, self.kind, self.count, self.duration, self.path) = (target, kind, count, duration, path)
    }

    /// Whether it is meant for a request, given as `GET /v1/providers/…`.
    func isMet(by request: String) -> Bool {
        (path ?? "").split(separator: " ").allSatisfy { request.contains($0) }
    }
}
