package import FleetTokens
import FleetWire
import Foundation
package import HTTPTransport
package import TripModel

/// Drives a ride: a driver's app that reports its vehicle, and an operator who moves the trip along.
///
/// It reaches the service over HTTP alone: the vehicle's reports carry a token of the provider's for the vehicle, what an
/// operator does carries an operator's token.
package struct SimulatedDriver: Sendable {
    /// Between two reports on a trip, and when idle.
    static let reportInterval = (onTrip: 5.0, idle: 10.0)

    private let plan: RidePlan
    private let trip: TripID
    private let client: DriverClient
    private let seed: UInt64

    /// A driver of one vehicle who serves one trip.
    package init(
        plan: RidePlan,
        provider: ProviderID,
        trip: TripID,
        vehicle: VehicleID,
        baseURL: String,
        driverTokens: TokenProvider,
        operatorToken: @escaping @Sendable () async throws -> String,
        transport: HTTPTransport,
        clock: any TripClock,
        seed: UInt64
    ) {
        self.plan = plan
        self.trip = trip
        self.seed = seed
        client = DriverClient(
            baseURL: baseURL,
            provider: provider,
            vehicle: vehicle,
            driverTokens: driverTokens,
            operatorToken: operatorToken,
            transport: transport,
            clock: clock
        )
    }

    /// Creates the vehicle and the trip; that they exist already is fine.
    package func prepare() async throws(DriverError) {
        struct NewVehicle: Encodable {
            struct Kind: Encodable {
                var category = "AUTO"
            }

            var vehicleState = "OFFLINE"
            var supportedTripTypes = ["EXCLUSIVE"]
            var maximumCapacity = 4
            var vehicleType = Kind()
        }
        struct NewTrip: Encodable {
            var tripType = "EXCLUSIVE"
            var numberOfPassengers = 1
            var pickupPoint: DriverReport.Place.Terminal
            var dropoffPoint: DriverReport.Place.Terminal
        }
        guard let pickup = plan.pickup, let dropoff = plan.dropoff else { return }
        let base = "/v1/providers/\(PercentEncoding.encode(client.provider.rawValue))"
        let vehicle = PercentEncoding.encode(client.vehicle.rawValue)
        try await client.operate("CreateVehicle", "POST", "\(base)/vehicles?vehicleId=\(vehicle)", NewVehicle())
        try await client.operate(
            "CreateTrip",
            "POST",
            "\(base)/trips?tripId=\(PercentEncoding.encode(trip.rawValue))",
            NewTrip(
                pickupPoint: .init(point: DriverReport.LatLng(pickup)),
                dropoffPoint: .init(point: DriverReport.LatLng(dropoff))
            )
        )
    }

    /// Drives to the end of the trip and goes OFFLINE; also when the task is cancelled.
    package func drive() async throws(DriverError) {
        do {
            try await driveToEnd()
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

    private func driveToEnd() async throws(DriverError) {
        var random = SeededGenerator(seed: seed)
        let begin = client.clock.now().steady.seconds
        if let start = plan.start {
            try await client.report(
                DriverReport(vehicleState: "ONLINE", lastLocation: location(at: start, heading: nil, speed: 0, &random))
            )
        }
        try await wait(until: begin + plan.assignedAfter)
        try await updateTrip(TripChange(vehicleId: client.vehicle.rawValue), mask: "vehicleId")
        try await sendRoute(of: plan.approach, to: .pickup)
        try await wait(until: begin + plan.startsAfter)
        try await move(to: .enrouteToPickup)
        let atPickup = try await drive(plan.approach, to: .pickup, from: begin + plan.startsAfter, &random)
        try await move(to: .arrivedAtPickup)
        try await stand(at: plan.approach, until: atPickup + plan.waits, &random)
        try await move(to: .enrouteToDropoff)
        try await sendRoute(of: plan.ride, to: .dropoff)
        _ = try await drive(plan.ride, to: .dropoff, from: atPickup + plan.waits, &random)
        try await move(to: .complete)
    }

    /// Reports along a leg every five seconds; the time of arrival.
    private func drive(
        _ leg: RidePlan.Leg,
        to kind: Waypoint.Kind,
        from start: Double,
        _ random: inout SeededGenerator
    ) async throws(DriverError) -> Double {
        let end = start + leg.duration
        var next = start
        while true {
            let now = max(next, client.clock.now().steady.seconds)
            // At the end exactly the leg's duration: a difference of sums may miss it by a rounding error.
            let elapsed = now < end ? now - start : leg.duration
            try await client.report(report(on: leg, at: elapsed, &random))
            guard now < end else { return end }
            next = min(end, now + Self.reportInterval.onTrip)
            try await wait(until: next)
        }
    }

    /// Stands at the end of a leg and goes on reporting, so that nobody takes the vehicle for lost.
    private func stand(
        at leg: RidePlan.Leg,
        until time: Double,
        _ random: inout SeededGenerator
    ) async throws(DriverError) {
        while true {
            let next = min(time, client.clock.now().steady.seconds + Self.reportInterval.onTrip)
            try await wait(until: next)
            guard next < time else { return }
            // What is left and the state of the navigation were said on arrival.
            let standing = report(on: leg, at: leg.duration, &random)
            try await client.report(DriverReport(vehicleState: "ONLINE", lastLocation: standing.lastLocation))
        }
    }

    private func report(
        on leg: RidePlan.Leg,
        at elapsed: Double,
        _ random: inout SeededGenerator
    ) -> DriverReport {
        let offset = leg.offset(at: elapsed)
        let speed = leg.offset(at: elapsed + 0.5) - leg.offset(at: elapsed - 0.5)
        var report = DriverReport(vehicleState: "ONLINE")
        if let here = leg.route.position(at: offset)?.coordinate {
            let ahead = leg.route.position(at: offset + 5)?.coordinate ?? here
            let behind = leg.route.position(at: offset - 5)?.coordinate ?? here
            let heading = behind == ahead ? nil : Int(behind.bearing(to: ahead).rounded()) % 360
            report.lastLocation = location(at: here, heading: heading, speed: speed, &random)
        }
        let left = max(0, leg.duration - elapsed)
        // A navigation app does not know how long each light will be red: its forecast is a little off.
        let forecast = left * Double.random(in: 0.96...1.04, using: &random)
        report.remainingTimeSeconds = Int(forecast.rounded())
        report.remainingDistanceMeters = Int((leg.route.length.meters - offset).rounded())
        if left == 0 { report.navigationStatus = "ARRIVED_AT_DESTINATION" }
        return report
    }

    private func location(
        at point: Coordinate,
        heading: Int?,
        speed: Double,
        _ random: inout SeededGenerator
    ) -> DriverReport.Location {
        let time = Timestamp.text(client.clock.now().wall)
        let noise = { (random: inout SeededGenerator) in Double.random(in: -4e-5...4e-5, using: &random) }
        let raw = Coordinate(latitude: point.latitude + noise(&random), longitude: point.longitude + noise(&random))
        let accuracy = Double.random(in: 2.2...5.5, using: &random)
        return DriverReport.Location(
            location: DriverReport.LatLng(point),
            heading: heading,
            speed: max(0, (speed * 10).rounded() / 10),
            latlngAccuracy: (accuracy * 10).rounded() / 10,
            updateTime: time,
            rawLocation: DriverReport.LatLng(raw),
            rawLocationTime: time,
            rawLocationAccuracy: (accuracy * 12).rounded() / 10
        )
    }

    private func sendRoute(of leg: RidePlan.Leg, to kind: Waypoint.Kind) async throws(DriverError) {
        guard let end = leg.route.points.last else { return }
        var report = DriverReport(vehicleState: "ONLINE")
        report.currentRouteSegment = S2Polyline.encode(leg.route.points)
        report.currentRouteSegmentEndPoint = DriverReport.Place(
            location: .init(point: DriverReport.LatLng(end)),
            tripId: trip.rawValue,
            waypointType: kind.name
        )
        let stretches = leg.slow.map {
            [
                DriverReport.TrafficData.Stretch(
                    offsetMeters: Int($0.lowerBound),
                    lengthMeters: Int($0.upperBound - $0.lowerBound)
                )
            ]
        }
        report.currentRouteSegmentTraffic = .init(trafficRendering: .init(roadStretch: stretches ?? []))
        report.remainingTimeSeconds = Int(leg.duration.rounded())
        report.remainingDistanceMeters = Int(leg.route.length.meters.rounded())
        report.navigationStatus = "ENROUTE_TO_DESTINATION"
        try await client.report(report)
    }

    private struct TripChange: Encodable {
        var tripStatus: String?
        var vehicleId: String?
    }

    private func move(to status: TripStatus) async throws(DriverError) {
        try await updateTrip(TripChange(tripStatus: status.name), mask: "tripStatus")
    }

    private func updateTrip(_ change: TripChange, mask: String) async throws(DriverError) {
        let path = ResourceName.trip(client.provider, trip).path
        try await client.operate("UpdateTrip", "PUT", "/v1/\(path)?updateMask=\(mask)", change)
    }

    /// Waits until a reading of the steady clock, in seconds.
    private func wait(until time: Double) async throws(DriverError) {
        let left = time - client.clock.now().steady.seconds
        guard left > 0 else { return }
        try await client.pause(.seconds(left))
    }
}
