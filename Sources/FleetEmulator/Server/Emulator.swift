package import Failures
package import FleetTokens
import Foundation
import Logging
import NIOCore
package import Runtime
import ServiceLifecycle
import TripModel

/// The options of an emulator.
package struct EmulatorOptions: Sendable {
    /// The address to listen on.
    package var host = "127.0.0.1"
    /// The port of the service; 0 selects a free port.
    package var port = 0
    /// The port of the token endpoint; 0 selects a free port.
    package var tokenPort = 0
    /// The port of the certificates and of the credential endpoints, which replace Google's other hosts; 0 selects a free
    /// port.
    package var certificatesPort = 0
    /// The port of the control API; 0 selects a free port.
    package var controlPort = 0
    /// The lifetime of its tokens in the emulator's time.
    package var tokenLifetime = Duration.seconds(3300)
    /// The format of its token endpoint's answers.
    package var tokenFormat = TokenEndpointFormat()
    /// The HTTP status of a call without a token: 401 or 403.
    package var missingTokenStatus = 401
    /// The secret that the token endpoint requires in the header ``EndpointSecret/header``; `nil` for none.
    package var tokenSecret: EndpointSecret?
    /// The maximum number of reads, of searches and of lists per minute of the emulator's time; `nil` for no limit.
    package var quota: Int?
    /// Names that a request's `Host` header may have in addition to the names of ``HostPolicy``.
    package var allowedHosts: [String] = []
    /// Called with each answered request; it must not block.
    package var answered: (@Sendable (AnsweredRequest) -> Void)?
    /// Called with each received call except calls of the control API; it must not block.
    package var received: (@Sendable (Call) -> Void)?
    /// Called with each call of the service as one line, an entry of Cloud Logging; it must not block.
    package var logged: (@Sendable ([UInt8]) -> Void)?
    /// The limits of its listeners.
    package var limits = ListenerLimits()

    /// Creates options with loopback, free ports and a token lifetime of 55 minutes.
    package init() {}
}

/// The addresses of an emulator and its in-process controls.
package struct EmulatorAddress: Sendable {
    /// The base URL of the service.
    package var fleetEngineURL: String
    /// The URL template of the riders' token endpoint; `{tripId}` is replaced by the ID.
    package var consumerTokenURL: String
    /// The URL template of the drivers' token endpoint; `{vehicleId}` is replaced by the ID.
    package var driverTokenURL: String
    /// The URL of the token endpoint for server tokens.
    package var serverTokenURL: String
    /// The URL template of a service account's certificates; `{email}` is replaced by the address.
    package var certificatesURL: String
    /// The credential endpoints.
    package var credentials: EmulatedCredentials
    /// The base URL of the control API; `nil` if there is none.
    package var controlURL: String?
    /// The secret that the token endpoint requires in the header ``EndpointSecret/header``; `nil` for none.
    package var tokenSecret: EndpointSecret?
    /// How clients read the answers of the token endpoint.
    package var tokenFormat: TokenAnswerFormat
    /// The service in this process, at ``RequestRouter/engineOrigin``, for listeners of other protocols.
    package var engine: HTTPTransport
    /// Reports a call of the service that a listener of another protocol has refused, and the refusal.
    package var refused: @Sendable (PlainRequest, PlainResponse) -> Void
    /// Signs a token of the backend.
    package var backendToken: @Sendable (BackendToken) async throws -> String

    /// Signs an operator token for trips.
    package func operatorToken() async throws -> String { try await backendToken(.trips) }
}

/// The reason why an emulator could not run.
package enum EmulatorError: Error, Sendable, Equatable {
    /// The host or one of the ports is unusable; the reason comes from the system.
    case cannotListen(host: String, ports: [Int], reason: String)
    /// The keys of the service accounts could not be generated.
    case noKeys
    /// A certificate cannot contain one of the names of the gRPC listener.
    case badNames([String])
}

