import ArgumentParser
import FleetEmulator
import FleetTokens
import Foundation
import HTTPTransport
import HTTPTransportLive
import ProcessControl
import Terminal
import TripFeed
import TripModel
import TripScreen

/// Options that select the ride of an emulator.
struct RideOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Play a scenario by name or from a YAML file; see tripshare scenarios.",
            valueName: "name|file"
        )
    )
    var scenario: String?

    @Option(
        help: ArgumentHelp(
            "Play a recording of a real Fleet Engine: Cloud Logging or Fleet Debugger.",
            valueName: "file"
        )
    )
    var recording: String?

    @OptionGroup var speed: SpeedOptions

    @Option(help: ArgumentHelp("Random seed; the same seed gives the same ride.", valueName: "number"))
    var seed: UInt64 = 1

    func validate() throws {
        guard scenario == nil || recording == nil else {
            throw ValidationError("Play either a --scenario or a --recording.")
        }
    }
}

/// `tripshare demo`: runs an emulator, a simulated driver and a watching rider in one process, over real HTTP.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Follow a ride in a built-in emulator; needs no account and no network."
    )

    @OptionGroup var ride: RideOptions

    @Option(
        help: ArgumentHelp(
            "Token lifetime in seconds of the ride's time (default: the scenario's, otherwise 90).",
            valueName: "seconds"
        )
    )
    var tokenLifetime: Double?

    @OptionGroup var follow: FollowOptions

    @OptionGroup var debugging: DebuggingOptions

    func validate() throws {
        if let tokenLifetime { try Self.check(tokenLifetime) }
    }

    static func check(_ lifetime: Double) throws {
        guard (10...3600).contains(lifetime) else {
            throw ValidationError("--token-lifetime takes a number of seconds from 10 to 3600.")
        }
    }

    func run() async throws {
        let settings = try await Settings.load()
        let follow = follow.completed(by: settings)
        // Load the program before the clock starts: at high speed the ride would otherwise begin before the rider polls.
        let program = try EmulatedWorld.Program(ride)
        guard follow.form == .tui else { return try await play(program, follow, settings, on: nil) }
        let opening = try await ScreenOpening(follow)
        do {
            await opening.showMakingKeys(follow)
            try await play(program, follow, settings, on: opening)
        } catch let restart as DemoRestart {
            await opening.display.close()
            Screen.leave()
            let arguments = restart.arguments(from: Array(CommandLine.arguments.dropFirst()))
            ProcessReplacement.run(arguments: arguments)
            throw CommandFailure(
                .ownFault,
                "The demo could not be started again.\nStart it anew: tripshare \(arguments.joined(separator: " "))"
            )
        } catch {
            await opening.display.close()
            throw error
        }
    }

    private func play(
        _ program: EmulatedWorld.Program,
        _ follow: FollowOptions,
        _ settings: Settings,
        on opening: ScreenOpening?
    ) async throws {
        let keys = try await EmulatorRun.keys()
        let clock = ScaledClock(speed: ride.speed.speed, begins: program.begins)
        let world = try EmulatedWorld(program, seed: ride.seed, clock: clock)
        var options = EmulatorOptions()
        options.tokenLifetime = tokenLifetime.map { .seconds($0) } ?? program.tokenLifetime ?? .seconds(90)
        let seed = ride.seed
        let rideSettings = RideSettings(
            scenarios: ["ride"] + Scenario.names,
            skipsBeginning: program.isPlain && ride.speed.speed == 1 && follow.script == nil
        )
        // The TUI shows violations on screen; the line outputs report them through the exit code.
        let isChecked = follow.form != .tui && !follow.once
        // Tolerate one second of real time per answer, which a busy machine may need.
        let watch = isChecked ? world.watch(clock, lateness: clock.speed) : nil
        try await EmulatorRun.withEmulator(world, keys: keys, options: options, clock: clock) { address, transport in
            let interval = Duration.seconds(follow.interval ?? settings.interval ?? 5)
            let configuration = SessionConfiguration(
                trips: world.trips,
                provider: world.service.provider,
                endpoint: try ServiceEndpoint(address.fleetEngineURL),
                tokens: TokenProvider(
                    source: HTTPTokenSource(
                        template: try TokenURLTemplate(address.consumerTokenURL),
                        transport: transport
                    ),
                    clock: clock,
                    policy: .standard.polling(every: interval),
                    seed: seed
                ),
                transport: transport,
                clock: clock,
                interval: interval,
                limits: follow.limits(settings),
                absentFields: world.absentFields,
                creationPatience: nil,
                goal: follow.goal,
                timeout: follow.timeout.map { .seconds($0) },
                seed: seed,
                ride: RideHandle(clock.control, settings: rideSettings),
                captions: world.captions.sentences,
                watch: watch
            )
            try await Follow.run(configuration, options: follow, settings: settings, on: opening)
            if let failure = watch?.failure { throw failure }
        }
    }
}
