import ArgumentParser
import Canvas
import Failures
import FleetEmulator
import FleetTokens
import Foundation
import Terminal
import TransportLive
import TripFeed
import TripModel
import TripScreen
import TripText

/// `tripshare demo`: runs an emulator, a simulated driver and a watching rider in one process, over real HTTP.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Follow a ride in a built-in emulator; needs no account and no network."
    )

    @OptionGroup var ride: RideOptions

    @Flag(help: "A guided tour: several scenarios on the presenter view, with captions, in about seven minutes.")
    var tour = false

    @Flag(help: "Let a presenter's console in another terminal join: tripshare present.")
    var console = false

    /// The stage of the tour to play, from 1; the program restarts itself with the next one.
    @Option(help: .hidden)
    var tourStage = 1

    @Option(
        help: ArgumentHelp(
            "Token lifetime in seconds of the ride's time (default: the scenario's, otherwise 90).",
            valueName: "seconds"
        )
    )
    var tokenLifetime: Double?

    /// The keys that were typed while the program restarted itself, as bytes in Base64.
    @Option(help: .hidden)
    var typedAhead: String?

    @OptionGroup var transport: TransportOptions

    @OptionGroup var session: SessionOptions

    @OptionGroup var display: DisplayOptions

    @OptionGroup var expectations: ExpectationOptions

    @OptionGroup var notices: NoticeOptions

    @OptionGroup var metrics: MetricsOptions

    @OptionGroup var profile: ProfileOptions

    @OptionGroup var debugging: DebuggingOptions

    func validate() throws {
        try session.check(display)
        try RideOptions.check(tokenLifetime: tokenLifetime)
        let isOnScreen = session.output != .plain && session.output != .json && !session.once
        try require(!console || isOnScreen || display.script != nil, .usageConsole)
        guard tour else { return }
        let isAlone =
            ride.scenario == nil && ride.recording == nil && display.script == nil && isOnScreen
        try require(isAlone && Tour.embedded.stages.indices.contains(tourStage - 1), .usageTour)
    }

    mutating func run() async throws {
        let settings = try profile.settings()
        // A warning would be written on the screen.
        let receivers = try notices.receivers()
        // A tour or a console without a terminal fails as a screen that was asked for.
        if tour || console { session.output = .tui }
        let output = OutputConfiguration(session, display, settings)
        if tour {
            let stage = Tour.embedded.stages[tourStage - 1]
            ride.scenario = stage.scenario
            let speeds = ScaledClock.speeds
            ride.speed = min(max(stage.speed * ride.speed, speeds.lowerBound), speeds.upperBound)
        }
        // Load the program before the clock starts: at high speed the ride would otherwise begin before the rider polls.
        let ride = ride
        let program = try ForcedEnd.limited(to: session.timeout.map { .seconds($0) }) {
            try EmulatedWorld.Program(ride)
        }
        guard output.form == .tui else { return try await playInLines(program, settings, output, receivers) }
        let typed = typedAhead.flatMap { Data(base64Encoded: $0) } ?? Data()
        let opening = try await ScreenOpening(output, typedAhead: Array(typed))
        do {
            if let page = guide(output, on: opening)?.page {
                await opening.show(page)
            } else {
                await opening.showMakingKeys(output)
            }
            try await play(program, settings, output, receivers, on: opening)
        } catch let restart as DemoRestart {
            await opening.close()
            Screen.prepareForReplacement()
            throw restart.perform(typedAhead: await opening.screen?.unhandledInput(after: restart.handledInputs) ?? [])
        } catch {
            await opening.close()
            throw error
        }
    }

    /// Plays without a screen.
    ///
    /// A tour goes on with its next chapter after the end of a ride, until the listener quits.
    private func playInLines(
        _ program: EmulatedWorld.Program,
        _ settings: Settings,
        _ output: OutputConfiguration,
        _ receivers: [NoticeReceiver]
    ) async throws {
        do {
            try await play(program, settings, output, receivers, on: nil)
            guard guide(output, on: nil)?.hasNext == true else { return }
        } catch is SpokenOutput.TourEnd {
            return
        } catch is DemoRestart {}
        throw DemoRestart(stage: tourStage).perform()
    }

    /// The scenarios that can be played without a file.
    static let scenarios = ["ride"] + Scenario.names + Scenario.deliveryNames

    private func play(
        _ program: EmulatedWorld.Program,
        _ settings: Settings,
        _ output: OutputConfiguration,
        _ receivers: [NoticeReceiver],
        on opening: ScreenOpening?
    ) async throws {
        let keys = try await EmulatorRun.keys(for: program)
        let clock = ScaledClock(speed: ride.speed, begins: program.begins)
        var playing = try EmulatedWorld(program, seed: ride.seed, clock: clock)
        let presenter = presenterLink(to: playing, output, on: opening, clock: clock)
        let consoleEndpoint = presenter?.endpoint()
        playing.presenter = consoleEndpoint
        let world = playing
        var options = EmulatorOptions()
        options.tokenLifetime = tokenLifetime.map { .seconds($0) } ?? program.tokenLifetime ?? .seconds(90)
        let rideSettings = RideSettings(
            scenarios: Self.scenarios,
            skipsBeginning: program.isPlain && ride.speed == 1 && output.options.script == nil
        )
        // The TUI shows violations on screen; the line outputs report them through the exit code.
        let isChecked = output.form != .tui && !session.once && !tour
        // Tolerate one second of real time per answer, which a busy machine may need.
        let watch = isChecked ? world.watch(clock, lateness: clock.speed) : nil
        let onStart: @Sendable () -> Void = {
            watch?.start()
            presenter?.start(at: clock.anchor)
        }
        try await EmulatorRun.withEmulator(
            world,
            keys: keys,
            options: options,
            clock: clock,
            onStart: onStart
        ) { address, transport in
            try await Self.withCalls(self.transport.selected(settings), to: address, over: transport) {
                endpoint,
                calls in
                let tokens = try Self.tokens(of: address, over: transport)
                let client = ClientFaults(clock: clock) { try await clock.sleep(real: $0) }
                var configuration = SessionConfiguration(
                    session,
                    settings,
                    output: output,
                    trips: world.journeys,
                    provider: world.service.provider,
                    endpoint: endpoint,
                    tokens: (client.source(tokens), .standard),
                    transport: client.transport(transport, polling: endpoint.baseURL),
                    clock: clock,
                    seed: ride.seed
                )
                if endpoint.protocol == .grpc {
                    let marks = FaultMarks(urls: [])
                    configuration.calls = client.transport(marks.transport(calls))
                }
                configuration.serverTokens = TokenProvider(
                    source: HTTPTokenSource(
                        template: try TokenURLTemplate(address.serverTokenURL),
                        transport: transport
                    ),
                    clock: clock,
                    policy: .standard,
                    seed: ride.seed
                )
                configuration.absentFields = world.absentFields
                configuration.ride = RideHandle(clock.control, settings: rideSettings)
                configuration.faults = FaultSwitch(
                    client: client,
                    emulator: address.controlURL.map {
                        EmulatorFaults(controlURL: $0, vehicles: world.drivenVehicles, transport: transport)
                    }
                )
                configuration.captions = world.captions.sentences
                configuration.driverCalls = world.calls
                notices.apply(receivers, to: &configuration)
                configuration.tour = guide(output, on: opening)
                configuration.watch = watch
                configuration.presenter = presenter
                let announcement = try consoleEndpoint.map {
                    try DemoAnnouncement(address, world: world, clock: clock, secret: $0.secret)
                }
                defer { announcement?.end() }
                try configuration.readExpectations(expectations)
                do {
                    try await SessionRunner.run(configuration, metrics, on: opening)
                } catch {
                    // A violation that ended the session is its cause.
                    guard watch?.overdue != nil, let failure = watch?.failure else { throw error }
                    throw failure
                }
                if let failure = watch?.failure { throw failure }
            }
        }
    }
}
