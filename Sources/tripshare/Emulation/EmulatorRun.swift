import FleetEmulator
import FleetTokens
import Foundation
import HTTPTransport
import HTTPTransportLive
import TripModel

/// Runs an emulator and its drivers for the duration of a closure.
enum EmulatorRun {
    /// Calls the body after both ports listen and the trip exists.
    static func withEmulator(
        _ world: EmulatedWorld,
        keys: EmulatorKeys,
        options: EmulatorOptions,
        clock: ScaledClock,
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
                    guard let (play, tokens) = try world.play(at: address, transport: transport, clock: clock)
                    else {
                        return try await body(address, transport)
                    }
                    try await play.prepare()
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { await play.play { Self.report($0) } }
                        defer { group.cancelAll() }
                        try await body(address, transport)
                    }
                    await tokens.close()
                }
            }
        } catch let error as EmulatorError {
            throw failure(error)
        } catch let error as DriverError {
            throw CommandFailure(.ownFault, "The simulated driver could not begin its ride: \(words(error))")
        }
    }

    /// Returns the keys of the emulator's service accounts; generates those that are not given.
    static func keys(given accounts: [EmulatorAccount] = []) async throws(CommandFailure) -> EmulatorKeys {
        do {
            return try await EmulatorKeys(given: accounts)
        } catch {
            throw CommandFailure(.ownFault, "The emulator's signing keys could not be made. Try again.")
        }
    }

    /// Reports a failed driver on standard error; clients see the ride stop.
    private static func report(_ error: DriverError) {
        Printing.error("The simulated driver gave up, its vehicle goes silent: \(words(error))")
    }

    static func words(_ error: DriverError) -> String {
        switch error {
        case .refused(let call, let status, let message):
            "\(call) was refused with \(status)\(message.map { " " + shown($0) } ?? "")."
        case .unreachable(let call, _): "\(call) could not reach the Fleet Engine."
        case .noToken(let call): "there was no token for \(call)."
        case .cancelled: "it was called off."
        }
    }

    private static func failure(_ error: EmulatorError) -> CommandFailure {
        switch error {
        case .cannotListen(let host, let ports, let reason):
            CommandFailure(
                .unavailable,
                "The emulator can't listen on \(shown(host))"
                    + (ports.isEmpty ? "" : ", port \(ports.map(String.init).joined(separator: " or "))")
                    + ": \(reason).\nName an address of this machine with --host, and ports that no other program has with"
                    + " --port, --token-port, --certificates-port and --control-port; 0 takes a free one."
            )
        case .noKeys: CommandFailure(.ownFault, "The emulator has no signing keys. Try again.")
        }
    }
}
