import Failures
import FleetEmulator
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Synchronization
import Testing
import TripModel

/// A scenario of deliveries that was played to its end on a virtual clock, and what the recipients saw.
struct ShipmentRun: Sendable {
    /// One answer to GetTaskTrackingInfo.
    struct Sight: Sendable {
        /// Seconds since the start.
        var time: Double
        var status: Int
        /// `nil` for an error.
        var info: TaskTrackingInfo?
    }

    /// One call of the backend or of a driver.
    struct Call: Sendable, Equatable {
        var time: Double
        var method: String
        /// The path after the project, without its query.
        var path: String
        var body: String
        var status: Int
        /// Whether the token is that of a driver.
        var isOfDriver: Bool
    }

    /// The answers to each recipient, in order.
    private(set) var sights: [TrackingID: [Sight]] = [:]
    private(set) var calls: [Call] = []
    /// What prevented the scenario from being played to its end.
    private(set) var failures: [String] = []
    /// The captions that were shown, in order.
    private(set) var captions: [String] = []
    /// When the last script ended, in seconds.
    private(set) var duration = 0.0

    /// The interval of the recipients' polls in seconds.
    private static let interval = 20.0

    /// Plays a scenario; the recipients of its followed shipments poll from the start.
    ///
    /// - Parameters:
    ///   - scenario: The scenario.
    ///   - seed: The seed of its drivers.
    ///   - control: The commands to its drivers.
    ///   - onCaption: Called with each caption when it is shown.
    /// - Returns: The run.
    /// - Throws: An error if all tasks wait for something that never comes.
    static func play(
        _ scenario: Scenario,
        seed: UInt64 = 1,
        control: DriverControl = DriverControl(),
        onCaption: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> ShipmentRun {
        let clock = VirtualClock(start: scenario.begins ?? VirtualClock.start)
        let run: ShipmentRun? = try await LoopKeys.use { keys in
            await SerialLoop.run(
                advance: { clock.advance() },
                body: {
                    do {
                        return try await play(scenario, seed, keys, clock, control, onCaption)
                    } catch {
                        var run = ShipmentRun()
                        run.failures = ["it could not be played: \(error)"]
                        return run
                    }
                }
            )
        }
        return try #require(run, "all tasks wait for something that never comes")
    }

    /// The run while it is played.
    private final class Progress: Sendable {
        let run = Mutex(ShipmentRun())
    }

    private static func play(
        _ scenario: Scenario,
        _ seed: UInt64,
        _ keys: EmulatorKeys,
        _ clock: VirtualClock,
        _ control: DriverControl,
        _ onCaption: @escaping @Sendable (String) -> Void
    ) async throws -> ShipmentRun {
        let (progress, faults, provider) = (Progress(), FaultInjector(), try ProviderID("p"))
        var options = EmulatorOptions()
        options.tokenLifetime = .seconds(3300)
        let router = RequestRouter(
            FleetService(.world(World(provider: provider, roads: scenario.roads))),
            keys: keys,
            options: options,
            clock: clock,
            faults: faults
        )
        func source(_ path: String) throws -> HTTPTokenSource {
            HTTPTokenSource(
                template: try TokenURLTemplate("http://tokens.test/token/\(path)", allowsPlainHTTP: true),
                transport: router.transport,
                format: TokenAnswerFormat(
                    tokenKey: "token",
                    expirationKey: "expiration_timestamp_ms",
                    expirationUnit: .absoluteMilliseconds
                )
            )
        }
        let drivers = TokenProvider(
            source: DriverTokenSource(
                trips: try source("driver/{vehicleId}"),
                deliveries: try source("trusted_delivery_driver/{deliveryVehicleId}")
            ),
            clock: clock,
            seed: seed
        )
        let recipients = TokenProvider(source: try source("delivery_consumer/{trackingId}"), clock: clock, seed: seed)
        let captions = SceneCaptions()
        captions.observe { caption in
            onCaption(caption.text)
            progress.run.withLock { $0.captions.append(caption.text) }
        }
        let backend = Mutex<Set<String>>([])
        let play = ScenarioPlay(
            scenario,
            provider: provider,
            baseURL: RequestRouter.engineOrigin,
            driverTokens: drivers,
            backendToken: { kind in
                let token = try await router.backendToken(kind)
                backend.withLock { _ = $0.insert("Bearer \(token)") }
                return token
            },
            transport: HTTPTransport { request throws(Failure) in
                let answer = try await router.transport.send(request)
                let sender = request.headers.first { $0.name == "authorization" }?.value ?? ""
                let path = request.url.split(separator: "?")[0].split(separator: "/providers/p/").last.map(String.init)
                let call = Call(
                    time: clock.now().steady.seconds,
                    method: request.method,
                    path: path ?? "",
                    body: String(decoding: request.body, as: UTF8.self),
                    status: answer.status,
                    isOfDriver: !backend.withLock { $0.contains(sender) }
                )
                progress.run.withLock { $0.calls.append(call) }
                return answer
            },
            clock: clock,
            seed: seed,
            faults: faults,
            control: control,
            captions: captions
        )
        try await play.prepare()
        await withTaskGroup(of: Void.self) { group in
            for id in scenario.shipments {
                group.addTask {
                    do {
                        try await watch(id, of: provider, recipients, router.transport, clock) { sight in
                            progress.run.withLock { $0.sights[id, default: []].append(sight) }
                        }
                    } catch is CancellationError {
                        // The scenario is over.
                    } catch {
                        progress.run.withLock { $0.failures.append("\(id): \(error)") }
                    }
                }
            }
            await play.play { error in progress.run.withLock { $0.failures.append("\(error)") } }
            let end = clock.now().steady
            progress.run.withLock { $0.duration = end.seconds }
            // The recipients poll once more.
            try? await clock.sleep(until: end + .seconds(interval))
            group.cancelAll()
        }
        await drivers.close()
        await recipients.close()
        return progress.run.withLock { $0 }
    }

    /// Polls as a recipient until the task is cancelled.
    private static func watch(
        _ id: TrackingID,
        of provider: ProviderID,
        _ tokens: TokenProvider,
        _ transport: HTTPTransport,
        _ clock: VirtualClock,
        _ report: (Sight) -> Void
    ) async throws {
        let path = ResourceName.taskTrackingInfo(provider, id).path
        while true {
            let now = clock.now().steady
            let token = try await tokens.token(for: .tracking(id))
            let answer = try await transport.send(
                HTTPTransportRequest(
                    url: "\(RequestRouter.engineOrigin)/v1/\(path)",
                    headers: [("authorization", token.authorizationHeaderValue)],
                    timeout: .seconds(10)
                )
            )
            let info = answer.status == 200 ? try TaskTrackingCoding.decode(answer.body) : nil
            report(Sight(time: now.seconds, status: answer.status, info: info))
            try await clock.sleep(until: now + .seconds(interval))
        }
    }
}
