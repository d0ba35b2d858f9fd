import FleetEngineProtos
import FleetWire
import Foundation
import Runtime
import TripModel

/// Executes a script step by step.
struct DriverRun {
    let script: DriverScript
    let client: DriverClient
    let control: DriverControl
    let captions: SceneCaptions
    let intervals: ReportIntervals
    var random: SeededGenerator
    let onEvent: @Sendable (DriverEvent) -> Void

    /// The time a navigation app takes to find a new route, in seconds.
    static let rerouting = 15.0

    /// The scheduled start of the step, in seconds of the steady clock.
    ///
    /// Using the schedule instead of the actual time avoids drift.
    private(set) var time = 0.0
    /// The position of the vehicle.
    private(set) var here: Coordinate?
    /// The remaining stops of a delivery vehicle, in order; all but the first are new.
    var stops: [DriverScript.DeliveryStop] = []
    /// The time at which the script began, from which the time windows of tasks count.
    private(set) var began = Date.distantPast
    /// The trips that are assigned and have not ended.
    private(set) var onTrips: Set<TripID> = []
    /// The trips that the vehicle serves, and the shipments at its remaining stops.
    var served: Set<JourneyID> {
        Set(onTrips.map(JourneyID.trip) + stops.flatMap(\.jobs).compactMap(\.shipment).map(JourneyID.shipment))
    }
    /// The calls about deliveries.
    var deliveries: DeliveryCalls { DeliveryCalls(client: client, shipments: served) }

    /// Runs the script, starting with ONLINE.
    mutating func all() async throws(DriverError) {
        let now = client.clock.now()
        // Nobody waits for a time that has passed.
        (time, began) = (now.steady.seconds - script.passed, now.wall - script.passed)
        (here, stops) = (script.start, script.stops)
        if let here {
            let location = location(at: here, heading: nil, speed: 0)
            try await send(VehicleMessage(.online, at: location))
            onEvent(.online)
        }
        for step in script.steps { try await perform(step) }
    }

    private mutating func perform(_ step: DriverScript.Step) async throws(DriverError) {
        let calls = OperatorCalls(client: client)
        switch step {
        case .wait(let seconds):
            try await stand(for: seconds)
        case .silent(let seconds):
            time += seconds
            try await wait(until: time)
        case .create(let trip): try await calls.create(trip)
        case .assign(let trip, let order):
            guard !control.hasEnded(trip) else { return }
            try await calls.assign(trip, order: order)
            onTrips.insert(trip)
        case .announce(let drive):
            if drive.target.trip.map(control.hasEnded) != true { try await sendRoute(of: drive) }
        case .drive(let drive): try await perform(drive)
        case .cruise(let leg): try await cruise(leg)
        case .status(let trip, let status):
            guard !control.hasEnded(trip) else { return }
            try await move(trip, to: status, stop: nil)
            if status.isTerminal { onTrips.remove(trip) }
        case .state(let state): try await send(VehicleMessage(EnumNames.vehicleState.value(state.name)))
        case .createTasks(let tasks): for task in tasks { try await createTask(task) }
        case .assignStops(let stops): try await assign(stops)
        case .closeTask(let task): try await deliveries.close(task)
        case .visit(let visit): try await perform(visit)
        case .caption(let caption): show(caption)
        }
    }

    /// Shows a caption, unless its time has passed already.
    private func show(_ caption: SceneCaption) {
        if let seconds = caption.validity.seconds, time + seconds <= client.clock.now().steady.seconds { return }
        captions.show(caption)
    }

    // MARK: Driving

    private mutating func perform(_ drive: DriverScript.Drive) async throws(DriverError) {
        guard case .trip(let stop) = drive.target else {
            _ = try await follow(drive)
            return
        }
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
        onEvent(.moved(trip, status))
    }

    /// Reports along a drive to its end; returns `false` if the trip ended meanwhile or the vehicle did not arrive.
    mutating func follow(_ drive: DriverScript.Drive) async throws(DriverError) -> Bool {
        var drive = drive
        var next = time
        var isRerouted = drive.manner.planned == nil
        while true {
            if let trip = drive.target.trip, control.hasEnded(trip) {
                onTrips.remove(trip)
                time = client.clock.now().steady.seconds
                return false
            }
            if let diversion = control.dequeueDiversion(client.vehicle) {
                drive = diverted(drive, diversion, at: next - time)
                time = next
                isRerouted = true
                try await sendRoute(of: drive)
            }
            let length = drive.leg.duration * (drive.manner.stopsAt ?? 1)
            let end = time + length
            let now = max(next, client.clock.now().steady.seconds)
            // At the end, use the leg's exact duration: the difference of sums may have a rounding error.
            let elapsed = now < end ? now - time : length
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
                guard drive.manner.stopsAt == nil else {
                    here = drive.leg.route.position(at: drive.leg.offset(at: elapsed))?.coordinate
                    return false
                }
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
                let report = VehicleMessage(.online, at: location)
                try await send(report, retry: now < end ? .dropping : nil)
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
            case .teleport(let place): [place, drive.target.place]
            case .detour(let place): [start ?? place, place, drive.target.place]
            }
        var result = drive
        result.leg = RidePlan.Leg(Town.demo.way(through: path), slow: nil, pace: 1, redLightAt: nil)
        result.manner = DriveManner()
        return result
    }

    /// Waits in place for some seconds and continues to report.
    mutating func stand(for seconds: Double) async throws(DriverError) {
        time += seconds
        try await stand(until: time)
    }

    /// Waits in place and continues to report, so that the vehicle does not count as lost.
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

    /// Waits until a time of the steady clock, in seconds.
    private func wait(until time: Double) async throws(DriverError) {
        let left = time - client.clock.now().steady.seconds
        guard left > 0 else { return }
        control.progress.waits(script.vehicle, until: time)
        defer { control.progress.acts(script.vehicle) }
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
