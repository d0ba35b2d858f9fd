import ArgumentParser
import FleetEmulator
import FleetTokens
import FleetWire
import Foundation
import HTTPTransport
import ProcessControl
import TripFeed
import TripModel

/// `tripshare emulate`: serves a Fleet Engine and its token endpoint to other programs.
struct EmulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulate",
        abstract: "Run a Fleet Engine emulator with a token endpoint and a driver."
    )

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The port of Fleet Engine; 0 for a free one.", valueName: "port"))
    var port = 0

    @Option(help: ArgumentHelp("The port of the token endpoint; 0 for a free one.", valueName: "port"))
    var tokenPort = 0

    @Option(
        help: ArgumentHelp("The port of the certificates endpoint; 0 for a free one.", valueName: "port")
    )
    var certificatesPort = 0

    @Option(
        help: ArgumentHelp(
            "Also accept this host name in requests, in addition to loopback names and the address; can be repeated.",
            valueName: "name"
        )
    )
    var allowHost: [String] = []

    @Option(help: ArgumentHelp("Write a ready file once all ports are listening.", valueName: "file"))
    var readyFile: String?

    @OptionGroup var ride: RideOptions

    @Option(help: ArgumentHelp("The port of the control API on loopback; 0 for a free one.", valueName: "port"))
    var controlPort = 0

    @Option(
        help: ArgumentHelp(
            "Token lifetime in seconds of the ride's time (default: the scenario's, otherwise 3300).",
            valueName: "seconds"
        )
    )
    var tokenLifetime: Double?

    @Option(help: ArgumentHelp("Delay responses of the token endpoint by this many seconds.", valueName: "seconds"))
    var tokenLatency: Double?

    @Option(help: ArgumentHelp("Make the token endpoint fail with this HTTP status, 300 to 599.", valueName: "status"))
    var tokenFailure: Int?

    @Option(
        help: ArgumentHelp(
            "Use a service-account key file for a role (consumer, driver or server): ROLE=FILE.",
            valueName: "account"
        )
    )
    var account: [String] = []

    @OptionGroup var answer: TokenAnswerOptions

    @Option(help: ArgumentHelp("The HTTP status for a request without a token, 401 or 403.", valueName: "status"))
    var missingToken = 401

    @OptionGroup var debugging: DebuggingOptions

    func validate() throws {
        if let tokenLifetime { try DemoCommand.check(tokenLifetime) }
        if let tokenLatency, !(0...600).contains(tokenLatency) {
            throw ValidationError("--token-latency takes a number of seconds from 0 to 600.")
        }
        if let tokenFailure, !(300...599).contains(tokenFailure) {
            throw ValidationError("--token-failure takes an HTTP status of 300 to 599.")
        }
        guard [401, 403].contains(missingToken) else { throw ValidationError("--missing-token takes 401 or 403.") }
        guard (0...65_535).contains(port), (0...65_535).contains(tokenPort),
            (0...65_535).contains(certificatesPort), (0...65_535).contains(controlPort)
        else {
            throw ValidationError("A port is a number from 0 to 65535.")
        }
    }

    func run() async throws {
        // Load the program before the clock starts: at high speed the ride would otherwise begin before the rider polls.
        let program = try EmulatedWorld.Program(ride)
        let accounts = try EmulatedAccount.read(account)
        let secret = try secret(for: accounts)
        if let readyFile, let warning = try ReadyFile.warning(beforeReplacing: readyFile) { Printing.error(warning) }
        let keys = try await EmulatorRun.keys(given: accounts)
        let clock = ScaledClock(speed: ride.speed.speed, begins: program.begins)
        let world = try EmulatedWorld(program, seed: ride.seed, clock: clock)
        if let tokenLatency { world.faults.add(Fault(.tokens, .latency(.seconds(tokenLatency))), at: clock.now().wall) }
        if let tokenFailure {
            let kind = Fault.Kind.status(tokenFailure, retryAfter: nil, body: nil)
            world.faults.add(Fault(.tokens, kind, path: "consumer"), at: clock.now().wall)
        }
        let command = self
        var options = options(program)
        options.tokenSecret = secret
        try await EmulatorRun.withEmulator(world, keys: keys, options: options, clock: clock) { address, _ in
            let signals = AsyncStream.makeStream(of: Int32.self)
            let watchdog = ForcedEnd.watchdog()
            defer { watchdog.dismiss() }
            let watch = SignalWatch {
                watchdog.receive(signal: $0)
                signals.continuation.yield($0)
            }
            defer { watch.stop() }
            let ready = try command.announce(address, world: world, clock: clock)
            // Remove the ready file so that later readers find no emulator instead of calling one that has ended.
            defer { if let file = command.readyFile { ready.remove(from: file) } }
            try await withThrowingTaskGroup { group in
                if let file = command.readyFile { group.addTask { await Self.keep(ready, in: file, like: clock) } }
                for await signal in signals.stream { throw CommandFailure.signal(signal) }
            }
        }
    }

    /// Rewrites the ready file on each clock change so that other processes share the emulator's time.
    ///
    /// A file that was removed, or that belongs to another emulator, is not changed.
    private static func keep(_ ready: ReadyFile, in path: String, like clock: ScaledClock) async {
        var seen = 0
        while true {
            await clock.change(after: seen)
            guard !Task.isCancelled, ready.anchor(at: path) != nil else { return }
            seen = clock.changes
            var file = ready
            file.clock = ReadyFile.Clock(clock.anchor)
            do throws(CommandFailure) { try file.write(to: path) } catch { Printing.error(error.message) }
        }
    }

    /// Returns the secret that the token endpoint requires when it signs with a real key.
    ///
    /// Such tokens are valid outside the emulator.
    private func secret(for accounts: [EmulatorAccount]) throws(CommandFailure) -> EndpointSecret? {
        // The endpoint never issues tokens of a server account.
        guard let account = accounts.first(where: { $0.role != .server }) else { return nil }
        guard readyFile != nil else {
            throw CommandFailure(
                .usage,
                "With --account \(account.role.rawValue)=… the token endpoint signs with a real key, and wants a secret that the "
                    + "ready file has.\nName one with --ready-file; watch, drive, doctor and token fetch read it with --emulator."
            )
        }
        return EndpointSecret()
    }

    private func options(_ program: EmulatedWorld.Program) -> EmulatorOptions {
        var options = EmulatorOptions()
        options.host = host
        options.allowedHosts = allowHost
        options.port = port
        options.tokenPort = tokenPort
        options.certificatesPort = certificatesPort
        options.controlPort = controlPort
        options.tokenLifetime = tokenLifetime.map { .seconds($0) } ?? program.tokenLifetime ?? .seconds(3300)
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

    private func announce(
        _ address: EmulatorAddress,
        world: EmulatedWorld,
        clock: ScaledClock
    ) throws(CommandFailure) -> ReadyFile {
        var ready = ReadyFile(
            fleetEngineURL: address.fleetEngineURL,
            tokenURL: address.consumerTokenURL,
            vehicleTokenURL: address.driverTokenURL,
            certificatesURL: address.certificatesURL,
            controlURL: address.controlURL,
            providerId: world.service.provider.rawValue,
            tripIds: world.trips.map(\.rawValue),
            vehicleIds: world.vehicles.map(\.rawValue),
            clock: ReadyFile.Clock(clock.anchor),
            absentFields: world.absentFields.isEmpty ? nil : world.absentFields.map(\.rawValue).sorted()
        )
        ready.tokenSecret = address.tokenSecret?.revealed
        ready.tokenKey = answer.tokenKey
        ready.tokenExpirationKey = answer.tokenExpirationKey
        ready.tokenExpirationUnit = answer.tokenExpirationUnit?.rawValue
        ready.process = .current(started: Date())
        Printing.out("Fleet Engine    \(address.fleetEngineURL)")
        Printing.out("Token endpoint  \(address.consumerTokenURL)")
        Printing.out("  for drivers   \(address.driverTokenURL)")
        Printing.out("Certificates    \(address.certificatesURL)")
        if let url = address.controlURL { Printing.out("Control         \(url)") }
        Printing.out("Provider        \(ready.providerId)")
        Printing.out("Trips           \(ready.tripIds.map { shown($0) }.joined(separator: " "))")
        if address.tokenSecret != nil {
            Printing.out("  it wants      the header \(EndpointSecret.header) with tokenSecret of the ready file")
        }
        if !URLOrigin.isLoopback(host.lowercased()) {
            Printing.error("Listening on \(shown(host)): other machines can reach the emulator and get tokens from it.")
        }
        if let readyFile {
            try ready.write(to: readyFile)
            Printing.out("Follow it with  tripshare watch --emulator \(pasteable(readyFile))")
        }
        return ready
    }
}
