import Failures
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel

/// A trip whose events are folded, 5 s apart.
struct JourneyScene {
    static let start = Date(timeIntervalSince1970: 1_773_476_000)

    let id: JourneyID
    var table = JourneyTable()
    /// The trip as the next answer shows it.
    var trip: Trip
    private(set) var state: TripState
    var schedule = PollSchedule(interval: .seconds(5), next: nil)
    private(set) var now = Moment(wall: start, steady: .zero)

    init() throws {
        let own = try TripID("t")
        id = .trip(own)
        trip = Trip(id: own, provider: try ProviderID("p"), status: .enrouteToPickup)
        trip.pickup = Coordinate(latitude: 0, longitude: 0)
        trip.dropoff = Coordinate(latitude: 0, longitude: 0.1)
        trip.vehicleID = try VehicleID("v-1")
        trip.pickupTime = Self.start + 600
        trip.etaToFirstWaypoint = trip.pickupTime
        trip.remainingWaypoints = [
            Waypoint(coordinate: trip.pickup, tripID: own, kind: .pickup),
            Waypoint(coordinate: trip.dropoff, tripID: own, kind: .dropoff),
        ]
        state = TripState(id: id)
    }

    /// The facts of the trip.
    var facts: JourneyFacts? { table[id] }

    /// Records an event, and advances the clock.
    @discardableResult
    mutating func apply(_ event: FeedEvent, after seconds: Double = 5) -> [JourneyChange.Kind] {
        defer { now = now.advanced(by: .seconds(seconds)) }
        return table.apply(event, at: now).map(\.kind)
    }

    @discardableResult
    mutating func apply(
        _ kind: TokenEvent.Kind,
        _ change: (inout TokenStatus) -> Void = { _ in }
    ) -> [JourneyChange.Kind] {
        var status = TokenStatus(state: .fresh, source: "s")
        change(&status)
        let event = TokenEvent(context: .journey(id), at: now, kind: kind, status: status)
        return table.apply(event).map(\.kind)
    }

    /// Records the answer that shows ``trip``; the vehicle has just reported.
    @discardableResult
    mutating func answer(
        serviceAhead: Double? = nil,
        reports: Bool = true,
        token: Int? = nil
    ) -> [JourneyChange.Kind] {
        if reports {
            trip.lastLocation = VehicleLocation(coordinate: Coordinate(latitude: 0, longitude: -0.01))
            trip.lastLocation?.updateTime = now.wall - 2
            trip.lastLocation?.serverTime = now.wall - 1
        }
        var report = PollReport(journey: id, started: now)
        report.serverDate = serviceAhead.map { now.wall + $0 }
        if let token { report.call = call(with: token) }
        report.outcome = .success(.trip(trip))
        state.merge(.trip(trip), of: report)
        return apply(.polled(report, state, schedule))
    }

    /// Returns a call of the program with a token.
    private func call(with token: Int) -> Call {
        let request = Call.Request(resource: "providers/p/trips/t", body: nil)
        return Call(.getTrip, about: "t", request, started: now, ended: now, token: token)
    }

    /// Records a report of the driver with its token.
    @discardableResult
    mutating func report(from vehicle: String, token: Int?, failure: Failure? = nil) -> [JourneyChange.Kind] {
        let call = Call(
            Call.Operation(rawValue: "UpdateVehicle"),
            from: .driver,
            about: "t",
            Call.Request("PUT", "http://h/v1/providers/p/vehicles/\(vehicle)?updateMask=x"),
            started: now,
            ended: now,
            token: token,
            failure: failure
        )
        return apply(.driver(id, call))
    }

    /// Records a failed poll.
    @discardableResult
    mutating func fail(_ failure: Failure) -> [JourneyChange.Kind] {
        var report = PollReport(journey: id, started: now)
        report.outcome = .failure(failure)
        return apply(.polled(report, state, schedule))
    }
}
