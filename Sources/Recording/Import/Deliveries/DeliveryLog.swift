import FleetWire
import Foundation
import Runtime
import TripModel

/// The tasks and vehicles of a log, and what the recipients of their shipments would have seen.
///
/// What a recipient saw is computed from the calls of servers and drivers by the rules of the service. If the
/// log has no such call about a shipment, it is what the recipient's own calls returned.
struct DeliveryLog {
    /// A vehicle, and when its state was logged.
    private struct Tour {
        var vehicle: DeliveryVehicle
        var time: Date
        /// When it arrived at its first stop; `nil` if it is not there.
        var arrivedAt: Date?

        /// The tasks of all stops.
        var tasks: [TaskID] { vehicle.segments.flatMap { $0.stop?.tasks.map(\.id) ?? [] } }
    }

    /// The maximum number of tasks with one tracking ID; the oldest ones are forgotten.
    private static let mostTasks = 50

    private let provider: ProviderID
    private var tasks: [TaskID: DeliveryTask] = [:]
    /// When each task was logged.
    private var times: [TaskID: Date] = [:]
    /// What the recipient of each shipment saw last.
    private var shown: [TrackingID: TaskTrackingInfo] = [:]
    /// The tasks of each shipment in order of their creation.
    private var shipments: [TrackingID: [TaskID]] = [:]
    private var journeys: [DeliveryVehicleID: Tour] = [:]

    /// Creates the state before the first entry.
    init(provider: ProviderID) { self.provider = provider }

    /// Applies the answer to a delivery call; returns the shipments that it changes, as their recipients see them then.
    ///
    /// An entry that is older than what is known of its task or vehicle changes nothing.
    mutating func handle(_ entry: LogEntry) -> [TaskTrackingInfo] {
        // Deliveries have no encoded paths that anything shows.
        var paths = PathDecoder(limit: 0)
        switch entry.answer {
        case .tasks(let answers):
            return handle(answers.compactMap { $0.task(in: provider, &paths) }, at: entry.time)
        case .deliveryVehicle(let answer):
            return answer.vehicle(in: provider, &paths).map { handle($0.withReachedStop, at: entry.time) } ?? []
        case .shipment(let answer):
            return entry.trackingID.map { handle(answer.shipment($0, in: provider, &paths)) } ?? []
        case .trip, .vehicle, nil: return []
        }
    }

    /// Applies what a recipient received, unless a task of the shipment is known.
    private mutating func handle(_ info: TaskTrackingInfo) -> [TaskTrackingInfo] {
        guard shipments[info.trackingID] == nil, shown[info.trackingID] != info else { return [] }
        shown[info.trackingID] = info
        return [info]
    }

    private mutating func handle(_ answers: [DeliveryTask], at time: Date) -> [TaskTrackingInfo] {
        var changed: [TrackingID] = []
        for answer in answers where times[answer.id].map({ $0 <= time }) ?? true {
            times[answer.id] = time
            var task = answer
            task.vehicleID = answer.vehicleID ?? tasks[answer.id]?.vehicleID
            // A log that begins later has only updates of a task, whose answers are complete, too.
            if tasks[task.id] == nil, let tracking = task.trackingID { add(task.id, to: tracking) }
            tasks[task.id] = task
            if let tracking = task.trackingID, !changed.contains(tracking) { changed.append(tracking) }
        }
        return changes(of: changed, at: time)
    }

    private mutating func add(_ task: TaskID, to tracking: TrackingID) {
        var ids = shipments[tracking, default: []]
        ids.append(task)
        for old in ids.prefix(max(0, ids.count - Self.mostTasks)) { (tasks[old], times[old]) = (nil, nil) }
        shipments[tracking] = ids.suffix(Self.mostTasks)
    }

    private mutating func handle(_ vehicle: DeliveryVehicle, at time: Date) -> [TaskTrackingInfo] {
        let before = journeys[vehicle.id]
        guard before.map({ $0.time <= time }) ?? true else { return [] }
        var journey = Tour(vehicle: vehicle, time: time)
        if vehicle.segments.first?.stop?.state == .arrived {
            let isSame =
                before?.vehicle.segments.first?.stop?.plannedLocation == vehicle.segments[0].stop?.plannedLocation
            journey.arrivedAt = (isSame ? before?.arrivedAt : nil) ?? time
        }
        journeys[vehicle.id] = journey
        let (old, new) = (before?.tasks ?? [], journey.tasks)
        let retained = Set(new)
        for id in new { tasks[id]?.vehicleID = vehicle.id }
        // A stop that is no longer listed is completed or was removed: the service closes its tasks.
        for id in old where !retained.contains(id) && tasks[id]?.vehicleID == vehicle.id { tasks[id]?.state = .closed }
        var seen: Set<TrackingID> = []
        let changed = (old + new).compactMap { tasks[$0]?.trackingID }.filter { seen.insert($0).inserted }
        return changes(of: changed, at: time)
    }

    /// Forgets the closed tasks, and the shipments that have no others.
    mutating func removeEnded() {
        tasks = tasks.filter { $0.value.state != .closed }
        shipments = shipments.mapValues { ids in ids.filter { tasks[$0] != nil } }.filter { !$0.value.isEmpty }
        journeys = journeys.filter { !$0.value.vehicle.segments.isEmpty }
        times = times.filter { tasks[$0.key] != nil }
        shown = shown.filter { shipments[$0.key] != nil }
    }

    // MARK: What recipients see

    /// Returns the shipments of a list that a recipient now sees differently.
    private mutating func changes(of shipments: [TrackingID], at time: Date) -> [TaskTrackingInfo] {
        let infos = shipments.compactMap { info($0, at: time) }
        return infos.filter { info in
            guard shown[info.trackingID] != info else { return false }
            shown[info.trackingID] = info
            return true
        }
    }

    private func info(_ tracking: TrackingID, at time: Date) -> TaskTrackingInfo? {
        let known = (shipments[tracking] ?? []).compactMap { tasks[$0] }
        guard let task = known.shown(stop: { place(of: $0)?.index }) else { return nil }
        var info = TaskTrackingInfo(task, trackingID: tracking)
        if let (journey, index) = place(of: task), task.state == .open {
            let segments = Array(journey.vehicle.segments[...index])
            info.show(
                journey.vehicle.lastLocation,
                Approach(segments, durations: segments.map(duration), from: journey.time, arrivedAt: journey.arrivedAt),
                by: task.trackingView,
                isOnBreak: journey.vehicle.segments.isOnBreak { tasks[$0]?.kind },
                at: time
            )
        }
        return info
    }

    private func place(of task: DeliveryTask) -> (journey: Tour, index: Int)? {
        guard let journey = task.vehicleID.flatMap({ journeys[$0] }),
            let index = journey.vehicle.segments.firstIndex(where: { segment in
                segment.stop?.tasks.contains { $0.id == task.id } ?? false
            })
        else { return nil }
        return (journey, index)
    }

    private func duration(of segment: JourneySegment) -> Duration {
        (segment.stop?.tasks ?? []).reduce(.zero) { $0 + ($1.duration ?? tasks[$1.id]?.duration ?? .zero) }
    }
}

extension DeliveryVehicle {
    /// The vehicle with the way to a stop that it has reached: a log omits a distance and a duration of zero.
    fileprivate var withReachedStop: DeliveryVehicle {
        var vehicle = self
        for index in segments.indices where segments[index].stop?.state == .arrived {
            vehicle.segments[index].distance = segments[index].distance ?? Distance(meters: 0)
            vehicle.segments[index].duration = segments[index].duration ?? .zero
        }
        return vehicle
    }
}
