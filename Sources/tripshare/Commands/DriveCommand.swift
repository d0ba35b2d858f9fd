import ArgumentParser
import Canvas
import FleetEmulator
import FleetTokens
import Foundation
import HTTPTransport
import HTTPTransportLive
import ProcessControl
import TripFeed
import TripModel
import TripText

/// `tripshare drive`: simulates the driver's side against any Fleet Engine.
struct DriveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drive",
        abstract: "Drive a vehicle along a route and report its location with a vehicle token.",
        discussion: """
            With --trip it also moves that trip from ENROUTE_TO_PICKUP to COMPLETE, which needs an operator's key. \
            Ctrl-C sets the vehicle OFFLINE.
            """
    )

    @Argument(help: ArgumentHelp("The ID of an existing vehicle.", valueName: "vehicle"))
    var vehicle: String

    @Option(help: ArgumentHelp("The route: GeoJSON, GPX, or an encoded polyline of Google Maps.", valueName: "file"))
    var route: String

    @Option(help: ArgumentHelp("Serve this existing trip.", valueName: "trip"))
    var trip: String?

    @Option(
        help: ArgumentHelp("A service-account key that may update trips; needed for --trip.", valueName: "file")
    )
    var operatorAccount: String?

    @OptionGroup var service: ServiceOptions

    @Option(help: ArgumentHelp("Seconds between reports on a trip, 5 to 60.", valueName: "seconds"))
    var interval = 5.0

    @Option(help: ArgumentHelp("Seconds between reports without a trip, 5 to 60.", valueName: "seconds"))
    var idleInterval = 10.0

    @Option(help: ArgumentHelp("Speed factor: 1 is about 13 m/s on a straight road.", valueName: "factor"))
    var pace = 1.0

    @Option(help: ArgumentHelp("Random seed; the same seed gives the same reports.", valueName: "number"))
    var seed: UInt64 = 1

    @OptionGroup var debugging: DebuggingOptions

    func validate() throws {
        guard (5...60).contains(interval), (5...60).contains(idleInterval) else {
            throw ValidationError("--interval and --idle-interval take seconds from 5 to 60, as the Driver SDK does.")
        }
        guard (0.1...50).contains(pace) else { throw ValidationError("--pace takes a number from 0.1 to 50.") }
        guard (trip == nil) == (operatorAccount == nil) else {
            throw ValidationError("To serve a trip name both --trip and --operator-account; without a trip neither.")
        }
    }

    func run() async throws {
        let settings = try await Settings.load()
        let ready = try service.emulator.map(ReadyFile.read)
        let clock = ready.map { ScaledClock(anchor: $0.anchor) } ?? ScaledClock(speed: 1)
        let vehicle = try TokenSubject.checked(self.vehicle, "vehicle", VehicleID.init)
        let trip = try trip.map { try TokenSubject.checked($0, "trip", TripID.init) }
        guard let project = service.providerId ?? ready?.file.providerId ?? settings.providerID else {
            throw CommandFailure(
                .usage,
                "Whose vehicle? Name the Google Cloud project with --provider-id, or in TRIPSHARE_PROVIDER_ID."
            )
        }
        let provider = try TokenSubject.checked(project, "provider", ProviderID.init)
        let path = try points()
        let operatorKey: ServiceAccountKey? =
            if let operatorAccount { try await TokenOrigin.key(operatorAccount) } else { nil }
        let access = try await ServiceAccess(
            service,
            fleetEngineURL: ready?.file.fleetEngineURL,
            announced: ready.map { AnnouncedEndpoint($0.file, url: $0.file.vehicleTokenURL) },
            settings: settings
        )
        let emulator = service.emulator
        // This task is cancelled when the command ends.
        let keeping = Task {
            if let ready, let emulator { await ready.file.keep(clock, like: emulator) }
        }
        defer { keeping.cancel() }
        let proxies = ProxySettings(environment: ProcessInfo.processInfo.environment)
        try await withLiveHTTPTransport(proxies: proxies) { transport in
            let tokens = TokenProvider(
                source: access.source(transport: transport, clock: clock),
                clock: clock,
                policy: access.policy,
                seed: seed
            )
            let driver = { (script: DriverScript) in
                SimulatedDriver(
                    script: script,
                    provider: provider,
                    baseURL: access.endpoint.baseURL,
                    driverTokens: tokens,
                    operatorToken: {
                        guard let operatorKey else { throw CommandFailure(.usage, "There is no operator's key.") }
                        return try await operatorKey.sign(.server, at: clock.now().wall).revealed
                    },
                    transport: transport,
                    clock: clock,
                    seed: seed,
                    intervals: ReportIntervals(onTrip: interval, idle: idleInterval)
                )
            }
            do {
                var plan: DriverScript.TripPlan?
                if let trip { plan = try Self.plan(try await driver(DriverScript(vehicle: vehicle)).trip(trip)) }
                let script = DriverScript(along: path, vehicle: vehicle, serving: plan, pace: pace)
                try await drive(driver(script))
            } catch let error as DriverError {
                throw Self.failure(error)
            }
            await tokens.close()
        }
    }

    /// Drives until the script ends or a signal arrives.
    ///
    /// A signal still takes the vehicle OFFLINE.
    private func drive(_ driver: SimulatedDriver) async throws {
        let signals = AsyncStream.makeStream(of: Int32.self)
        // Going OFFLINE takes a network call, which may be slow.
        let watchdog = ForcedEnd.watchdog(grace: .seconds(10))
        defer { watchdog.dismiss() }
        let watch = SignalWatch {
            watchdog.receive(signal: $0)
            signals.continuation.yield($0)
        }
        defer { watch.stop() }
        let driving = Task {
            try await driver.drive { news in
                switch news {
                case .online: Printing.out("Vehicle \(shown(vehicle)) is ONLINE.")
                case .moved(let trip, let status):
                    Printing.out("Trip \(shown(trip.rawValue)) is \(status.name).")
                }
            }
        }
        let listening = Task { () -> Int32? in
            for await signal in signals.stream {
                driving.cancel()
                return signal
            }
            return nil
        }
        let result = await driving.result
        listening.cancel()
        if let signal = await listening.value {
            Printing.out("Vehicle \(shown(vehicle)) is OFFLINE.")
            throw CommandFailure.signal(signal)
        }
        do {
            try result.get()
        } catch let error as DriverError {
            throw Self.failure(error)
        }
        Printing.out("Vehicle \(shown(vehicle)) has arrived and is OFFLINE.")
    }

    private func points() throws(CommandFailure) -> [Coordinate] {
        let advice = "It has to be GeoJSON with a LineString, GPX with a track, or an encoded polyline."
        let text = try InputFile.text(route, what: "route", advice: advice)
        do {
            return try RouteFile.points(text)
        } catch {
            let reason =
                switch error {
                case .unknownFormat: "its format is unknown"
                case .broken(let where_): where_
                case .tooShort: "it has fewer than two points"
                case .tooLong(let limit): "it has more than \(limit) points"
                }
            throw CommandFailure(.badInput, "The route \(shown(route)) can't be driven: \(reason).\n\(advice)")
        }
    }

    /// Returns the part of a trip that the driver needs.
    private static func plan(_ trip: Trip) throws(CommandFailure) -> DriverScript.TripPlan {
        guard !trip.status.isTerminal, let pickup = trip.pickup else {
            throw CommandFailure(
                .badInput,
                "The trip \(shown(trip.id.rawValue)) is \(shown(trip.status.name)): there is nothing to drive.\n"
                    + "Name a trip that has not ended and has a pickup."
            )
        }
        var plan = DriverScript.TripPlan(id: trip.id, pickup: pickup, dropoff: trip.dropoff)
        plan.stops = trip.intermediateDestinations
        return plan
    }

    static func failure(_ error: DriverError) -> CommandFailure {
        let words = "The vehicle can't be driven on: \(EmulatorRun.words(error))"
        switch error {
        // The vehicle's own calls succeeded so far, so another client has ended or changed the trip.
        case .refused("UpdateTrip", let status, _) where [400, 409].contains(status):
            return CommandFailure(.badInput, words + "\nLook at the trip: tripshare watch …")
        case .refused(_, let status, _):
            let exit: ExitStatus =
                switch status {
                case 401, 403: .notPermitted
                case 404: .notFound
                case 500...: .unavailable
                default: .badConfiguration
                }
            return CommandFailure(
                exit,
                words + "\nLook at vehicle, project and token: tripshare token fetch --vehicle …"
            )
        case .unreachable(_, .unusableProxy(let reason)):
            return CommandFailure(.badConfiguration, "\(words)\n\(reason.sanitized(limit: 200)).")
        case .unreachable: return CommandFailure(.unavailable, words + "\nIs the Fleet Engine's URL right?")
        case .noToken:
            return CommandFailure(.notPermitted, words + "\nTry: tripshare token fetch --vehicle …")
        case .cancelled: return CommandFailure(.interrupted, "")
        }
    }
}
