import Logging
import NIOCore
import Runtime
import ServiceLifecycle
import TripModel

/// An HTTP server with one port and one function that answers.
enum OnePortServer {
    /// Listens for the duration of a closure, which gets the base URL.
    ///
    /// - Parameters:
    ///   - host: The address or name to listen on.
    ///   - port: The port; 0 selects a free one.
    ///   - policy: The accepted hosts and origins.
    ///   - clock: The clock of the answers.
    ///   - answer: Answers a request.
    ///   - body: Runs while the server listens; its end ends the server.
    /// - Returns: The result of the closure.
    /// - Throws: ``EmulatorError`` or the error of the closure.
    static func run<Result: Sendable>(
        host: String,
        port: Int,
        policy: HostPolicy,
        clock: any TripClock,
        answer: @escaping @Sendable (PlainRequest) async -> PlainResponse,
        body: @escaping @Sendable (_ url: String) async throws -> Result
    ) async throws -> Result {
        let bound = AsyncPromise<Int>()
        let listener = HTTPListener(
            host: host,
            port: port,
            policy: policy,
            limits: ListenerLimits(),
            clock: clock,
            delays: FaultDelays()
        )
        let server = listener.server(
            onRunning: { bound.set($0.localAddress?.port ?? 0) },
            answer: { request, _ in await answer(request) }
        )
        let logger = Logger(label: "tripshare.server", factory: { _ in SwiftLogNoOpLogHandler() })
        let group = ServiceGroup(services: [server], logger: logger)
        return try await withThrowingTaskGroup(of: Result?.self) { tasks in
            tasks.addTask {
                do {
                    try await group.run()
                } catch {
                    throw EmulatorError.cannotListen(
                        host: host,
                        ports: [port].filter { $0 != 0 },
                        reason: Emulator.reason(error)
                    )
                }
                return nil
            }
            tasks.addTask {
                guard let port = await bound.value else { return nil }
                return try await body("http://\(Emulator.reachableHost(of: host)):\(port)")
            }
            defer { bound.cancel() }
            while let result = try await tasks.next() {
                guard let result else { continue }
                await group.triggerGracefulShutdown()
                tasks.cancelAll()
                return result
            }
            throw CancellationError()
        }
    }
}
