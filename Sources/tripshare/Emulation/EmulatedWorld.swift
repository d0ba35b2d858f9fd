import Canvas
import FleetEmulator
import FleetTokens
import Foundation
import HTTPTransport
import Recording
import TripFeed
import TripModel

/// What an emulator serves, and who drives in it: a scenario, the plain ride, or a recording.
struct EmulatedWorld: Sendable {
    /// What is to be played.
    enum Program: Sendable {
        /// The ride that is driven where nobody says otherwise.
        case ride
        case scenario(Scenario)
        case recording(RecordedTrips)
    }

    /// The service.
    let service: FleetService
    /// The trips that it has or is going to have, and that a rider follows.
    let trips: [TripID]
    /// The vehicles that serve them.
    let vehicles: [VehicleID]
    /// What its answers never have: a format of logs may lack it.
    let absentFields: Set<TripField>
    /// What goes wrong.
    let faults = FaultInjector()
    /// What the drivers are told from outside.
    let drivers = DriverControl()
    /// What is said to those who watch.
    let captions = SceneCaptions()
    private let scenario: Scenario?
    private let seed: UInt64

    /// A program that begins now.
    init(_ program: Program, seed: UInt64, clock: ScaledClock) throws {
        self.seed = seed
        switch program {
        case .recording(let recording):
            let recorded = recording.shifted(to: clock.now().wall)
            service = FleetService(.recording(recorded))
            trips = recorded.timelines.map(\.id)
            vehicles = recorded.timelines.compactMap(\.vehicleID).reduce(into: []) { list, id in
                if !list.contains(id) { list.append(id) }
            }
            scenario = nil
            absentFields = recorded.absentFields
        case .ride, .scenario:
            let scenario =
                if case .scenario(let scenario) = program { scenario } else { try Scenario.plainRide(seed: seed) }
            service = FleetService(.world(World(provider: try ProviderID("tripshare-demo"), roads: scenario.roads)))
            trips = scenario.followed
            vehicles = scenario.drivers.map(\.vehicle)
            self.scenario = scenario
            absentFields = []
        }
    }

    /// A check of what is seen of the scenario, which begins now; `nil` where a recording plays.
    func watch(_ clock: ScaledClock, lateness: Double) -> SceneWatch? {
        scenario.map { SceneWatch($0, captions: captions, clock: clock, lateness: lateness) }
    }

    /// The handles for the control API.
    func control(_ clock: ScaledClock) -> EmulatorControl {
        EmulatorControl(faults: faults, drivers: drivers, clock: clock.control, provider: service.provider)
    }

    /// Who drives; `nil` where a recording plays.
    func play(
        at address: EmulatorAddress,
        transport: HTTPTransport,
        clock: ScaledClock
    ) throws -> (play: ScenarioPlay, tokens: TokenProvider)? {
        guard let scenario else { return nil }
        let tokens = TokenProvider(
            source: HTTPTokenSource(
                template: try TokenURLTemplate(address.driverTokenURL, allowsPlainHTTP: true),
                transport: transport,
                headers: { () throws(TokenSourceError) in
                    address.tokenSecret.map { [(EndpointSecret.header, $0.revealed)] } ?? []
                }
            ),
            clock: clock,
            seed: seed
        )
        let play = ScenarioPlay(
            scenario,
            provider: service.provider,
            baseURL: address.fleetEngineURL,
            driverTokens: tokens,
            operatorToken: address.operatorToken,
            transport: transport,
            clock: clock,
            seed: seed,
            faults: faults,
            control: drivers,
            captions: captions
        )
        return (play, tokens)
    }
}

extension EmulatedWorld.Program {
    /// What the flags name.
    ///
    /// Throws ``CommandFailure``.
    init(_ options: RideOptions) throws(CommandFailure) {
        if let path = options.recording {
            self = .recording(try Self.recording(path))
        } else if let name = options.scenario, name != "ride" {
            self = .scenario(try Self.scenario(name))
        } else {
            self = .ride
        }
    }

    /// The time of day at which it wants to begin; `nil` for now.
    var begins: Date? {
        if case .scenario(let scenario) = self { scenario.begins } else { nil }
    }

    /// Whether it is the ride that is driven where nothing else is named.
    var isPlain: Bool { if case .ride = self { true } else { false } }

    /// How long its tokens are to live; `nil` where it does not care.
    var tokenLifetime: Duration? {
        if case .scenario(let scenario) = self { scenario.tokenLifetime } else { nil }
    }

    /// A scenario by its name, or from a file.
    static func scenario(_ name: String) throws(CommandFailure) -> Scenario {
        do {
            if let scenario = try Scenario.named(name) { return scenario }
        } catch {
            throw CommandFailure(.ownFault, "The scenario \(shown(name)) is broken: \(shown(error.description))")
        }
        guard name.contains("/") || name.hasSuffix(".yaml") || name.hasSuffix(".yml") else {
            throw CommandFailure(
                .notFound,
                "There is no scenario \(shown(name)).\nList them with: tripshare scenarios. A file needs the ending .yaml."
            )
        }
        let yaml = try InputFile.text(
            name,
            what: "scenario",
            advice: "List those that come with the program: tripshare scenarios"
        )
        do {
            return try Scenario(
                yaml: yaml,
                name: URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent,
                file: name
            )
        } catch {
            throw CommandFailure(
                .badInput,
                "\(error.description.sanitized(limit: 400)).\nMend the scenario there and try again."
            )
        }
    }

    /// The largest recording that is read, in bytes.
    private static let longestRecording = 1 << 30

    /// A recording from a file.
    private static func recording(_ path: String) throws(CommandFailure) -> RecordedTrips {
        let data = try InputFile.data(
            path,
            limit: longestRecording,
            what: "recording",
            advice: "Name a Cloud Logging export or a Fleet Debugger file that you may read, of at most 1 GiB."
        )
        do {
            return try RecordedTrips(bytes: [UInt8](data))
        } catch {
            throw CommandFailure(.badInput, "The recording \(shown(path)) can't be played: \(error.sentence)")
        }
    }
}
