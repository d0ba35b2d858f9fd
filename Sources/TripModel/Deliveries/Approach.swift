package import Foundation
import Runtime

/// The way of a delivery vehicle to the stop of one task, from which the recipient's view is computed.
package struct Approach: Sendable, Equatable {
    /// The arrival at a stop, and the end of the tasks there; `nil` if a way is unknown.
    package struct Visit: Sendable, Equatable {
        /// When the vehicle arrives.
        package var arrival: Date?
        /// When the tasks at the stop are done.
        package var completion: Date?

        package init(arrival: Date? = nil, completion: Date? = nil) {
            (self.arrival, self.completion) = (arrival, completion)
        }
    }

    /// The default of a project: visible while the vehicle is within 5 stops.
    package static let standardVisibility = TrackingViewConfig.Visibility.remainingStops(5)

    /// The number of stops left, including the stop of the task.
    package let stopCount: Int
    /// The driving distance; `nil` if a way is unknown.
    package let distance: Distance?
    /// The arrival and the end of the tasks at the stop.
    package let visit: Visit
    /// The ways to the stops, one after the other.
    package let path: [Coordinate]

    /// Creates the way over some segments to the last one's stop.
    ///
    /// - Parameters:
    ///   - segments: The segments up to and including the segment of the task; at least one.
    ///   - durations: The durations of all tasks at each stop.
    ///   - time: When the vehicle is where the first segment begins.
    ///   - arrivedAt: When the vehicle arrived at the first stop; `nil` if it is not there.
    package init(_ segments: [JourneySegment], durations: [Duration], from time: Date, arrivedAt: Date?) {
        stopCount = segments.count
        let distances = segments.compactMap(\.distance)
        distance =
            distances.count == segments.count ? Distance(meters: distances.reduce(0) { $0 + $1.meters }) : nil
        visit = Self.visits(segments, durations: durations, from: time, arrivedAt: arrivedAt).last ?? Visit()
        var path: [Coordinate] = []
        for point in segments.flatMap(\.path) where point != path.last { path.append(point) }
        self.path = path
    }

    /// Returns when the vehicle arrives at its stops: after the ways up to them and the tasks at the stops before.
    package static func visits(
        _ segments: [JourneySegment],
        durations: [Duration],
        from time: Date,
        arrivedAt: Date?
    ) -> [Visit] {
        var clock: Date? = time
        return zip(segments, durations).enumerated().map { index, element in
            let (segment, duration) = element
            guard let start = clock, let drive = segment.duration else {
                clock = nil
                return Visit()
            }
            let isHere = index == 0 && segment.stop?.state == .arrived
            let arrival = isHere ? arrivedAt ?? start : start.addingTimeInterval(drive.seconds)
            let completion = arrival.addingTimeInterval(duration.seconds)
            // The vehicle has not left a stop where the tasks take longer than planned.
            clock = isHere ? max(completion, start) : completion
            return Visit(arrival: arrival, completion: clock)
        }
    }
}

extension TrackingViewConfig.Visibility {
    /// Returns whether a value is visible at a time; a condition about an unknown value is not met.
    package func isMet(by approach: Approach, at now: Date) -> Bool {
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

extension TaskTrackingInfo {
    /// Creates what the recipient of a task's shipment sees while no vehicle has it, or after its end.
    package init(_ task: DeliveryTask, trackingID: TrackingID) {
        self.init(trackingID: trackingID, provider: task.provider, state: task.state)
        plannedLocation = task.plannedLocation
        targetTimeWindow = task.targetTimeWindow
        (outcome, outcomeTime) = (task.outcome, task.outcomeTime)
        attributes = task.attributes
    }

    /// Adds what the recipient sees of the vehicle that has the task.
    ///
    /// - Parameters:
    ///   - location: The vehicle's position.
    ///   - approach: Its way to the task's stop.
    ///   - view: The rules of the sender; `nil` for the default of the project.
    ///   - isOnBreak: Whether the driver takes a break, which no recipient sees.
    ///   - now: The time.
    package mutating func show(
        _ location: VehicleLocation?,
        _ approach: Approach,
        by view: TrackingViewConfig?,
        isOnBreak: Bool,
        at now: Date
    ) {
        func isVisible(_ condition: TrackingViewConfig.Visibility?) -> Bool {
            (condition ?? Approach.standardVisibility).isMet(by: approach, at: now)
        }
        if isVisible(view?.remainingStopCount) { remainingStopCount = approach.stopCount }
        if isVisible(view?.remainingDistance) { remainingDistance = approach.distance }
        if isVisible(view?.estimatedArrival) { estimatedArrival = approach.visit.arrival }
        if isVisible(view?.estimatedCompletion) { estimatedCompletion = approach.visit.completion }
        guard !isOnBreak else { return }
        if isVisible(view?.vehicleLocation) { vehicleLocation = location }
        if isVisible(view?.route), approach.path.count > 1 { route = Route(approach.path) }
    }
}

extension [DeliveryTask] {
    /// Returns the task that the service shows for their common tracking ID.
    ///
    /// An open one is chosen before closed ones, of several open ones the first in the order of the vehicle's stops, and of
    /// closed ones that with the latest outcome. The tasks are in the order of their creation.
    ///
    /// - Parameter stop: Returns the place of a task among the stops of its vehicle; `nil` without one.
    /// - Returns: The task; `nil` if there is none.
    package func shown(stop: (DeliveryTask) -> Int?) -> DeliveryTask? {
        let open = filter { $0.state == .open }
        guard open.isEmpty else { return open.min { (stop($0) ?? .max) < (stop($1) ?? .max) } }
        return reversed().max { ($0.outcomeTime ?? .distantPast) < ($1.outcomeTime ?? .distantPast) }
    }
}

extension [JourneySegment] {
    /// Returns whether the vehicle with these stops is at or drives to a task of the kind UNAVAILABLE.
    package func isOnBreak(kind: (TaskID) -> DeliveryTask.Kind?) -> Bool {
        guard let stop = first?.stop, stop.state != .new else { return false }
        return stop.tasks.contains { kind($0.id) == .unavailable }
    }
}
