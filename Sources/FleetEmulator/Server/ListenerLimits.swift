import NIOCore

/// What a listener takes from a client at most.
package struct ListenerLimits: Sendable, Equatable {
    /// A request's body, in bytes.
    package var largestBody = 1 << 20
    /// A request's path and query, in bytes.
    package var longestTarget = 8192
    /// One header, name and value together, in bytes.
    package var largestHeader = 16 << 10
    /// All headers together, in bytes.
    package var headerBytes = 32 << 10
    /// The number of headers.
    package var headerCount = 100
    /// Connections at a time; further ones wait to be accepted.
    package var connections = 4096
    /// How long a connection may be without a complete request head, in real time.
    package var headTime = Duration.seconds(75)
    /// How long a request's body may take, in real time.
    package var bodyTime = Duration.seconds(30)
    /// How long a connection stays open for a client to read the answer to a request that was not read to its end.
    package var lingering = Duration.seconds(2)

    /// The standard limits.
    package init() {}
}

extension TimeAmount {
    /// A duration in whole nanoseconds.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
