import Failures
import FleetEmulator
import FleetTokens
import Foundation
import TransportLive
import TripModel
import TripText

/// Runs an emulator and its drivers for the duration of a closure.
enum EmulatorRun {
    /// Calls the body after both ports listen and the trip exists; calls `onStart` when the drivers start, and `onDriver` for
    /// what they do.
    static func withEmulator(
        _ world: EmulatedWorld,
        keys: EmulatorKeys,
        options: EmulatorOptions,
        clock: ScaledClock,
        onStart: @escaping @Sendable () -> Void = {},
        onDriver: @escaping @Sendable (DrivenVehicle, DriverEvent) -> Void = { _, _ in },
        body: @escaping @Sendable (EmulatorAddress, HTTPTransport) async throws -> Void
    ) async throws {
        do {
            try await Emulator.run(
                world.service,
                keys: keys,
                options: options,
                clock: clock,
                faults: world.faults,
                control: world.control(clock)
            ) { address in
                let marks = FaultMarks(urls: [
                    address.fleetEngineURL, address.consumerTokenURL, address.credentials.iamURL,
                    address.credentials.oauthTokenURL,
                ])
                marks.explainClosing { world.faults.closing(of: $0) }
                try await withLiveHTTPTransport { live in
                    let transport = marks.transport(live)
                    let played = try world.play(at: address, transport: transport, clock: clock)
                    try await played?.play.prepare()
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        onStart()
                        group.addTask { await Self.play(played?.play, in: world, onDriver) }
                        defer {
                            // The drivers end with a last report, whose answer must not be delayed.
                            world.faults.delays.end()
                            group.cancelAll()
                            world.resets.end()
                        }
                        await played?.play.catchUp()
                        try await body(address, transport)
                    }
                    await played?.tokens.close()
                }
            }
        } catch let error as EmulatorError {
            throw failure(error)
        } catch let error as DriverError {
            throw CommandFailure(.internalError) { $0(.failureDriverStart(reason: words(error, $0))) }
        }
    }

    /// Plays a scenario, if there is one, and starts it again after each reset, until the task is cancelled.
    private static func play(
        _ play: ScenarioPlay?,
        in world: EmulatedWorld,
        _ onDriver: @escaping @Sendable (DrivenVehicle, DriverEvent) -> Void
    ) async {
        var requests = world.resets.requests.makeAsyncIterator()
        while true {
            let request = await withTaskGroup(of: Void.self) { group in
                if let play { group.addTask { await play.play(onFailure: { Self.report($0) }, onEvent: onDriver) } }
                let request = await requests.next()
                // The drivers report OFFLINE before the world is empty.
                group.cancelAll()
                return request
            }
            guard let request else { return }
            world.reset()
            do throws(DriverError) {
                try await play?.prepare()
                request.finish(true)
            } catch {
                report(error)
                request.finish(false)
            }
        }
    }

    /// Returns the keys of the emulator's service accounts; generates those that the program needs and that are not given.
    static func keys(
        for program: EmulatedWorld.Program,
        given accounts: [EmulatorAccount] = [],
        remote: [RemoteSigner] = []
    ) async throws(CommandFailure) -> EmulatorKeys {
        do {
            let keys = try await EmulatorKeys(given: accounts, remote: remote)
            try await keys.prepare(program.signers)
            return keys
        } catch {
            throw CommandFailure(.internalError, .failureNoSigningKeys)
        }
    }

    /// Reports a failed driver on standard error; clients see the ride stop.
    private static func report(_ error: DriverError) {
        Printing.warning(.warningDriverStopped(reason: words(error, .ofProcess)))
    }

    static func failure(_ error: EmulatorError) -> CommandFailure {
        switch error {
        case .cannotListen(let host, let ports, let reason):
            CommandFailure(.unavailable) { localizer in
                let list = ports.map(String.init).joined(separator: localizer(.portOr))
                return localizer(
                    .failureCannotListen(
                        host: excerpt(host),
                        ports: list.isEmpty ? "" : localizer(.listenPorts(ports: list)),
                        reason: reason
                    )
                )
            }
        case .noKeys: CommandFailure(.internalError, .failureNoSigningKeys)
        case .badNames(let names):
            CommandFailure(
                .usage,
                .failureCertificateNames(names: names.map { excerpt(value: $0) }.joined(separator: ", "))
            )
        }
    }
}
