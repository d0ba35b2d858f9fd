import Foundation
import Runtime
import TripModel

/// The reports of positions, routes and forecasts.
extension DriverRun {
    /// Sends a report about the vehicle and what it serves; by default until the service answers.
    func send(_ report: DriverReport, retry: DriverRetry? = nil) async throws(DriverError) {
        try await client.report(report, about: served, retry: retry)
    }

    mutating func report(standingAt place: Coordinate?) async throws(DriverError) {
        guard let place else { return }
        let location = location(at: place, heading: nil, speed: 0)
        try await send(DriverReport(vehicleState: "ONLINE", lastLocation: location), retry: .dropping)
    }

    mutating func report(on drive: DriverScript.Drive, at elapsed: Double) async throws(DriverError) {
        let (leg, manner) = (drive.leg, drive.manner)
        let share = leg.duration > 0 ? elapsed / leg.duration : 1
        if manner.silent?.contains(share) == true { return }
        let offset = leg.offset(at: elapsed)
        let speed = leg.offset(at: elapsed + 0.5) - leg.offset(at: elapsed - 0.5)
        var report = DriverReport(vehicleState: "ONLINE")
        if let place = leg.route.position(at: offset)?.coordinate {
            let ahead = leg.route.position(at: offset + 5)?.coordinate ?? place
            let behind = leg.route.position(at: offset - 5)?.coordinate ?? place
            let heading = behind == ahead ? nil : Int(behind.bearing(to: ahead).rounded()) % 360
            let isPoor = manner.tunnel?.contains(share) == true
            report.lastLocation = location(at: place, heading: heading, speed: speed, isPoor: isPoor)
        }
        // While the vehicle follows the planned route, the navigation shows that route.
        let isPlanned =
            manner.planned != nil && elapsed < manner.leavesRouteAt * leg.duration + Self.rerouting
        let foreseen = drive.forecast
        let left = isPlanned ? foreseen.foreseen(at: elapsed) : leg.foreseen(at: elapsed)
        let way =
            isPlanned ? foreseen.route.length.meters - foreseen.offset(at: elapsed) : leg.route.length.meters - offset
        // A navigation app cannot predict each red light, so its forecast has a small error. On a long drive the error
        // changes little between reports, because most of the lights ahead are the same.
        let error = left * Double.random(in: -0.04...0.04, using: &random)
        let forecast = left + min(max(error, -15), 15)
        if !manner.keepsForecast {
            report.remainingTimeSeconds = Int(forecast.rounded())
            report.remainingDistanceMeters = Int(way.rounded())
        }
        if share >= 1 {
            report.navigationStatus = "ARRIVED_AT_DESTINATION"
        } else if manner.planned != nil, share >= manner.leavesRouteAt,
            elapsed < manner.leavesRouteAt * leg.duration + Self.rerouting
        {
            report.navigationStatus = "OFF_ROUTE"
        }
        // The arrival must not be lost. Another position is soon replaced by the next one.
        try await send(report, retry: share >= 1 ? nil : .dropping)
    }

    mutating func location(
        at point: Coordinate,
        heading: Int?,
        speed: Double,
        isPoor: Bool = false
    ) -> DriverReport.Location {
        let time = Timestamp.text(client.clock.now().wall)
        // Without satellites a device takes its position from networks. The true place is inside the circle of accuracy.
        let accuracy = isPoor ? Double.random(in: 80...250, using: &random) : .random(in: 2.2...5.5, using: &random)
        let distance = accuracy * Double.random(in: 0...1, using: &random).squareRoot()
        let direction = Double.random(in: 0..<360, using: &random)
        let raw = point.moved(meters: distance, towards: direction)
        var location = DriverReport.Location(
            location: DriverReport.LatLng(isPoor ? raw : point),
            heading: heading,
            speed: max(0, (speed * 10).rounded() / 10),
            latlngAccuracy: (accuracy * 10).rounded() / 10,
            updateTime: time,
            rawLocation: DriverReport.LatLng(raw),
            rawLocationTime: time,
            rawLocationAccuracy: (accuracy * 12).rounded() / 10
        )
        if isPoor { (location.locationSensor, location.isRoadSnapped) = ("NETWORK", false) }
        return location
    }

    mutating func sendRoute(of drive: DriverScript.Drive) async throws(DriverError) {
        let planned = drive.manner.planned
        let path = planned?.points ?? drive.leg.route.points
        var stretches: [DriverReport.TrafficData.Stretch] = []
        if planned == nil, let slow = drive.leg.slow {
            stretches = [
                .init(offsetMeters: Int(slow.lowerBound), lengthMeters: Int(slow.upperBound - slow.lowerBound))
            ]
        }
        try await send(path, stretches, drive.target, left: drive.forecast.foreseen(at: 0))
    }

    mutating func sendRest(of drive: DriverScript.Drive, from offset: Double) async throws(DriverError) {
        guard let place = drive.leg.route.position(at: offset)?.coordinate,
            let entry = drive.leg.route.nearest(to: place)
        else { return }
        let rest = drive.leg.route.split(at: entry).remaining
        let left = drive.leg.duration * (1 - offset / max(1, drive.leg.route.length.meters))
        try await send(rest, [], drive.target, left: left)
    }

    private func send(
        _ path: [Coordinate],
        _ stretches: [DriverReport.TrafficData.Stretch],
        _ target: DriverScript.Target,
        left: Double
    ) async throws(DriverError) {
        guard let end = path.last else { return }
        var report = DriverReport(vehicleState: "ONLINE")
        report.currentRouteSegment = S2Polyline.encode(path)
        report.currentRouteSegmentEndPoint = DriverReport.RouteEnd(target, at: end)
        report.currentRouteSegmentTraffic = .init(trafficRendering: .init(roadStretch: stretches))
        report.remainingTimeSeconds = Int(left.rounded())
        report.remainingDistanceMeters = Int(Route(path).length.meters.rounded())
        report.navigationStatus = "ENROUTE_TO_DESTINATION"
        try await send(report)
    }
}

extension Coordinate {
    /// The same position within -90 … 90 degrees of latitude and -180 … 180 degrees of longitude.
    fileprivate var wrapped: Coordinate {
        let turned = (longitude + 540).truncatingRemainder(dividingBy: 360) - 180
        return Coordinate(latitude: min(max(latitude, -90), 90), longitude: turned)
    }

    /// Returns the point at a small distance in a direction, in degrees clockwise from north.
    fileprivate func moved(meters: Double, towards direction: Double) -> Coordinate {
        let degrees = meters / Self.earthRadius * 180 / .pi
        let angle = direction * .pi / 180
        return Coordinate(
            latitude: latitude + degrees * cos(angle),
            longitude: longitude + degrees * sin(angle) / max(0.01, parallelScale)
        ).wrapped
    }
}
