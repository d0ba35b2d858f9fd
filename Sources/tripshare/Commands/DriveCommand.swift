import ArgumentParser
import Canvas
import Failures
import FleetEmulator
import FleetTokens
import Foundation
import Runtime
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
        let synchronization = Task {
            if let emulator { await emulator.ready.synchronize(clock, with: emulator.path) }
        }
        defer { synchronization.cancel() }
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
}
