import FleetTokens
import FleetWire
import TripModel

/// The data of a ``ProjectFeed`` about one trip.
struct SweptTrip: Sendable {
    private var trip: PolledTrip
    /// When the route, the waypoints and the ETA were last received.
    private var detailed: Duration?

    /// The time after which the details of a vehicle that moves are removed rather than shown as current.
    private static let longestDetail = Duration.seconds(120)

    /// Creates a trip without an answer.
    init(_ id: TripID, provider: ProviderID, limits: FindingLimits, trailLength: Int) {
        let detector = FindingDetector(trip: id, provider: provider, limits: limits)
        trip = PolledTrip(id, detector, trailLength: trailLength)
    }

    /// The merged state.
    var state: TripState { trip.state }

    /// Merges a trip that a search has listed; the report is that of its page.
    mutating func merge(_ found: Trip, of page: SearchReport) -> PollReport {
        var report = PollReport(trip: found.id, started: page.started)
        report.call = .searchTrips
        report.isByServer = true
        report.url = page.url
        report.remoteCall = page.remoteCall
        report.finished = page.finished
        report.latency = page.latency
        report.httpStatus = page.httpStatus
        report.grpcStatus = page.grpcStatus
        (report.serverDate, report.cacheAge) = (page.serverDate, page.cacheAge)
        report.cache = page.cache
        report.outcome = .success(found)
        trip.merge(completed(found, at: page.finished.steady), of: report)
        return report
    }

    /// Returns a listed trip with the details of the last answer, which a search does not return.
    private func completed(_ found: Trip, at now: Duration) -> Trip {
        guard let known = state.trip, known.status == found.status, known.vehicleID == found.vehicleID,
            let detailed, now - detailed < Self.longestDetail || known.lastLocation == found.lastLocation
        else { return found }
        var trip = found
        trip.remainingWaypoints = known.remainingWaypoints
        trip.remainingDistance = known.remainingDistance
        trip.etaToFirstWaypoint = known.etaToFirstWaypoint
        trip.remainingTime = known.remainingTime
        trip.route = known.route
        trip.routeVersion = known.routeVersion
        trip.routeEnd = known.routeEnd
        trip.traffic = known.traffic
        trip.trafficVersion = known.trafficVersion
        trip.remainingWaypointsVersion = known.remainingWaypointsVersion
        trip.remainingWaypointsRouteVersion = known.remainingWaypointsRouteVersion
        return trip
    }

    /// Merges the answer to GetTrip, and returns its findings.
    mutating func merge(_ report: inout PollReport, token: TokenStatus?, interval: Duration) -> [Finding] {
        trip.record(&report)
        if report.failure == nil { detailed = report.finished.steady }
        return trip.findings(of: report, token: token, interval: interval)
    }
}
