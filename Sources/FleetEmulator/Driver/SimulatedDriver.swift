package import Failures
import FleetEngineProtos
package import FleetTokens
import FleetWire
import Foundation
package import Runtime
package import TripModel

/// Executes a script as a driver app, which reports its vehicle, and as an operator, who updates the trips.
///
/// It uses HTTP only. The vehicle's reports contain a driver token from the provider. The calls of the operator, the backend
/// of the vehicle's provider, contain a token of the backend.
package struct SimulatedDriver: Sendable {
    private let script: DriverScript
    private var client: DriverClient
    private let control: DriverControl
    private let captions: SceneCaptions
    private let intervals: ReportIntervals
    private let seed: UInt64

    /// Creates the driver of one vehicle.
    ///
    /// Without `intervals` it reports at the intervals of its kind of vehicle. With `isPatient` it also waits for a service that
    /// has not accepted any call yet. `onCall` gets each completed call of the driver, and the trips and shipments that it is
    /// about.
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
        isPatient: Bool = false,
        onCall: @escaping @Sendable (Call, Set<JourneyID>) -> Void = { _, _ in }
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
        client.isPatient = isPatient
    }

    /// The vehicle.
    var vehicle: DrivenVehicle { script.vehicle }

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
    /// While calls fail for a reason that may pass, it drives on: it repeats what must not be lost, and drops positions, which
    /// the next ones replace.
    ///
    /// - Parameter onEvent: Called in the calling task with each change.
    /// - Throws: ``DriverError`` if the drive cannot continue.
    package func drive(
        onEvent: @escaping @Sendable (DriverEvent) -> Void = { _ in }
    ) async throws(DriverError) {
        var client = client
        (client.retry, client.outage, client.onEvent) = (.untilAnswered, DriverOutage(), onEvent)
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
            try await client.report(VehicleMessage(.offline))
        } catch {
            await goOffline(client)
            throw error
        }
        if script.vehicle.ofDeliveries == nil { onEvent(.offline) }
    }

    /// Sends OFFLINE once, and reports what came of it and what has not been sent.
    ///
    /// It uses its own task, because the calling task may be cancelled, and waits for it here.
    private func goOffline(_ client: DriverClient) async {
        if script.vehicle.ofDeliveries == nil {
            let report = Task {
                let report = VehicleMessage(.offline)
                try await client.report(report, retry: .attempts(1), timeout: Self.lastTimeout)
            }
            // A failed OFFLINE report must not replace the error that ended the ride.
            switch await report.result {
            case .success: client.onEvent(.offline)
            case .failure(let error): client.onEvent(.notOffline(error as? DriverError ?? .cancelled))
            }
        }
        if let event = client.outage.end(at: client.clock.now().steady) { client.onEvent(event) }
    }

    /// The timeout of the last report in real time, shorter than what a signal leaves a program.
    private static let lastTimeout = Duration.seconds(8)
}

/// A change made by a driver and accepted by the service, or what became of a call.
package enum DriverEvent: Sendable, Equatable {
    /// The vehicle is ONLINE and can be assigned.
    case online
    /// A trip has a new status.
    case moved(TripID, TripStatus)
    /// A delivery vehicle is on its way to the stop with these tasks, or has arrived there.
    case stop([TaskID], VehicleStop.State)
    /// The driver has set the outcome of a task.
    case outcome(TaskID, DeliveryTask.Outcome)
    /// The vehicle is OFFLINE.
    case offline
    /// The last report, with the state OFFLINE, was not accepted.
    case notOffline(DriverError)
    /// A call failed for a reason that may pass, and the driver goes on.
    case interrupted(DriverError)
    /// The service accepts calls again; the positions were not sent, everything else was.
    case restored(positions: Int, after: Duration)
    /// What has not been sent at the end: positions, and the call that was being repeated.
    case unsent(positions: Int, call: String?, after: Duration)
}

/// The report intervals of a driver app, in seconds of the ride's clock.
package struct ReportIntervals: Sendable, Equatable {
    /// With a trip; 5 … 60.
    package let onTrip: Double
    /// Without a trip; 5 … 60.
    package let idle: Double

    /// The intervals of a delivery vehicle; a position of 30 s counts as old, also while the vehicle stands at a stop.
    package static let deliveries = ReportIntervals(onTrip: 10, idle: 20)

    /// Clamps the intervals to 5 … 60 seconds as the Driver SDK does.
    package init(onTrip: Double = 5, idle: Double = 10) {
        self.onTrip = min(max(onTrip, 5), 60)
        self.idle = min(max(idle, 5), 60)
    }
}
