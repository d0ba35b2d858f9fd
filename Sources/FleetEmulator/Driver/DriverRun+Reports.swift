import FleetEngineProtos
import FleetWire
import Foundation
import Runtime
import SwiftProtobuf
import TripModel

/// The reports of positions, routes and forecasts.
extension DriverRun {
    /// Sends a report about the vehicle and what it serves; by default until the service answers.
    func send(_ report: VehicleMessage, retry: DriverRetry? = nil) async throws(DriverError) {
        try await client.report(report, about: served, retry: retry)
    }

    mutating func report(standingAt place: Coordinate?) async throws(DriverError) {
        guard let place else { return }
        let location = location(at: place, heading: nil, speed: 0)
        try await send(VehicleMessage(.online, at: location), retry: .dropping)
    }

    mutating func report(on drive: DriverScript.Drive, at elapsed: Double) async throws(DriverError) {
        let (leg, manner) = (drive.leg, drive.manner)
        let share = leg.duration > 0 ? elapsed / leg.duration : 1
        if manner.silent?.contains(share) == true { return }
        let offset = leg.offset(at: elapsed)
        let speed = leg.offset(at: elapsed + 0.5) - leg.offset(at: elapsed - 0.5)
        var report = VehicleMessage(.online)
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
        if !manner.retainsForecast {
            report.remainingTimeSeconds = .init(Int32(clamping: Int(forecast.rounded())))
            report.remainingDistanceMeters = .init(Int32(clamping: Int(way.rounded())))
        }
        if share >= 1 {
            report.navigationStatus = .arrivedAtDestination
        } else if manner.planned != nil, share >= manner.leavesRouteAt,
            elapsed < manner.leavesRouteAt * leg.duration + Self.rerouting
        {
            report.navigationStatus = .offRoute
        }
        // The arrival must not be lost. Another position is soon replaced by the next one.
        try await send(report, retry: share >= 1 ? nil : .dropping)
    }

    mutating func location(
        at point: Coordinate,
        heading: Int?,
        speed: Double,
        isPoor: Bool = false
    ) -> LocationMessage {
        let time = Google_Protobuf_Timestamp(client.clock.now().wall)
        // Without satellites a device takes its position from networks. The true place is inside the circle of accuracy.
        let accuracy = isPoor ? Double.random(in: 80...250, using: &random) : .random(in: 2.2...5.5, using: &random)
        let distance = accuracy * Double.random(in: 0...1, using: &random).squareRoot()
        let direction = Double.random(in: 0..<360, using: &random)
        let raw = point.moved(meters: distance, towards: direction)
        return .with {
            $0.location = LatLngMessage(isPoor ? raw : point)
            if let heading { $0.heading = .init(Int32(heading)) }
            $0.speed = .init(max(0, (speed * 10).rounded() / 10))
            $0.speedAccuracy = .init(0.5)
            $0.latlngAccuracy = .init((accuracy * 10).rounded() / 10)
            $0.updateTime = time
            $0.locationSensor = isPoor ? .network : .roadSnappedLocationProvider
            $0.isRoadSnapped = .init(!isPoor)
            $0.rawLocation = LatLngMessage(raw)
            $0.rawLocationTime = time
            $0.rawLocationAccuracy = .init((accuracy * 12).rounded() / 10)
        }
    }

    mutating func sendRoute(of drive: DriverScript.Drive) async throws(DriverError) {
        let planned = drive.manner.planned
        let path = planned?.points ?? drive.leg.route.points
        var stretches: [RoadStretchMessage] = []
        if planned == nil, let slow = drive.leg.slow {
            stretches = [
                .with {
                    $0.style = .slowerTraffic
                    $0.offsetMeters = Int32(clamping: Int(slow.lowerBound))
                    $0.lengthMeters = Int32(clamping: Int(slow.upperBound - slow.lowerBound))
                }
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
        _ stretches: [RoadStretchMessage],
        _ target: DriverScript.Target,
        left: Double
    ) async throws(DriverError) {
        guard let end = path.last else { return }
        var report = VehicleMessage(.online)
        report.currentRouteSegment = S2Polyline.encode(path)
        report.currentRouteSegmentEndPoint = WaypointMessage(target, at: end)
        report.currentRouteSegmentTraffic.trafficRendering.roadStretch = stretches
        report.remainingTimeSeconds = .init(Int32(clamping: Int(left.rounded())))
        report.remainingDistanceMeters = .init(Int32(clamping: Int(Route(path).length.meters.rounded())))
        report.navigationStatus = .enrouteToDestination
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
