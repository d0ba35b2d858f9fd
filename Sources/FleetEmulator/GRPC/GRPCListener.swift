package import Failures
import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import NIOCore
import Runtime

/// The options of a gRPC listener.
package struct GRPCOptions: Sendable {
    /// The address or name to listen on.
    package var host = "127.0.0.1"
    /// The port; 0 selects a free port.
    package var port = 0
    /// Whether the listener uses HTTP/2 without TLS.
    package var isPlaintext = false
    /// Names and addresses in the certificate in addition to `localhost`, the loopback addresses and the host.
    package var names: [String] = []
    /// The limits: the size of a request, the number of connections, and how long one may be idle.
    package var limits = ListenerLimits()
    /// Called with each call that is refused before it reaches the service, and the refusal; it must not block.
    package var refused: @Sendable (PlainRequest, PlainResponse) -> Void = { _, _ in }

    /// Creates options with loopback, a free port and TLS.
    package init() {}
}

/// How clients reach a gRPC listener.
package struct GRPCAddress: Sendable {
    /// The host and the port, in the form that gRPC clients take.
    package var target: String
    /// The certificate of the authority that signed the listener's certificate, in PEM; `nil` without TLS.
    package var rootCertificate: String?
}

/// The gRPC listener of an emulator: the calls of the REST listener on a port of its own.
package enum GRPCListener {
    /// Returns whether a text is the root certificate of a listener, in PEM.
    package static func isRootCertificate(_ text: String) -> Bool { ListenerCertificate.isRoot(text) }

    /// Serves calls for the duration of a closure, which starts when the port listens.
    ///
    /// - Parameters:
    ///   - options: Where to listen.
    ///   - engine: The service of the same process, ``EmulatorAddress/engine``.
    ///   - body: The closure.
    /// - Returns: The result of the closure.
    /// - Throws: ``EmulatorError`` or the error of the closure.
    package static func run<Result: Sendable>(
        _ options: GRPCOptions,
        engine: HTTPTransport,
        body: @escaping @Sendable (GRPCAddress) async throws -> Result
    ) async throws -> Result {
        let certificate = options.isPlaintext ? nil : try certificate(for: options)
        let transport = try transport(options, certificate)
        let calls = EngineCalls(engine: engine)
        let server = GRPCServer(transport: transport, services: [calls])
        return try await withThrowingTaskGroup(of: Swift.Result<Result, any Error>?.self) { tasks in
            tasks.addTask {
                do {
                    try await server.serve()
                } catch {
                    throw Self.failure(error, options)
                }
                return nil
            }
            tasks.addTask {
                // Without an address the other task throws the reason.
                guard let address = try? await transport.listeningAddress,
                    let port = address.ipv4?.port ?? address.ipv6?.port
                else { return nil }
                let target = "\(Self.reachableHost(of: options.host)):\(port)"
                do {
                    return .success(try await body(GRPCAddress(target: target, rootCertificate: certificate?.root)))
                } catch {
                    return .failure(error)
                }
            }
            while let result = try await tasks.next() {
                guard let result else { continue }
                // Clients that hear of the end close their connections. Without that, TLS would wait 5 s for each of them.
                calls.shutDown()
                server.beginGracefulShutdown()
                tasks.addTask {
                    // It ends early if the server ends first.
                    try? await Task.sleep(for: Self.grace, clock: .continuous)
                    return nil
                }
                // An error of the server no longer matters.
                _ = try? await tasks.next()
                tasks.cancelAll()
                return try result.get()
            }
            throw CancellationError()
        }
    }

    /// How long clients have to close their connections at the end, in real time.
    private static let grace = Duration.milliseconds(500)

    /// The maximum number of calls at the same time on one connection, as of Google's servers; clients queue further ones.
    private static let maximumCalls = 100

    private static func certificate(for options: GRPCOptions) throws(EmulatorError) -> ListenerCertificate {
        do {
            return try ListenerCertificate(names: [options.host] + options.names)
        } catch {
            throw .badNames([options.host] + options.names)
        }
    }

    private static func transport(
        _ options: GRPCOptions,
        _ certificate: ListenerCertificate?
    ) throws(EmulatorError) -> HTTP2ServerTransport.Posix {
        let security = certificate.map {
            HTTP2ServerTransport.Posix.TransportSecurity.tls(
                certificateChain: [.bytes(Array($0.certificate.utf8), format: .pem)],
                privateKey: .bytes(Array($0.privateKey.utf8), format: .pem)
            )
        }
        let (limits, refused) = (options.limits, options.refused)
        let policy = HostPolicy(listeningOn: options.host, allowing: options.names)
        let connections = OpenConnections(maximum: limits.connections)
        let configuration = HTTP2ServerTransport.Posix.Config.defaults {
            $0.rpc.maxRequestPayloadSize = limits.largestBody
            $0.connection.maxIdleTime = limits.headTime
            // Two pings fit into the time after which a silent connection is closed.
            $0.connection.keepalive.time = limits.headTime / 3
            $0.http2.maxConcurrentStreams = maximumCalls
            $0.channelDebuggingCallbacks.onAcceptTCPConnection = { channel in
                channel.eventLoop.makeCompletedFuture { try ConnectionGuard.add(to: channel, limits, connections) }
            }
            $0.channelDebuggingCallbacks.onAcceptHTTP2Stream = { stream in
                stream.eventLoop.makeCompletedFuture {
                    try ConnectionGuard.count(stream, connections)
                    try stream.pipeline.syncOperations.addHandler(
                        CallGuard(policy, limits, refused: refused),
                        position: .first
                    )
                }
            }
            $0.compression.enabledAlgorithms = .all
        }
        do {
            let host = options.host.trimmingCharacters(in: ["[", "]"])
            let address = try NIOCore.SocketAddress.makeAddressResolvingHost(host, port: options.port)
            let numbers = address.ipAddress ?? host
            return HTTP2ServerTransport.Posix(
                address: address.protocol == .inet6
                    ? .ipv6(host: numbers, port: options.port) : .ipv4(host: numbers, port: options.port),
                transportSecurity: security ?? .plaintext,
                config: configuration
            )
        } catch {
            throw failure(error, options)
        }
    }

    /// Returns the error for an unusable address, with the system's reason.
    private static func failure(_ error: any Error, _ options: GRPCOptions) -> EmulatorError {
        var cause = error
        while let error = cause as? RuntimeError, let next = error.cause { cause = next }
        let reason =
            switch cause {
            case let error as IOError: SystemReason.text(error.errnoCode)
            case is SocketAddressError, is SocketAddressError.UnknownHost: "there is no such host"
            default: "\(cause)"
            }
        return .cannotListen(host: options.host, ports: [options.port].filter { $0 != 0 }, reason: reason)
    }

    /// Returns the host by which this machine reaches a listening address.
    ///
    /// Clients check the name against the certificate, and some of them do not compare addresses.
    private static func reachableHost(of address: String) -> String {
        switch address {
        case "127.0.0.1", "::1", "[::1]", "0.0.0.0", "::", "[::]", "": "localhost"
        default: address.contains(":") && !address.hasPrefix("[") ? "[\(address)]" : address
        }
    }
}
