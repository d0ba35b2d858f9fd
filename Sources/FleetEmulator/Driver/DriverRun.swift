import FleetWire
import Foundation
import TripModel

/// Executes a script step by step.
struct DriverRun {
    let script: DriverScript
    let client: DriverClient
    let control: DriverControl
    let captions: SceneCaptions
    let intervals: ReportIntervals
    var random: SeededGenerator
    let tell: @Sendable (DriverNews) -> Void

    /// The time a navigation app takes to find a new route, in seconds.
    private static let rerouting = 15.0

    /// The scheduled start of the step, in seconds of the steady clock.
    ///
    /// Using the schedule instead of the actual time avoids drift.
    private var time = 0.0
    /// The position of the vehicle.
    private var here: Coordinate?
    /// The trips that are assigned and have not ended.
    private var onTrips: Set<TripID> = []

    init(
        script: DriverScript,
        client: DriverClient,
        control: DriverControl,
        captions: SceneCaptions,
        intervals: ReportIntervals,
        random: SeededGenerator,
        tell: @escaping @Sendable (DriverNews) -> Void
    ) {
        self.script = script
        self.client = client
        self.control = control
        self.captions = captions
        self.intervals = intervals
        self.random = random
        self.tell = tell
    }

    /// Runs the script, starting with ONLINE.
    mutating func all() async throws(DriverError) {
        time = client.clock.now().steady.seconds
        here = script.start
        if let here {
            let location = location(at: here, heading: nil, speed: 0)
            try await client.report(DriverReport(vehicleState: "ONLINE", lastLocation: location))
            tell(.online)
        }
        for step in script.steps { try await perform(step) }
    }

    private mutating func perform(_ step: DriverScript.Step) async throws(DriverError) {
        let calls = OperatorCalls(client: client)
        switch step {
        case .wait(let seconds):
            time += seconds
            try await stand(until: time)
        case .silent(let seconds):
            time += seconds
            try await wait(until: time)
        case .create(let trip): try await calls.create(trip)
        case .assign(let trip, let order):
            guard !control.hasEnded(trip) else { return }
            try await calls.assign(trip, order: order)
            onTrips.insert(trip)
        case .announce(let drive):
            if !control.hasEnded(drive.stop.trip) { try await sendRoute(of: drive) }
        case .drive(let drive): try await perform(drive)
        case .cruise(let leg): try await cruise(leg)
        case .status(let trip, let status):
            guard !control.hasEnded(trip) else { return }
            try await move(trip, to: status, stop: nil)
            if status.isTerminal { onTrips.remove(trip) }
        case .state(let state): try await client.report(DriverReport(vehicleState: state.name))
        case .caption(let caption): captions.say(caption)
        }
    }

    // MARK: Driving

    private mutating func perform(_ drive: DriverScript.Drive) async throws(DriverError) {
        let stop = drive.stop
        guard !control.hasEnded(stop.trip) else { return }
        let index = stop.kind == .intermediateDestination ? stop.index : nil
        let (enroute, arrived) = stop.statuses
        try await move(stop.trip, to: enroute, stop: index)
        if !drive.isAnnounced { try await sendRoute(of: drive) }
        guard try await follow(drive) else { return }
        try await move(stop.trip, to: arrived, stop: index)
        if arrived.isTerminal { onTrips.remove(stop.trip) }
    }

    private func move(_ trip: TripID, to status: TripStatus, stop: Int?) async throws(DriverError) {
        try await OperatorCalls(client: client).move(trip, to: status, stop: stop)
        tell(.moved(trip, status))
    }

