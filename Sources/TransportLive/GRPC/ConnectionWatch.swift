import Failures
import NIOCore
import NIOHTTP2
import NIOSSL
import NIOTLS
import Synchronization

/// What is known about the connection of one client.
final class ConnectionState: Sendable {
    private struct Value {
        /// The open connections; several addresses of a host are tried one after the other.
        var open: [ObjectIdentifier: any Channel] = [:]
        var hasBegun = false
        var hasEnded = false
        var isGoingAway = false
        var fault: (any Error)?
        var secure: SecureConnection?
    }

    private let value = Mutex(Value())

    /// Whether calls can be sent: the connection is open or not yet created.
    var isUsable: Bool { value.withLock { !$0.hasEnded && !$0.isGoingAway && (!$0.open.isEmpty || !$0.hasBegun) } }

    /// Whether the service accepts no further calls on the connection.
    var isGoingAway: Bool { value.withLock(\.isGoingAway) }

    /// Why the last connection failed; `nil` if it did not.
    var fault: (any Error)? { value.withLock(\.fault) }

    /// What is known about the encryption of the last connection; `nil` if it is not encrypted.
    var secure: SecureConnection? { value.withLock(\.secure) }

    /// Stores what is known about the encryption.
    func secured(_ connection: SecureConnection?) { value.withLock { $0.secure = connection } }

    /// No further connection follows.
    func end() { value.withLock { $0.hasEnded = true } }

    /// The service accepts no further calls on the connection.
    func goAway() { value.withLock { $0.isGoingAway = true } }

    /// Stores a connection until it is closed.
    func add(_ channel: any Channel) {
        value.withLock {
            $0.open[ObjectIdentifier(channel)] = channel
            $0.hasBegun = true
            $0.fault = nil
        }
        channel.closeFuture.whenComplete { [self] _ in value.withLock { $0.open[ObjectIdentifier(channel)] = nil } }
    }

    /// Closes the connections without waiting for the service to end TLS, for which the library waits 5 s.
    func abort() {
        for channel in value.withLock({ Array($0.open.values) }) {
            channel.eventLoop.execute {
                // The lookup fails if the connection is not encrypted. A close from the place of the handler passes it by.
                let tls = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self)
                if let tls { tls.close(promise: nil) } else { channel.close(promise: nil) }
            }
        }
    }

    /// Takes the first error of a connection, which is the cause of the others.
    func record(_ error: any Error) { value.withLock { $0.fault = $0.fault ?? error } }
}

/// Sets up TLS on a connection, checks the certificate, and stores the reason of a failure.
///
/// The library reports most failures of a connection without their reasons. Written for grpc-swift-nio-transport 2.9.2; the
/// recorded reasons are obsolete once `ConnectionTests` passes without them.
final class ConnectionWatch: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let state: ConnectionState
    private let host: String

    private init(_ state: ConnectionState, host: String) { (self.state, self.host) = (state, host) }

    /// Adds TLS, unless `security` is `nil`, and the watch to a connection, before everything else in its pipeline.
    static func add(to channel: any Channel, _ security: NIOSSLContext?, host: String, _ state: ConnectionState) throws
    {
        state.add(channel)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(ConnectionWatch(state, host: host), position: .first)
        try pipeline.addHandler(GoAwayWatch(state), position: .after(pipeline.handler(type: NIOHTTP2Handler.self)))
        guard let security else { return }
        // An address has no place in the server name extension; it is compared with the certificate.
        let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
        let handler = try NIOSSLClientHandler(context: security, serverHostname: isAddress ? nil : host)
        try pipeline.addHandler(handler, position: .first)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted(let negotiated)? = event as? TLSUserEvent {
            do {
                guard negotiated == "h2" else {
                    throw Failure.wrongPort(reason: "the server does not offer HTTP/2, which gRPC needs")
                }
                state.secured(try CertificateRules.check(context.channel, for: [host]))
            } catch {
                state.record(error)
                context.close(promise: nil)
                return
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        state.record(error)
        context.fireErrorCaught(error)
    }
}

/// Notices that the service ends the connection; placed after the decoder of frames.
private final class GoAwayWatch: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame

    private let state: ConnectionState

    init(_ state: ConnectionState) { self.state = state }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .goAway = unwrapInboundIn(data).payload { state.goAway() }
        context.fireChannelRead(data)
    }
}

extension HTTP2ErrorCode {
    /// The name of the code in RFC 9113, section 7, or its number.
    ///
    /// `nil` for a code that says nothing about the call: the server ended or refused it without a fault.
    var faultName: String? {
        switch self {
        case .noError, .cancel, .refusedStream: nil
        case .protocolError: "PROTOCOL_ERROR"
        case .internalError: "INTERNAL_ERROR"
        case .flowControlError: "FLOW_CONTROL_ERROR"
        case .settingsTimeout: "SETTINGS_TIMEOUT"
        case .streamClosed: "STREAM_CLOSED"
        case .frameSizeError: "FRAME_SIZE_ERROR"
        case .compressionError: "COMPRESSION_ERROR"
        case .connectError: "CONNECT_ERROR"
        case .enhanceYourCalm: "ENHANCE_YOUR_CALM"
        case .inadequateSecurity: "INADEQUATE_SECURITY"
        case .http11Required: "HTTP_1_1_REQUIRED"
        default: "\(networkCode)"
        }
    }
}
