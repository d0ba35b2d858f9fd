import ArgumentParser
import Canvas
import Failures
import FleetEmulator
import FleetTokens
import Foundation
import Runtime
import Synchronization
import Terminal
import TokenSigning
import TransportLive
import TripFeed
import TripModel
import TripText

/// `tripshare drive`: simulates the driver's side against any Fleet Engine.
struct DriveCommand: AsyncParsableCommand, ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "drive",
        abstract:
            "Drive a vehicle along a route, or to a place of the demo town, and report its location with a vehicle token.",
        discussion: """
            With --trip it also moves that trip from ENROUTE_TO_PICKUP to COMPLETE, which needs an operator's key. \
            --expect reads the trip with the same key every 5 seconds. Ctrl-C sets the vehicle OFFLINE.

            With --delivery it drives a delivery vehicle to its remaining stops, sets their states and the outcomes of \
            their tasks, and removes each stop when it is done. That needs a trusted driver's token with the claim taskid.
            """
    )

    @Argument(help: ArgumentHelp("The ID of an existing vehicle.", valueName: "vehicle"))
    var vehicle: String

    @Option(help: ArgumentHelp("The route: GeoJSON, GPX, or an encoded polyline of Google Maps.", valueName: "file"))
    var route: String?

    @Flag(help: "Follow the route, a GPX track with a time at each point, at its recorded times, speeds and stops.")
    var asRecorded = false

    @Option(
        help: ArgumentHelp(
            "Drive to this place of the demo town along its streets, as in --to Station.",
            valueName: "place"
        )
    )
    var to: String?

    @Option(
        help: ArgumentHelp(
            "Start at this place of the demo town (default: the vehicle's last position).",
            valueName: "place"
        )
    )
    var from: String?

    @Option(help: ArgumentHelp("Serve this existing trip.", valueName: "trip"))
    var trip: String?

    @Option(
        help: ArgumentHelp("A service-account key that may update trips; needed for --trip.", valueName: "file")
    )
    var operatorAccount: String?

    @Flag(help: "The vehicle is a delivery vehicle: visit its remaining stops, or only drive with --route or --to.")
    var delivery = false

    @Option(
        help: ArgumentHelp("With --delivery: set this task's outcome to FAILED; can be repeated.", valueName: "task")
    )
    var fail: [String] = []

    @OptionGroup var service: ServiceOptions

    @OptionGroup var source: TokenSourceOptions

    @OptionGroup var answer: TokenAnswerOptions

    @Option(help: ArgumentHelp("Seconds between reports on a trip, 5 to 60.", valueName: "seconds"))
    var interval = 5.0

    @Option(help: ArgumentHelp("Seconds between reports without a trip, 5 to 60.", valueName: "seconds"))
    var idleInterval = 10.0

    @Option(
        help: ArgumentHelp(
            "Speed factor: 1 is about 13 m/s on a straight road, or the recorded speed.",
            valueName: "factor"
        )
    )
    var pace = 1.0

    @Option(help: ArgumentHelp("Random seed; the same seed gives the same reports.", valueName: "number"))
    var seed: UInt64 = 1

    @OptionGroup var expectations: ExpectationOptions

    @OptionGroup var network: NetworkOptions

    @OptionGroup var profile: ProfileOptions

    @OptionGroup var debugging: DebuggingOptions

    func validate() throws {
        try require(
            (5...60).contains(interval) && (5...60).contains(idleInterval),
            .usageReportIntervals
        )
        try require((0.1...50).contains(pace), .usagePace)
        let hasWay = route != nil || to != nil
        try require(
            (hasWay || delivery) && (route == nil || to == nil) && (from == nil || to != nil),
            .usageRouteOrPlace
        )
        let isForTrips = trip != nil || operatorAccount != nil || expectations.expect != nil || asRecorded
        try require(!delivery || !isForTrips, .usageDelivery)
        try require(fail.isEmpty || delivery && !hasWay, .usageDelivery)
        try require(!asRecorded || route != nil, .usageAsRecorded)
        try require((trip == nil) == (operatorAccount == nil), .usageTripAndOperator)
        try require(expectations.expect == nil || trip != nil, .usageExpectTrip)
    }

    func run() async throws {
        let settings = try profile.settings()
        let (emulator, clock) = try ReadyFile.join(service.emulator)
        let ready = emulator?.ready
        let vehicle: DrivenVehicle =
            delivery
            ? .ofDeliveries(try TokenSubject.checked(self.vehicle, .nounDeliveryVehicle, DeliveryVehicleID.init))
            : .ofTrips(try TokenSubject.checked(self.vehicle, .nounVehicle, VehicleID.init))
        let failing = Set(try fail.map { try TokenSubject.checked($0, .nounTask, TaskID.init) })
        let trip = try trip.map { try TokenSubject.checked($0, .nounTrip, TripID.init) }
        guard let project = settings.resolve(\.providerID, service.providerId, ready?.providerId) else {
            throw CommandFailure(.usage, .failureNoProject)
        }
        let provider = try TokenSubject.checked(project, .nounProvider, ProviderID.init)
        let track = asRecorded ? try route.map { try read($0, .adviceRecordedRoute, RouteFile.track) } : nil
        let file = asRecorded ? nil : try route.map { StreetPath(try read($0, .adviceRoute, RouteFile.points)) }
        let (start, end) = (try from.map(Self.stop), try to.map(Self.stop))
        let operatorKey: ServiceAccountKey? =
            if let operatorAccount { try await TokenOrigin.key(operatorAccount) } else { nil }
        // A mistake in the file ends the command before the first call.
        let expected = try expectations.expect.map { try ExpectationFile.read(at: $0, trips: trip.map { [.trip($0)] }) }
        let access = try await ServiceAccess(
            self,
            fleetEngineURL: ready?.fleetEngineURL,
            announced: ready.map { AnnouncedEndpoint($0, for: vehicle) },
            iamURL: ready?.iamURL,
            settings: settings,
            configured: settings.endpoint(\.tokenURL)
        )
        // This task is cancelled when the command ends.
        let keeping = Task {
            if let emulator { await emulator.ready.keep(clock, like: emulator.path) }
        }
        defer { keeping.cancel() }
        try await withLiveHTTPTransport(network.connections(settings)) { transport in
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
                    backendToken: { _ in
                        guard let operatorKey else { throw CommandFailure(.usage, .failureNoOperatorKey) }
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
                if let trip { plan = try Self.plan(try await driver(DriverScript(vehicle)).trip(trip)) }
                let script: DriverScript
                if delivery, file == nil, end == nil {
                    let known = try await driver(DriverScript(vehicle)).deliveryVehicle()
                    script = try visit(known, failing: failing)
                } else if let track {
                    script = try Self.script(track, vehicle: vehicle, serving: plan, pace: pace)
                } else {
                    var way = file
                    if let end {
                        let position =
                            if let start { start } else { try await driver(DriverScript(vehicle)).position() }
                        way = position.flatMap { Town.demo.streets.path(from: $0, to: end) }
                    }
                    guard let way else {
                        throw CommandFailure(.badInput, .failureNotInTown(vehicle: shown(self.vehicle)))
                    }
                    script = DriverScript(along: way, vehicle: vehicle, serving: plan, pace: pace)
                }
                guard let expected, let trip, let operatorKey else {
                    try await drive(driver(script))
                    await tokens.close()
                    return
                }
                let checks = DriveExpectations(
                    expected,
                    reportPath: expectations.report,
                    journey: .trip(trip),
                    provider: provider,
                    at: access.endpoint,
                    key: operatorKey,
                    transport: transport,
                    clock: clock,
                    seed: seed
                )
                try await checks.judge { try await drive(driver(script)) }
            } catch let error as DriverError {
                throw Self.failure(error, ofDeliveries: delivery)
            }
            await tokens.close()
        }
    }

    /// Drives until the script ends, a signal arrives or the reader of the output is gone (`| head`).
    ///
    /// Each of them takes the vehicle OFFLINE, if the service accepts that.
    private func drive(_ driver: SimulatedDriver) async throws {
        // Going OFFLINE takes a network call, which may be slow.
        try await SignalWatch.withSignals(grace: .seconds(10)) { signals in
            let isUnread = Locked(false)
            let isOffline = Locked(false)
            let driving = Task {
                try await driver.drive { event in
                    if event == .offline { isOffline.withLock { $0 = true } }
                    if let warning = EmulatorRun.warning(event, about: name) { Printing.warning(warning) }
                    guard let words = words(event) else { return }
                    Printing.out(words) {
                        isUnread.withLock { $0 = true }
                        // This is the task of the drive.
                        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                    }
                }
            }
            let listening = Task { () -> Int32? in
                for await signal in signals {
                    driving.cancel()
                    return signal
                }
                return nil
            }
            let result = await driving.result
            listening.cancel()
            if let signal = await listening.value {
                // The failure of the last report has already said that it is not OFFLINE.
                if delivery {
                    Printing.out("\(name) sends no more reports.")
                } else if isOffline.withLock({ $0 }) {
                    Printing.out("\(name) is OFFLINE.")
                }
                throw CommandFailure.signal(signal)
            }
            do { try result.get() } catch DriverError.cancelled where isUnread.withLock({ $0 }) { return }
            Printing.out(delivery ? "\(name) has arrived." : "\(name) has arrived and is OFFLINE.")
        }
    }

    /// Returns the script for the remaining stops of a delivery vehicle; throws a ``CommandFailure`` for a task that it does not
    /// have.
    private func visit(_ known: DeliveryVehicle, failing: Set<TaskID>) throws(CommandFailure) -> DriverScript {
        guard let script = DriverScript(visitingStopsOf: known, failing: failing, pace: pace) else {
            throw CommandFailure(.badInput, .failureNoStops(vehicle: shown(vehicle)))
        }
        let tasks = script.stops.flatMap(\.tasks)
        if let unknown = failing.subtracting(tasks).map(\.rawValue).min() {
            let names = tasks.map { shown($0.rawValue) }.joined(separator: ", ")
            throw CommandFailure(
                .badInput,
                .failureNoTask(vehicle: shown(vehicle), task: shown(unknown), names: names)
            )
        }
        return script
    }

    /// Returns the place on a street of the demo town for a name.
    private static func stop(_ name: String) throws(CommandFailure) -> Coordinate {
        guard let stop = Town.demo.stop(at: name) else {
            let names = Town.demo.places.sorted { $0.rank < $1.rank }.map(\.name).joined(separator: ", ")
            throw CommandFailure(.notFound, .failureNoPlace(name: excerpt(value: name), names: names))
        }
        return stop
    }

    /// Returns the script that follows a recording; throws a ``CommandFailure`` if it does not pass a stop of the trip.
    private static func script(
        _ track: RecordedTrack,
        vehicle: DrivenVehicle,
        serving plan: DriverScript.TripPlan?,
        pace: Double
    ) throws(CommandFailure) -> DriverScript {
        do throws(DriverScript.StopOffTrack) {
            return try DriverScript(recorded: track, vehicle: vehicle, serving: plan, pace: pace)
        } catch {
            let (place, trip) = (error.stop.place, error.stop.trip)
            let position = "\(place.latitude), \(place.longitude)"
            throw CommandFailure(.badInput, .failureStopOffTrack(trip: excerpt(trip.rawValue), stop: position))
        }
    }

    /// Reads a route file; the advice says what it must be.
    private func read<Content>(
        _ route: String,
        _ advice: Text,
        _ content: (String) throws(RouteFile.Problem) -> Content
    ) throws(CommandFailure) -> Content {
        let text = try InputFile.text(route, what: .nounRoute, advice: advice)
        do {
            return try content(text)
        } catch {
            throw CommandFailure(.badInput) { localizer in
                let reason =
                    switch error {
                    case .unknownFormat: localizer(.routeUnknownFormat)
                    case .broken(let detail): detail
                    case .tooShort: localizer(.routeTooShort)
                    case .tooLong(let limit): localizer(.routeTooLong(limit: String(limit)))
                    case .noTime(nil): localizer(.routeNoTimes)
                    case .noTime(let point?): localizer(.routeNoTime(number: String(point)))
                    case .timeGoesBack(let point): localizer(.routeTimeBack(number: String(point)))
                    }
                return localizer(
                    .failureRoute(file: excerpt(path: route), reason: reason, advice: localizer(advice))
                )
            }
        }
    }

    /// Returns the part of a trip that the driver needs.
    private static func plan(_ trip: Trip) throws(CommandFailure) -> DriverScript.TripPlan {
        guard !trip.status.isTerminal, let pickup = trip.pickup else {
            throw CommandFailure(
                .badInput,
                .failureNothingToDrive(trip: excerpt(trip.id.rawValue), status: excerpt(trip.status.name))
            )
        }
        var plan = DriverScript.TripPlan(id: trip.id, pickup: pickup, dropoff: trip.dropoff)
        plan.stops = trip.intermediateDestinations
        return plan
    }
}
