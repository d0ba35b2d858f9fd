import AsyncHTTPClient
import Failures
import NIOCore
import NIOPosix
import NIOSSL

/// A server closed a connection after earlier answers, and before any byte of the answer to the last request.
///
/// A server closes connections that were idle for some time. If that happens while a request is on its way, the server has not
/// read it (RFC 9112, 9.3.1).
///
/// Written for async-http-client 1.37.0, which repeats no request and reports this end like one within an answer. This error
/// and the repetition are obsolete once `ReusedConnectionTests` passes without them.
struct ReusedConnectionClosed: Error {}

extension HTTPTransportRequest {
    /// Whether the request may be repeated although it is unknown if the server has received it (RFC 9110, 9.2.2).
    var isRepeatable: Bool { ["GET", "HEAD"].contains(method) }
}

extension HTTPClient.Configuration {
    /// The same configuration for requests that need a new connection: no connection is kept open after its answer.
    var withNewConnections: Self {
        var configuration = self
        configuration.connectionPool.idleTimeout = .milliseconds(1)
        return configuration
    }
}

extension Error {
    /// Whether a request failed because the connection that was chosen for it had been closed.
    var isOfReusedConnection: Bool {
        switch self as any Error {
        case is ReusedConnectionClosed: true
        // The library reports this before it writes anything.
        case ChannelError.ioOnClosedChannel: true
        default: false
        }
    }

    /// Whether the error means that the server has closed the connection.
    var isEndOfConnection: Bool {
        switch self as any Error {
        case NIOSSLError.uncleanShutdown, ChannelError.eof: true
        case let error as IOError: [ECONNRESET, EPIPE, ENOTCONN].contains(error.errnoCode)
        default: false
        }
    }
}

/// Records whether bytes have arrived since the last complete answer; placed before the decoder of HTTP/1.
final class AnswerByteWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Whether bytes have arrived since the end of the last answer.
    var hasBytes = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasBytes = true
        context.fireChannelRead(data)
    }
}
