import Foundation
import Logging
import NIOCore
import ServiceLifecycle
package import TripModel

/// How an emulator runs.
package struct EmulatorOptions: Sendable {
    /// The address to listen on.
    package var host = "127.0.0.1"
    /// The port of the service; 0 takes a free one.
    package var port = 0
    /// The port of the token endpoint; 0 takes a free one.
    package var tokenPort = 0
    /// The port of the certificates of the service accounts; 0 takes a free one.
    package var certificatesPort = 0
    /// The port of the control API; 0 takes a free one.
    package var controlPort = 0
    /// How long its tokens live, in the emulator's time.
    package var tokenLifetime = Duration.seconds(3300)
    /// How its token endpoint answers.
    package var tokenFormat = TokenEndpointFormat()
    /// The HTTP status of a call without a token, 401 or 403.
    package var missingTokenStatus = 401
    /// What its token endpoint wants in the header ``EndpointSecret/header``; `nil` for nothing.
    package var tokenSecret: EndpointSecret?
    /// Names beside those of ``HostPolicy`` that may be in a request's `Host` header.
    package var allowedHosts: [String] = []
    /// What its listeners take from a client.
    package var limits = ListenerLimits()

    /// Loopback, free ports, tokens of 55 minutes.
    package init() {}
}

/// Where an emulator listens, and how it is operated from within the process.
package struct EmulatorAddress: Sendable {
    /// The base URL of the service.
    package var fleetEngineURL: String
    /// The token endpoint for riders; `{tripId}` stands for the ID.
    package var consumerTokenURL: String
    /// The token endpoint for drivers; `{vehicleId}` stands for the ID.
    package var driverTokenURL: String
    /// The certificates of a service account's keys; `{email}` is replaced by its address.
    package var certificatesURL: String
    /// The base URL of the control API; `nil` where there is none.
    package var controlURL: String?
    /// What the token endpoint wants in the header ``EndpointSecret/header``; `nil` for nothing.
    package var tokenSecret: EndpointSecret?
    /// Signs a token with the rights of an operator.
    package var operatorToken: @Sendable () async throws -> String
}

/// Why an emulator could not be run.
package enum EmulatorError: Error, Sendable, Equatable {
    /// The host, or one of the ports that were named, can't be listened on; the reason is the system's.
    case cannotListen(host: String, ports: [Int], reason: String)
    /// The keys of its service accounts could not be made.
    case noKeys
}

/// The emulated Fleet Engine, its token endpoint and the certificates of its service accounts, each on a port of its own.
package enum Emulator {
    /// Runs an emulator as long as a body runs, which begins when all ports listen.
    ///
    /// Throws ``EmulatorError``, or what the body throws.
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
        func listener(_ host: String, _ port: Int, _ policy: HostPolicy) -> HTTPListener {
            HTTPListener(host: host, port: port, policy: policy, limits: options.limits, clock: clock)
        }
        var servers = [
            listener(options.host, options.port, policy).server(
                onRunning: { servicePort.set($0.localAddress?.port ?? 0) },
                answer: { await router.engine($0, at: $1) }
            ),
            listener(options.host, options.tokenPort, policy).server(
                onRunning: { tokenPort.set($0.localAddress?.port ?? 0) },
                answer: { await router.tokens($0, at: $1) }
            ),
            listener(options.host, options.certificatesPort, policy).server(
                onRunning: { certificatesPort.set($0.localAddress?.port ?? 0) },
                answer: { request, _ in router.certificates(request) }
            ),
        ]
        if let control {
            // Its callers may do anything: it listens on loopback, whatever the others listen on.
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
                    let certificates = await certificatesPort.value, let door = await controlPort.value
                else { return nil }
                let host = reachableHost(of: options.host)
                return try await body(
                    EmulatorAddress(
                        fleetEngineURL: "http://\(host):\(service)",
                        consumerTokenURL: "http://\(host):\(token)/token/consumer/{tripId}",
                        driverTokenURL: "http://\(host):\(token)/token/driver/{vehicleId}",
                        certificatesURL: "http://\(host):\(certificates)\(CertificateEndpoint.path)/{email}",
                        controlURL: door == 0 ? nil : "http://127.0.0.1:\(door)/control",
                        tokenSecret: options.tokenSecret,
                        operatorToken: { try await router.operatorToken() }
                    )
                )
            }
            defer {
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

    /// Why an address can't be listened on, in the system's words.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as IOError: unsafe String(cString: strerror(error.errnoCode))
        case SocketAddressError.unknown: "there is no such host"
        case is SocketAddressError.UnknownHost: "there is no such host"
        default: "\(error)"
        }
    }

    /// The host of a URL by which this machine reaches an address that is listened on.
    ///
    /// The addresses that mean all of a machine's can't be asked: loopback is used for them.
    private static func reachableHost(of address: String) -> String {
        switch address {
        case "0.0.0.0", "": "127.0.0.1"
        case "::", "[::]": "[::1]"
        default: address.contains(":") && !address.hasPrefix("[") ? "[\(address)]" : address
        }
    }
}