    /// Reports along a drive to its end; returns `false` if the trip ended meanwhile.
    private mutating func follow(_ drive: DriverScript.Drive) async throws(DriverError) -> Bool {
        var drive = drive
        var next = time
        var isRerouted = drive.manner.plannedRoute.isEmpty
        while true {
            guard !control.hasEnded(drive.stop.trip) else {
                onTrips.remove(drive.stop.trip)
                time = client.clock.now().steady.seconds
                return false
            }
            if let diversion = control.takeDiversion(client.vehicle) {
                drive = diverted(drive, diversion, at: next - time)
                time = next
                isRerouted = true
                try await sendRoute(of: drive)
            }
            let end = time + drive.leg.duration
            let now = max(next, client.clock.now().steady.seconds)
            // At the end, use the leg's exact duration: the difference of sums may have a rounding error.
            let elapsed = now < end ? now - time : drive.leg.duration
            if control.isFrozen(client.vehicle) {
                try await report(standingAt: drive.leg.route.position(at: drive.leg.offset(at: elapsed))?.coordinate)
                time += intervals.onTrip
                next = now + intervals.onTrip
                try await wait(until: next)
                continue
            }
            try await report(on: drive, at: elapsed)
            if !isRerouted, elapsed >= drive.manner.leavesRouteAt * drive.leg.duration + Self.rerouting {
                isRerouted = true
                try await sendRest(of: drive, from: drive.leg.offset(at: elapsed))
            }
            guard now < end else {
                time = end
                here = drive.leg.route.points.last
                return true
            }
            next = min(end, now + intervals.onTrip)
            try await wait(until: next)
        }
    }

    /// Reports along a path without a trip.
    private mutating func cruise(_ leg: RidePlan.Leg) async throws(DriverError) {
        let end = time + leg.duration
        while true {
            let now = client.clock.now().steady.seconds
            let elapsed = now < end ? now - time : leg.duration
            let offset = leg.offset(at: elapsed)
            if let place = leg.route.position(at: offset)?.coordinate {
                let ahead = leg.route.position(at: offset + 5)?.coordinate ?? place
                let speed = leg.offset(at: elapsed + 0.5) - leg.offset(at: elapsed - 0.5)
                let heading = ahead == place ? nil : Int(place.bearing(to: ahead).rounded()) % 360
                let location = location(at: place, heading: heading, speed: speed)
                try await client.report(DriverReport(vehicleState: "ONLINE", lastLocation: location))
            }
            guard now < end else { break }
            try await wait(until: min(end, now + intervals.idle))
        }
        time = end
        here = leg.route.points.last
    }

    /// Returns the rest of a drive from another position, or through another point.
    private func diverted(
        _ drive: DriverScript.Drive,
        _ diversion: DriverControl.Diversion,
        at elapsed: Double
    ) -> DriverScript.Drive {
        let start = drive.leg.route.position(at: drive.leg.offset(at: elapsed))?.coordinate
        let path: [Coordinate] =
            switch diversion {
            case .teleport(let place): [place, drive.stop.place]
            case .detour(let place): [start ?? place, place, drive.stop.place]
            }
        var result = drive
        result.leg = RidePlan.Leg(path, slow: nil, pace: 1, redLightAt: nil)
        result.manner = DriveManner()
        return result
    }

    /// Waits in place and keeps reporting, so that the vehicle does not count as lost.
    private mutating func stand(until time: Double) async throws(DriverError) {
        while true {
            let interval = onTrips.isEmpty ? intervals.idle : intervals.onTrip
            let next = min(time, client.clock.now().steady.seconds + interval)
            try await wait(until: next)
            guard next < time else { return }
            // The arrival report already contained the remaining distance and the navigation status.
            try await report(standingAt: here)
        }
    }

    // MARK: Reports

    private mutating func report(standingAt place: Coordinate?) async throws(DriverError) {
        guard let place else { return }
        let location = location(at: place, heading: nil, speed: 0)
        try await client.report(DriverReport(vehicleState: "ONLINE", lastLocation: location))
    }

