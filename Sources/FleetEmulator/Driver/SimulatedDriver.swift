package import FleetTokens
import FleetWire
import Foundation
package import HTTPTransport
package import TripModel

/// Drives as a script says: a driver's app that reports its vehicle, and an operator who moves the trips along.
///
/// It reaches the service over HTTP alone: the vehicle's reports carry a token of the provider's for the vehicle, what an
/// operator does carries an operator's token.
package struct SimulatedDriver: Sendable {
    private let script: DriverScript
    private let client: DriverClient
    private let control: DriverControl
    private let captions: SceneCaptions
    private let intervals: ReportIntervals
    private let seed: UInt64

    /// A driver of one vehicle.
    package init(
        script: DriverScript,
        provider: ProviderID,
        baseURL: String,
        driverTokens: TokenProvider,
        operatorToken: @escaping @Sendable () async throws -> String,
        transport: HTTPTransport,
        clock: any TripClock,
        seed: UInt64,
        control: DriverControl = DriverControl(),
        captions: SceneCaptions = SceneCaptions(),
        intervals: ReportIntervals = ReportIntervals()
    ) {
        self.script = script
        self.seed = seed
        self.control = control
        self.captions = captions
        self.intervals = intervals
        client = DriverClient(
            baseURL: baseURL,
            provider: provider,
            vehicle: script.vehicle,
            driverTokens: driverTokens,
            operatorToken: operatorToken,
            transport: transport,
            clock: clock
        )
    }

    /// Creates the vehicle and its trips; that they exist already is fine.
    package func prepare() async throws(DriverError) {
        try await OperatorCalls(client: client).create(script)
        for trip in script.trips { try await OperatorCalls(client: client).create(trip) }
    }

    /// A trip that is there already, asked for with the operator's token.
    package func trip(_ id: TripID) async throws(DriverError) -> Trip {
        try await client.trip(id)
    }

    /// Drives to the end of the script and goes OFFLINE; also when the task is cancelled.
    ///
    /// - Parameter tell: Is told of what the service has taken.
    /// - Throws: ``DriverError`` for what keeps it from driving on.
    package func drive(
        telling tell: @escaping @Sendable (DriverNews) -> Void = { _ in }
    ) async throws(DriverError) {
        var run = DriverRun(
            script: script,
            client: client,
            control: control,
            captions: captions,
            intervals: intervals,
            random: SeededGenerator(seed: seed),
            tell: tell
        )
        do {
            try await run.all()
        } catch {
            await goOffline()
            throw error
        }
        try await client.report(DriverReport(vehicleState: "OFFLINE"))
    }

    /// Says OFFLINE, once, in a task of its own, as the one that drives may be cancelled; waited for here.
    private func goOffline() async {
        let client = client
        let farewell = Task { try await client.report(DriverReport(vehicleState: "OFFLINE"), attempts: 1) }
        // The ride is over in any case; that nobody could be told is no other failure than the one that ended it.
        _ = await farewell.result
    }
}

/// What a driver has done, and the service has taken.
package enum DriverNews: Sendable, Equatable {
    /// The vehicle is there to be assigned.
    case online
    /// A trip has another status.
    case moved(TripID, TripStatus)
}

/// How often a driver's app reports, in seconds of the ride's clock.
package struct ReportIntervals: Sendable, Equatable {
    /// On a trip; 5 … 60.
    package let onTrip: Double
    /// Without one; 5 … 60.
    package let idle: Double

    /// Takes intervals, held within 5 to 60 seconds as the Driver SDK does.
    package init(onTrip: Double = 5, idle: Double = 10) {
        self.onTrip = min(max(onTrip, 5), 60)
        self.idle = min(max(idle, 5), 60)
    }
}
