import AsyncHTTPClient
import Failures
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

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

/// The address of a host and a port that is used instead of looking the host up, as with `--resolve` of curl.
package struct HostAddress: Sendable, Hashable {
    /// The host name in lower case.
    package let host: String
    /// The port, 1 to 65535.
    package let port: Int
    /// The address, without brackets.
    package let address: String

    /// Parses `HOST:PORT:ADDRESS`; `nil` for other text.
    ///
    /// An address of IPv6 may have brackets. The host must be a name: the certificate for another address would be no proof.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts[1].allSatisfy({ ("0"..."9").contains($0) }),
            let origin = URLOrigin("http://\(parts[0]):\(parts[1])"), let port = origin.port, port > 0,
            origin.host == parts[0].lowercased(), origin.host.allSatisfy(Self.isInName),
            IPNetwork.address(origin.host) == nil
        else { return nil }
        let hasBrackets = parts[2].hasPrefix("[") && parts[2].hasSuffix("]")
        let address = hasBrackets ? String(parts[2].dropFirst().dropLast()) : parts[2]
        guard let bytes = IPNetwork.address(address), !hasBrackets || bytes.count == 16 else { return nil }
        (host, self.port, self.address) = (origin.host, port, address)
    }

    private static func isInName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "-._".contains(character)
    }

    /// The value of the option.
    package var text: String { "\(host):\(port):\(address.contains(":") ? "[\(address)]" : address)" }
}

/// The hosts to which requests were sent, and what is known about the encrypted connections to them.
final class RequestedHosts: Sendable {
    /// The maximum number of connections that are described; the oldest one is forgotten first.
    private static let mostConnections = 16

    private struct Value {
        var hosts: Set<String> = []
        var connections: [SecureConnection] = []
    }

    private let value = Mutex(Value())

    func insert(_ host: String) { value.withLock { _ = $0.hosts.insert(host) } }

    /// Checks the certificate of a new connection, and stores what it says.
    func check(_ channel: any Channel) throws {
        let hosts = value.withLock(\.hosts)
        guard let connection = try CertificateRules.check(channel, for: hosts) else { return }
        value.withLock { value in
            value.connections.removeAll { $0 == connection }
            value.connections.append(connection)
            if value.connections.count > Self.mostConnections { value.connections.removeFirst() }
        }
    }

    /// Returns what is known about the latest encrypted connection to a host; `nil` if there was none.
    func connection(to host: String) -> SecureConnection? {
        value.withLock { $0.connections.last { $0.isFor(host) } }
    }
}