    private mutating func report(on drive: DriverScript.Drive, at elapsed: Double) async throws(DriverError) {
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
            !manner.plannedRoute.isEmpty && elapsed < manner.leavesRouteAt * leg.duration + Self.rerouting
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
        } else if !manner.plannedRoute.isEmpty, share >= manner.leavesRouteAt,
            elapsed < manner.leavesRouteAt * leg.duration + Self.rerouting
        {
            report.navigationStatus = "OFF_ROUTE"
        }
        try await client.report(report)
    }

    private mutating func location(
        at point: Coordinate,
        heading: Int?,
        speed: Double,
        isPoor: Bool = false
    ) -> DriverReport.Location {
        let time = Timestamp.text(client.clock.now().wall)
        // The spread in degrees: meters for a good fix, hundreds of meters without satellites. 1e-4 degrees are about 11 m.
        let spread = isPoor ? 3e-3 : 4e-5
        let raw = Coordinate(
            latitude: point.latitude + Double.random(in: -spread...spread, using: &random),
            longitude: point.longitude + Double.random(in: -spread...spread, using: &random)
        )
        let accuracy = isPoor ? Double.random(in: 80...250, using: &random) : .random(in: 2.2...5.5, using: &random)
        var location = DriverReport.Location(
            location: DriverReport.LatLng(isPoor ? raw.wrapped : point),
            heading: heading,
            speed: max(0, (speed * 10).rounded() / 10),
            latlngAccuracy: (accuracy * 10).rounded() / 10,
            updateTime: time,
            rawLocation: DriverReport.LatLng(raw.wrapped),
            rawLocationTime: time,
            rawLocationAccuracy: (accuracy * 12).rounded() / 10
        )
        if isPoor { (location.locationSensor, location.isRoadSnapped) = ("NETWORK", false) }
        return location
    }

    private mutating func sendRoute(of drive: DriverScript.Drive) async throws(DriverError) {
        let planned = drive.manner.plannedRoute
        let path = planned.isEmpty ? drive.leg.route.points : planned
        var stretches: [DriverReport.TrafficData.Stretch] = []
        if planned.isEmpty, let slow = drive.leg.slow {
            stretches = [
                .init(offsetMeters: Int(slow.lowerBound), lengthMeters: Int(slow.upperBound - slow.lowerBound))
            ]
        }
        try await send(path, stretches, drive.stop, left: drive.forecast.foreseen(at: 0))
    }

    private mutating func sendRest(of drive: DriverScript.Drive, from offset: Double) async throws(DriverError) {
        guard let place = drive.leg.route.position(at: offset)?.coordinate,
            let entry = drive.leg.route.nearest(to: place)
        else { return }
        let rest = drive.leg.route.split(at: entry).remaining
        let left = drive.leg.duration * (1 - offset / max(1, drive.leg.route.length.meters))
        try await send(rest, [], drive.stop, left: left)
    }

    private func send(
        _ path: [Coordinate],
        _ stretches: [DriverReport.TrafficData.Stretch],
        _ stop: DriverScript.Stop,
        left: Double
    ) async throws(DriverError) {
        guard let end = path.last else { return }
        var report = DriverReport(vehicleState: "ONLINE")
        report.currentRouteSegment = S2Polyline.encode(path)
        report.currentRouteSegmentEndPoint = DriverReport.Place(stop)
        report.currentRouteSegmentEndPoint?.location = .init(point: DriverReport.LatLng(end))
        report.currentRouteSegmentTraffic = .init(trafficRendering: .init(roadStretch: stretches))
        report.remainingTimeSeconds = Int(left.rounded())
        report.remainingDistanceMeters = Int(Route(path).length.meters.rounded())
        report.navigationStatus = "ENROUTE_TO_DESTINATION"
        try await client.report(report)
    }

    /// Waits until a time of the steady clock, in seconds.
    private func wait(until time: Double) async throws(DriverError) {
        let left = time - client.clock.now().steady.seconds
        guard left > 0 else { return }
        try await client.pause(.seconds(left))
    }
}

extension DriverScript.Stop {
    /// The trip statuses on the way to the stop and at the stop.
    fileprivate var statuses: (enroute: TripStatus, arrived: TripStatus) {
        switch kind {
        case .pickup: (.enrouteToPickup, .arrivedAtPickup)
        case .intermediateDestination: (.enrouteToIntermediateDestination, .arrivedAtIntermediateDestination)
        case .dropoff, .unrecognized: (.enrouteToDropoff, .complete)
        }
    }
}

extension Coordinate {
    /// The same position within -90 … 90 degrees of latitude and -180 … 180 degrees of longitude.
    fileprivate var wrapped: Coordinate {
        let turned = (longitude + 540).truncatingRemainder(dividingBy: 360) - 180
        return Coordinate(latitude: min(max(latitude, -90), 90), longitude: turned)
    }
}
