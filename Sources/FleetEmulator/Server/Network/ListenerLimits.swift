/// The limits that a listener imposes on clients.
package struct ListenerLimits: Sendable, Equatable {
    /// The maximum size of a request's body in bytes.
    package var largestBody = 1 << 20
    /// The maximum length of a request's path and query in bytes.
    package var longestTarget = 8192
    /// The maximum size of one header, name and value together, in bytes.
    package var largestHeader = 16 << 10
    /// The maximum size of all headers in bytes.
    package var headerBytes = 32 << 10
    /// The maximum number of headers.
    package var headerCount = 100
    /// The maximum number of open connections; a further connection closes the connection that has been idle longest.
    package var connections = 4096
    /// The timeout for the beginning of a gRPC connection, TLS included, and for its end after the client's GOAWAY, in real time.
    package var handshakeTime = Duration.seconds(10)
    /// The timeout for a complete request head, in real time.
    package var headTime = Duration.seconds(75)
    /// The timeout for a request's body, in real time.
    package var bodyTime = Duration.seconds(30)
    /// The time for a client to read the answer before a connection with an unread request is closed.
    package var lingering = Duration.seconds(2)

    /// Creates the default limits.
    package init() {}
}