/// The emulated Fleet Engine, its token endpoint and the endpoints of Google's other hosts, each on its own port.
package enum Emulator {
    /// Runs an emulator for the duration of a closure, which starts when all ports listen.
    ///
    /// Throws ``EmulatorError`` or the error of the closure.
    package static func run<Result: Sendable>(
        _ service: FleetService,
        keys: EmulatorKeys,
        options: EmulatorOptions,
        clock: any TripClock,
        faults: FaultInjector = FaultInjector(),
        control: EmulatorControl? = nil,
        body: @escaping @Sendable (EmulatorAddress) async throws -> Result
    ) async throws -> Result {
        let router = RequestRouter(service, keys: keys, options: options, clock: clock, faults: faults)
        let servicePort = AsyncPromise<Int>()
        let tokenPort = AsyncPromise<Int>()
        let certificatesPort = AsyncPromise<Int>()
        let controlPort = AsyncPromise<Int>()
        let policy = HostPolicy(listeningOn: options.host, allowing: options.allowedHosts)
        func listener(
            _ host: String,
            _ port: Int,
            _ policy: HostPolicy,
            of endpoint: AnsweredRequest.Endpoint? = nil
        ) -> HTTPListener {
            var listener = HTTPListener(
                host: host,
                port: port,
                policy: policy,
                limits: options.limits,
                clock: clock,
                delays: faults.delays
            )
            if let endpoint { listener.refused = { router.refused(endpoint, $0, $1) } }
            return listener
        }
        var servers = [
            listener(options.host, options.port, policy, of: .fleetEngine).server(
                onRunning: { servicePort.set($0.localAddress?.port ?? 0) },
                answer: { request, now in
                    if let control, request.method == "GET" { await control.driversCatchUp(with: clock) }
                    return await router.engine(request, at: now)
                }
            ),
            listener(options.host, options.tokenPort, policy, of: .tokens).server(
                onRunning: { tokenPort.set($0.localAddress?.port ?? 0) },
                answer: { await router.tokens($0, at: $1) }
            ),
            listener(options.host, options.certificatesPort, policy, of: .credentials).server(
                onRunning: { certificatesPort.set($0.localAddress?.port ?? 0) },
                answer: { await router.google($0, at: $1) }
            ),
        ]
        if let control {
            // Callers need no authorization, so the control API listens on loopback regardless of the other listeners.
            let routes = ControlRoutes(control: control, router: router, clock: clock)
            servers.append(
                listener("127.0.0.1", options.controlPort, HostPolicy(listeningOn: "127.0.0.1")).server(
                    onRunning: { controlPort.set($0.localAddress?.port ?? 0) },
                    answer: { await routes.answer($0, at: $1) }
                )
            )
        } else {
            controlPort.set(0)
        }
        let logger = Logger(label: "tripshare.emulator", factory: { _ in SwiftLogNoOpLogHandler() })
        let group = ServiceGroup(services: servers, logger: logger)
        return try await withThrowingTaskGroup(of: Result?.self) { tasks in
            tasks.addTask {
                do {
                    try await group.run()
                } catch {
                    throw EmulatorError.cannotListen(
                        host: options.host,
                        ports: [
                            options.port, options.tokenPort, options.certificatesPort,
                            control == nil ? 0 : options.controlPort,
                        ].filter { $0 != 0 },
                        reason: Self.reason(error)
                    )
                }
                return nil
            }
            tasks.addTask {
                guard let service = await servicePort.value, let token = await tokenPort.value,
                    let certificates = await certificatesPort.value, let controlNumber = await controlPort.value
                else { return nil }
                let host = reachableHost(of: options.host)
                return try await body(
                    EmulatorAddress(
                        fleetEngineURL: "http://\(host):\(service)",
                        consumerTokenURL: "http://\(host):\(token)/token/consumer/{tripId}",
                        driverTokenURL: "http://\(host):\(token)/token/driver/{vehicleId}",
                        serverTokenURL: "http://\(host):\(token)/token/server",
                        certificatesURL: "http://\(host):\(certificates)\(CertificateEndpoint.path)/{email}",
                        credentials: router.credentials(at: "\(host):\(certificates)"),
                        controlURL: controlNumber == 0 ? nil : "http://127.0.0.1:\(controlNumber)/control",
                        tokenSecret: options.tokenSecret,
                        tokenFormat: options.tokenFormat.answerFormat,
                        engine: HTTPTransport { request async throws(Failure) in
                            if let control, request.method == "GET" { await control.driversCatchUp(with: clock) }
                            return try await router.transport.send(request)
                        },
                        refused: { router.refused(.fleetEngine, $0, $1) },
                        backendToken: { try await router.backendToken($0) }
                    )
                )
            }
            defer {
                // The servers wait for the answers that a fault delays.
                faults.delays.end()
                servicePort.cancel()
                tokenPort.cancel()
                certificatesPort.cancel()
                controlPort.cancel()
            }
            while let result = try await tasks.next() {
                guard let result else { continue }
                await group.triggerGracefulShutdown()
                tasks.cancelAll()
                return result
            }
            throw CancellationError()
        }
    }

    /// Returns the system's reason why an address is unusable.
    static func reason(_ error: any Error) -> String {
        switch error {
        case let error as IOError: SystemReason.text(error.errnoCode)
        case SocketAddressError.unknown: "no such host"
        case is SocketAddressError.UnknownHost: "no such host"
        default: "\(error)"
        }
    }

    /// Returns the host of a URL by which this machine reaches a listening address.
    ///
    /// Wildcard addresses are not valid destinations, so loopback replaces them.
    static func reachableHost(of address: String) -> String {
        switch address {
        case "0.0.0.0", "": "127.0.0.1"
        case "::", "[::]": "[::1]"
        default: address.contains(":") && !address.hasPrefix("[") ? "[\(address)]" : address
        }
    }
}
