package import FleetWire
package import Foundation
package import TripModel

extension DeliveryWorld {
    /// GetTaskTrackingInfo: what the recipient of a shipment sees.
    ///
    /// Several tasks may have the tracking ID. An open one is chosen before closed ones, of several open ones the first in the
    /// order of the vehicle's stops, and of closed ones that with the latest outcome.
    package func trackingInfo(_ id: TrackingID, at now: Date) throws(ServiceError) -> TaskTrackingInfo {
        guard let task = shownTask(of: id, at: now) else { throw .notFound(id.rawValue) }
        var info = TaskTrackingInfo(trackingID: id, provider: provider, state: task.state)
        info.plannedLocation = task.plannedLocation
        info.targetTimeWindow = task.targetTimeWindow
        (info.outcome, info.outcomeTime) = (task.outcome, task.outcomeTime)
        info.attributes = task.attributes
        guard let (vehicle, index) = stop(of: task, at: now) else { return info }
        let approach = approach(of: vehicle, to: index)
        let view = task.trackingView
        func isVisible(_ condition: TrackingViewConfig.Visibility?) -> Bool {
            (condition ?? Approach.standardVisibility).isMet(by: approach, at: now)
        }
        if isVisible(view?.remainingStopCount) { info.remainingStopCount = approach.stopCount }
        if isVisible(view?.remainingDistance) { info.remainingDistance = approach.distance }
        if isVisible(view?.estimatedArrival) { info.estimatedArrival = approach.visit.arrival }
        if isVisible(view?.estimatedCompletion) { info.estimatedCompletion = approach.visit.completion }
        // Where a driver takes a break is nothing for recipients.
        guard !isOnBreak(vehicle) else { return info }
        if isVisible(view?.vehicleLocation) { info.vehicleLocation = vehicle.vehicle.lastLocation }
        if isVisible(view?.route), approach.path.count > 1 { info.route = Route(approach.path) }
        return info
    }

    private func shownTask(of id: TrackingID, at now: Date) -> DeliveryTask? {
        let records = (shipments[id] ?? []).compactMap { tasks[$0] }
        let open = records.filter { $0.task.state == .open }
        guard open.isEmpty else {
            func order(_ record: TaskRecord) -> (Int, Int) {
                (stop(of: record.task, at: now)?.index ?? Int.max, record.number)
            }
            return open.min { order($0) < order($1) }?.task
        }
        func order(_ record: TaskRecord) -> (Date, Int) { (record.task.outcomeTime ?? .distantPast, record.number) }
        return records.max { order($0) < order($1) }?.task
    }

    /// Returns the way of a vehicle to one of its stops.
    private func approach(of record: DeliveryVehicleRecord, to index: Int) -> Approach {
        let segments = Array(record.vehicle.segments[...index])
        let durations = segments.map { segment in
            (segment.stop?.tasks ?? []).reduce(Duration.zero) { $0 + (tasks[$1.id]?.task.duration ?? .zero) }
        }
        var approach = Approach(stopCount: index + 1)
        let distances = segments.compactMap(\.distance)
        if distances.count == segments.count {
            approach.distance = Distance(meters: distances.reduce(0) { $0 + $1.meters })
        }
        approach.visit = record.plan.visits(segments, durations: durations).last ?? JourneyPlan.Visit()
        for point in segments.flatMap(\.path) where point != approach.path.last { approach.path.append(point) }
        return approach
    }

    /// Whether the vehicle is at or drives to a task of the kind UNAVAILABLE.
    private func isOnBreak(_ record: DeliveryVehicleRecord) -> Bool {
        guard let stop = record.vehicle.segments.first?.stop, stop.state != .new else { return false }
        return stop.tasks.contains { tasks[$0.id]?.task.kind == .unavailable }
    }
}

/// The way of a vehicle to the stop of one task.
struct Approach: Sendable {
    /// The default of a project: visible while the vehicle is within 5 stops.
    static let standardVisibility = TrackingViewConfig.Visibility.remainingStops(5)

    /// The number of stops left, including that of the task.
    var stopCount: Int
    /// The driving distance; `nil` if a way is unknown.
    var distance: Distance?
    /// The arrival and the end of the tasks at the stop.
    var visit = JourneyPlan.Visit()
    /// The ways to the stops, one after the other.
    var path: [Coordinate] = []

    init(stopCount: Int) { self.stopCount = stopCount }
}

extension TrackingViewConfig.Visibility {
    /// Returns whether a value is visible at a time; a condition about an unknown value is not met.
    func isMet(by approach: Approach, at now: Date) -> Bool {
        switch self {
        case .remainingStops(let count): approach.stopCount <= count
        case .timeUntilArrival(let time):
            approach.visit.arrival.map { $0.timeIntervalSince(now) <= time.seconds } ?? false
        case .remainingDistance(let meters): approach.distance.map { $0.meters <= Double(meters) } ?? false
        case .always: true
        case .never: false
        }
    }
}
