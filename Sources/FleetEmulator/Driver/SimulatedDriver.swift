package import FleetTokens
import FleetWire
import Foundation
package import Runtime
package import Transport
package import TripModel

/// Executes a script as a driver app, which reports its vehicle, and as an operator, who updates the trips.
///
/// It uses HTTP only. The vehicle's reports contain a driver token from the provider. The calls of the operator, the backend
/// of the vehicle's provider, contain a token of the backend.
package struct SimulatedDriver: Sendable {
    private let script: DriverScript
    private let client: DriverClient
    private let control: DriverControl
    private let captions: SceneCaptions
    private let intervals: ReportIntervals
    private let seed: UInt64

    /// Creates the driver of one vehicle.
    ///
    /// Without `intervals` it reports at those of the kind of its vehicle. `onCall` gets each completed call of the driver,
    /// and the trips and shipments that it is about.
    package init(
        script: DriverScript,
        provider: ProviderID,
        baseURL: String,
        driverTokens: TokenProvider,
        backendToken: @escaping @Sendable (BackendToken) async throws -> String,
        transport: HTTPTransport,
        clock: any TripClock,
        seed: UInt64,
        control: DriverControl = DriverControl(),
        captions: SceneCaptions = SceneCaptions(),
        intervals: ReportIntervals? = nil,
        onCall: @escaping @Sendable (DriverCall, Set<TripID>) -> Void = { _, _ in }
    ) {
        self.script = script
        self.seed = seed
        self.control = control
        self.captions = captions
        self.intervals = intervals ?? (script.vehicle.ofDeliveries == nil ? ReportIntervals() : .deliveries)
        client = DriverClient(
            baseURL: baseURL,
            provider: provider,
            vehicle: script.vehicle,
            driverTokens: driverTokens,
            backendToken: backendToken,
            transport: transport,
            clock: clock,
            onCall: onCall
        )
    }

    /// Creates the vehicle and its trips or tasks, unless they exist.
    package func prepare() async throws(DriverError) {
        guard script.vehicle.ofDeliveries == nil else { return try await DeliveryCalls(client: client).prepare(script) }
        try await OperatorCalls(client: client).create(script)
        for trip in script.trips { try await OperatorCalls(client: client).create(trip) }
    }

    /// Fetches an existing trip with the operator token.
    package func trip(_ id: TripID) async throws(DriverError) -> Trip {
        try await client.trip(id)
    }

    /// Fetches the last position of the vehicle with the driver's token; `nil` if it has none.
    package func position() async throws(DriverError) -> Coordinate? {
        try await client.position()
    }

    /// Fetches the delivery vehicle with the driver's token.
    package func deliveryVehicle() async throws(DriverError) -> DeliveryVehicle {
        try await client.deliveryVehicle()
    }

    /// Executes the script and goes OFFLINE, also if the task is cancelled; a delivery vehicle has no such state.
    ///
    /// - Parameter onEvent: Called in the calling task with each change that the service has accepted.
    /// - Throws: ``DriverError`` if the drive cannot continue.
    package func drive(
        onEvent: @escaping @Sendable (DriverEvent) -> Void = { _ in }
    ) async throws(DriverError) {
        var run = DriverRun(
            script: script,
            client: client,
            control: control,
            captions: captions,
            intervals: intervals,
            random: SeededGenerator(seed: seed),
            onEvent: onEvent
        )
        defer { control.progress.ends(script.vehicle) }
        do {
            try await run.all()
        } catch {
            await goOffline()
            throw error
        }
        try await client.report(DriverReport(vehicleState: "OFFLINE"))
    }

    /// Sends OFFLINE once.
    ///
    /// It uses its own task, because the calling task may be cancelled, and waits for it here.
    private func goOffline() async {
        let client = client
        let report = Task { try await client.report(DriverReport(vehicleState: "OFFLINE"), attempts: 1) }
        // A failed OFFLINE report must not replace the error that ended the ride.
        _ = await report.result
    }
}

/// A change made by a driver and accepted by the service.
package enum DriverEvent: Sendable, Equatable {
    /// The vehicle is ONLINE and can be assigned.
    case online
    /// A trip has a new status.
    case moved(TripID, TripStatus)
    /// A delivery vehicle is on its way to the stop with these tasks, or has arrived there.
    case stop([TaskID], VehicleStop.State)
    /// The driver has set the outcome of a task.
    case outcome(TaskID, DeliveryTask.Outcome)
}

/// The report intervals of a driver app, in seconds of the ride's clock.
package struct ReportIntervals: Sendable, Equatable {
    /// With a trip; 5 … 60.
    package let onTrip: Double
    /// Without a trip; 5 … 60.
    package let idle: Double

    /// Those of a delivery vehicle.
    package static let deliveries = ReportIntervals(onTrip: 10, idle: 30)

    /// Clamps the intervals to 5 … 60 seconds as the Driver SDK does.
    package init(onTrip: Double = 5, idle: Double = 10) {
        self.onTrip = min(max(onTrip, 5), 60)
        self.idle = min(max(idle, 5), 60)
    }
}
