import Failures
import FleetEmulator
import FleetTokens
import Foundation
import Transport
import TransportLive
import TripModel
import TripText

/// Runs an emulator and its drivers for the duration of a closure.
enum EmulatorRun {
    /// Calls the body after both ports listen and the trip exists; calls `onStart` when the drivers start.
    static func withEmulator(
        _ world: EmulatedWorld,
        keys: EmulatorKeys,
        options: EmulatorOptions,
        clock: ScaledClock,
        onStart: @escaping @Sendable () -> Void = {},
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
                try await withLiveHTTPTransport { transport in
                    let played = try world.play(at: address, transport: transport, clock: clock)
                    try await played?.play.prepare()
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        onStart()
                        group.addTask { await Self.play(played?.play, in: world) }
                        defer {
                            // The drivers end with a last report, whose answer must not be delayed.
                            world.faults.delays.end()
                            group.cancelAll()
                            world.resets.end()
                        }
                        try await body(address, transport)
                    }
                    await played?.tokens.close()
                }
            }
        } catch let error as EmulatorError {
            throw failure(error)
        } catch let error as DriverError {
            throw CommandFailure(.internalError) { $0(.failureDriverStart, ["reason": words(error, $0)]) }
        }
    }

    /// Plays a scenario, if there is one, and starts it again after each reset, until the task is cancelled.
    private static func play(_ play: ScenarioPlay?, in world: EmulatedWorld) async {
        var requests = world.resets.requests.makeAsyncIterator()
        while true {
            let request = await withTaskGroup(of: Void.self) { group in
                if let play { group.addTask { await play.play { Self.report($0) } } }
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
        Printing.warning(.warningDriverStopped, ["reason": words(error, .ofProcess)])
    }

    static func words(_ error: DriverError, _ localizer: Localizer) -> String {
        switch error {
        case .refused(let call, let status, let message):
            localizer(
                .driverRefused,
                [
                    "call": call, "status": "\(status)",
                    "message": message.map { localizer(.quotedName, ["name": excerpt($0)]) } ?? "",
                ]
            )
        case .unreachable(let call, _): localizer(.driverUnreachable, ["call": call])
        case .noToken(let call): localizer(.driverNoToken, ["call": call])
        case .cancelled: localizer(.driverCancelled)
        }
    }

    static func failure(_ error: EmulatorError) -> CommandFailure {
        switch error {
        case .cannotListen(let host, let ports, let reason):
            CommandFailure(.unavailable) { localizer in
                let list = ports.map(String.init).joined(separator: localizer(.portOr))
                return localizer(
                    .failureCannotListen,
                    [
                        "host": excerpt(host),
                        "ports": list.isEmpty ? "" : localizer(.listenPorts, ["ports": list]),
                        "reason": reason,
                    ]
                )
            }
        case .noKeys: CommandFailure(.internalError, .failureNoSigningKeys)
        case .badNames(let names):
            CommandFailure(
                .usage,
                .failureCertificateNames,
                ["names": names.map { excerpt(value: $0) }.joined(separator: ", ")]
            )
        }
    }
}
