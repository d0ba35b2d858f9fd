import ArgumentParser
import FleetEmulator
import FleetTokens
import FleetWire
import Foundation
import TripModel

/// `tripshare emulate`: a Fleet Engine and its token endpoint for other programs.
struct EmulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulate",
        abstract: "Run a Fleet Engine emulator with a token endpoint and a driver."
    )

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The port of the Fleet Engine; 0 takes a free one.", valueName: "port"))
    var port = 0

    @Option(help: ArgumentHelp("The port of the token endpoint; 0 takes a free one.", valueName: "port"))
    var tokenPort = 0

    @Option(help: ArgumentHelp("Write a ready file here when everything listens.", valueName: "file"))
    var readyFile: String?

    @OptionGroup var ride: RideOptions

    @Option(help: ArgumentHelp("Seconds that a token lives, in the ride's own time.", valueName: "seconds"))
    var tokenLifetime = 3300.0

    @OptionGroup var answer: TokenAnswerOptions

    @Option(help: ArgumentHelp("The HTTP status of a call without a token, 401 or 403.", valueName: "status"))
    var missingToken = 401

    func validate() throws {
        try DemoCommand.check(tokenLifetime)
        guard [401, 403].contains(missingToken) else { throw ValidationError("--missing-token takes 401 or 403.") }
        guard (0...65_535).contains(port), (0...65_535).contains(tokenPort) else {
            throw ValidationError("A port is a number from 0 to 65535.")
        }
    }

    func run() async throws {
        // All that takes a while comes before the clock: where time runs fast, the ride would have begun without a rider.
        let recording = try ride.recording.map(EmulatedWorld.read)
        let keys = try await EmulatorRun.keys()
        let clock = ScaledClock(speed: ride.speed.speed)
        let world = try EmulatedWorld(recording: recording, seed: ride.seed, clock: clock)
        let command = self
        try await EmulatorRun.withEmulator(world, keys: keys, options: options, clock: clock) { address, _ in
            let signals = AsyncStream.makeStream(of: Int32.self)
            let watch = SignalWatch { signals.continuation.yield($0) }
            defer { watch.stop() }
            try command.announce(address, world: world, clock: clock)
            for await _ in signals.stream { throw CommandFailure(.interrupted, "") }
        }
    }

    private var options: EmulatorOptions {
        var options = EmulatorOptions()
        options.host = host
        options.port = port
        options.tokenPort = tokenPort
        options.tokenLifetime = .seconds(tokenLifetime)
        options.missingTokenStatus = missingToken
        if let key = answer.tokenKey { options.tokenFormat.tokenKey = key }
        if let key = answer.tokenExpirationKey { options.tokenFormat.expirationKey = key }
        switch answer.tokenExpirationUnit {
        case nil, .absoluteMilliseconds: options.tokenFormat.expirationUnit = .absoluteMilliseconds
        case .absoluteSeconds: options.tokenFormat.expirationUnit = .absoluteSeconds
        case .relativeSeconds: options.tokenFormat.expirationUnit = .relativeSeconds
        }
        return options
    }

    private func announce(_ address: EmulatorAddress, world: EmulatedWorld, clock: ScaledClock) throws {
        let ready = ReadyFile(
            fleetEngineURL: address.fleetEngineURL,
            tokenURL: address.consumerTokenURL,
            vehicleTokenURL: address.driverTokenURL,
            providerId: world.service.provider.rawValue,
            tripIds: world.trips.map(\.rawValue),
            vehicleIds: world.vehicles.map(\.rawValue),
            clock: ReadyFile.Clock(
                real: Timestamp.text(clock.anchor.real),
                virtual: Timestamp.text(clock.anchor.virtual),
                speed: clock.anchor.speed
            )
        )
        Printing.out("Fleet Engine    \(address.fleetEngineURL)")
        Printing.out("Token endpoint  \(address.consumerTokenURL)")
        Printing.out("  for drivers   \(address.driverTokenURL)")
        Printing.out("Provider        \(ready.providerId)")
        Printing.out("Trips           \(ready.tripIds.map { shown($0) }.joined(separator: " "))")
        if !["127.0.0.1", "::1", "localhost"].contains(host) {
            Printing.error("Listening on \(shown(host)): other machines can reach the emulator and get tokens from it.")
        }
        if let readyFile {
            try ready.write(to: readyFile)
            Printing.out("Follow it with  tripshare watch --emulator \(shown(readyFile))")
        }
    }
}
