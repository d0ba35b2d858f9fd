import Failures
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel

/// An active trip, answers about it one interval apart, and the findings about them.
struct FindingScene {
    let start = Moment(wall: Date(timeIntervalSince1970: 1_773_476_000), steady: .zero)
    let base: Trip
    private(set) var state: TripState
    private(set) var detector: FindingDetector
    private(set) var now: Moment
    let interval = Duration.seconds(5)

    init(limits: FindingLimits = FindingLimits()) throws {
        var trip = Trip(id: try TripID("t"), provider: try ProviderID("p"), status: .enrouteToDropoff)
        trip.vehicleID = try VehicleID("v")
        trip.pickup = Coordinate(latitude: 0, longitude: 0)
        trip.dropoff = Coordinate(latitude: 0, longitude: 0.1)
        trip.pickupTime = start.wall.addingTimeInterval(-60)
        trip.dropoffTime = start.wall.addingTimeInterval(600)
        trip.etaToFirstWaypoint = trip.dropoffTime
        trip.remainingDistance = Distance(meters: 11_119)
        trip.remainingWaypoints = [Waypoint(coordinate: trip.dropoff, tripID: trip.id, kind: .dropoff)]
        trip.route = Route([Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 0, longitude: 0.1)])
        trip.routeVersion = Version("1")
        trip.lastLocation = VehicleLocation(coordinate: Coordinate(latitude: 0, longitude: 0))
        trip.lastLocation?.updateTime = start.wall.addingTimeInterval(-1)
        trip.lastLocation?.serverTime = start.wall.addingTimeInterval(-0.5)
        base = trip
        state = TripState(id: .trip(trip.id))
        detector = FindingDetector(journey: .trip(trip.id), provider: trip.provider, limits: limits)
        now = start
    }

    /// The trip some time after the start: the vehicle drives at 13 m/s and reports every second.
    func healthy(after seconds: Double) -> Trip {
        var trip = base
        trip.lastLocation?.coordinate = Coordinate(latitude: 0, longitude: seconds * 13 / 111_195)
        trip.lastLocation?.updateTime = start.wall.addingTimeInterval(seconds - 1)
        trip.lastLocation?.serverTime = start.wall.addingTimeInterval(seconds - 0.5)
        trip.remainingDistance = Distance(meters: 11_119 - seconds * 13)
        return trip
    }

    /// Examines the healthy answer that is due now, after changing it, and advances by an interval.
    ///
    /// - Parameters:
    ///   - token: The status of the token.
    ///   - serviceAhead: The service's clock minus the local clock, in seconds.
    ///   - cache: The headers of a cache.
    ///   - change: Changes the answer.
    /// - Returns: The findings.
    mutating func answer(
        token: TokenStatus? = nil,
        serviceAhead: Double? = nil,
        cache: CacheEvidence? = nil,
        _ change: (inout Trip) -> Void = { _ in }
    ) -> [Finding] {
        var trip = healthy(after: now.steady.seconds)
        change(&trip)
        var report = PollReport(journey: .trip(base.id), started: now)
        report.outcome = .success(.trip(trip))
        state.merge(.trip(trip), serverDate: serviceAhead.map { now.wall + $0 }, cache: cache, at: now)
        return examine(report, token: token)
    }

    /// Examines a failure and advances the clock.
    mutating func fail(_ failure: Failure, after delay: Duration = .seconds(5)) -> [Finding] {
        var report = PollReport(journey: .trip(base.id), started: now)
        report.outcome = .failure(failure)
        return examine(report, token: nil, next: delay)
    }

    private mutating func examine(_ report: PollReport, token: TokenStatus?, next: Duration? = nil) -> [Finding] {
        defer { now = now.advanced(by: next ?? interval) }
        let token = token.map(ExaminedToken.init) ?? ExaminedToken()
        return detector.examine(report, state: state, token: token, interval: interval)
    }
}
