import FleetWire
import Foundation
import Runtime
import TripModel

/// Reads the tasks, vehicles and shipments of delivery calls in the log's spelling.
enum DeliveryAnswer {
    /// Returns a task; `nil` without a valid ID.
    static func task(_ value: JSONValue, in provider: ProviderID) -> DeliveryTask? {
        // An invalid ID counts as missing.
        guard let id = LogFields.lastPart(value["name"]).flatMap({ try? TaskID($0) }) else { return nil }
        let kind = enumName(value["type"], "TASK_TYPE_LOG_", "TYPE_") ?? ""
        var task = DeliveryTask(id: id, provider: provider, kind: .init(name: kind), state: state(value))
        // Both IDs are absent if they are invalid.
        task.trackingID = value["trackingid"]?.string.flatMap { try? TrackingID($0) }
        task.vehicleID = value["deliveryvehicleid"]?.string.flatMap { try? DeliveryVehicleID($0) }
        task.plannedLocation = LogFields.coordinate(value["plannedlocation"]?["point"])
        task.duration = LogFields.duration(value["taskduration"])
        task.outcome = outcome(value)
        task.outcomeTime = LogFields.date(value["taskoutcometime"])
        task.targetTimeWindow = window(value["targettimewindow"])
        task.trackingView = value["tasktrackingviewconfig"].flatMap(view)
        return task
    }

    /// Returns what the recipient of a shipment received.
    static func shipment(_ value: JSONValue, _ id: TrackingID, in provider: ProviderID) -> TaskTrackingInfo {
        var info = TaskTrackingInfo(trackingID: id, provider: provider, state: state(value))
        info.plannedLocation = LogFields.coordinate(value["plannedlocation"]?["point"])
        info.targetTimeWindow = window(value["targettimewindow"])
        info.outcome = outcome(value)
        info.outcomeTime = LogFields.date(value["taskoutcometime"])
        info.vehicleLocation = LogFields.location(value["vehiclelocation"])
        let points = path(value["routepolylinepoints"])
        info.route = points.isEmpty ? nil : Route(points)
        let stops = value["remainingstopcount"]
        info.remainingStopCount = (stops?["value"] ?? stops)?.integer
        info.remainingDistance = meters(value["remainingdrivingdistancemeters"])
        info.estimatedArrival = LogFields.date(value["estimatedarrivaltime"])
        info.estimatedCompletion = LogFields.date(value["estimatedtaskcompletiontime"])
        return info
    }

    private static func state(_ task: JSONValue) -> DeliveryTask.State {
        DeliveryTask.State(name: enumName(task["state"], "TASK_STATE_LOG_", "STATE_") ?? "")
    }

    private static func outcome(_ task: JSONValue) -> DeliveryTask.Outcome? {
        enumName(task["taskoutcome"], "TASK_OUTCOME_LOG_", "TASK_OUTCOME_").map(DeliveryTask.Outcome.init(name:))
    }

    /// Returns a distance, which may be an object with the number.
    private static func meters(_ value: JSONValue?) -> Distance? { LogFields.distance(value?["value"] ?? value) }

    private static func path(_ value: JSONValue?) -> [Coordinate] {
        (value?.elements ?? []).prefix(ElementLimits.maximum(of: .pathPoints)).compactMap(LogFields.coordinate)
    }

    /// Returns a vehicle with its stops; `nil` without a valid ID.
    static func vehicle(_ value: JSONValue, in provider: ProviderID) -> DeliveryVehicle? {
        // An invalid ID counts as missing.
        guard let id = LogFields.lastPart(value["name"]).flatMap({ try? DeliveryVehicleID($0) }) else { return nil }
        var vehicle = DeliveryVehicle(id: id, provider: provider)
        vehicle.lastLocation = LogFields.location(value["lastlocation"])
        let segments = value["remainingvehiclejourneysegments"]?.elements ?? []
        vehicle.segments = segments.prefix(ElementLimits.maximum(of: .waypoints)).map(segment)
        return vehicle
    }

    private static func segment(_ value: JSONValue) -> JourneySegment {
        var segment = JourneySegment(stop: value["stop"].flatMap(stop))
        segment.distance = meters(value["drivingdistancemeters"])
        segment.duration = LogFields.duration(value["drivingduration"])
        if segment.stop?.state == .arrived {
            // The log omits a distance and a duration of zero.
            segment.distance = segment.distance ?? Distance(meters: 0)
            segment.duration = segment.duration ?? .zero
        }
        segment.path = path(value["path"])
        return segment
    }

    private static func stop(_ value: JSONValue) -> VehicleStop? {
        guard value.members != nil else { return nil }
        let state = enumName(value["state"], "VEHICLE_STOP_STATE_LOG_", "STATE_") ?? ""
        var stop = VehicleStop(
            plannedLocation: LogFields.coordinate(value["plannedlocation"]?["point"]),
            state: VehicleStop.State(name: state)
        )
        stop.tasks = (value["tasks"]?.elements ?? []).prefix(ElementLimits.maximum(of: .names)).compactMap { task in
            // A task with an invalid ID is skipped.
            guard let id = task["taskid"]?.string.flatMap({ try? TaskID($0) }) else { return nil }
            var info = VehicleStop.TaskInfo(id: id)
            info.duration = LogFields.duration(task["taskduration"])
            info.targetTimeWindow = window(task["targettimewindow"])
            return info
        }
        return stop
    }

    private static func window(_ value: JSONValue?) -> TimeWindow? {
        guard let start = LogFields.date(value?["starttime"]), let end = LogFields.date(value?["endtime"]), start <= end
        else { return nil }
        return TimeWindow(start: start, end: end)
    }

    private static func view(_ value: JSONValue) -> TrackingViewConfig? {
        guard value.members?.isEmpty == false else { return nil }
        var view = TrackingViewConfig()
        view.route = visibility(value["routepolylinepointsvisibility"])
        view.estimatedArrival = visibility(value["estimatedarrivaltimevisibility"])
        view.estimatedCompletion = visibility(value["estimatedtaskcompletiontimevisibility"])
        view.remainingDistance = visibility(value["remainingdrivingdistancevisibility"])
        view.remainingStopCount = visibility(value["remainingstopcountvisibility"])
        view.vehicleLocation = visibility(value["vehiclelocationvisibility"])
        return view
    }

    private static func visibility(_ value: JSONValue?) -> TrackingViewConfig.Visibility? {
        guard let value else { return nil }
        if value["always"]?.bool == true { return .always }
        if value["never"]?.bool == true { return .never }
        if let count = value["remainingstopcountthreshold"]?.integer { return .remainingStops(count) }
        if let time = LogFields.duration(value["durationuntilestimatedarrivaltimethreshold"]) {
            return .timeUntilArrival(time)
        }
        return value["remainingdrivingdistancemetersthreshold"]?.integer.map { .remainingDistance($0) }
    }

    /// Returns an API name without the log's prefix; `nil` for a missing or unspecified one.
    private static func enumName(_ value: JSONValue?, _ prefix: String, _ unspecified: String) -> String? {
        guard let name = LogFields.enumName(value, prefix: prefix), name != unspecified + "UNSPECIFIED",
            name != "UNSPECIFIED"
        else { return nil }
        return name
    }
}
