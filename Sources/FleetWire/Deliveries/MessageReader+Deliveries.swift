import FleetEngineProtos
import SwiftProtobuf
package import TripModel

/// Tasks, delivery vehicles and what recipients see.
extension MessageReader {
    /// Returns the task of a message; throws ``WireError`` for a missing or invalid name.
    mutating func task(_ message: TaskMessage) throws(WireError) -> DeliveryTask {
        guard case .task(let provider, let id) = try ResourceName(field: message.name) else {
            throw .badName(message.name.bounded(to: 200))
        }
        return task(message, id, in: provider)
    }

    /// Returns the task of a message with an ID, whatever its name is.
    mutating func task(_ message: TaskMessage, _ id: TaskID, in provider: ProviderID) -> DeliveryTask {
        var task = DeliveryTask(
            id: id,
            provider: provider,
            kind: DeliveryTask.Kind(name: EnumNames.taskType.name(message.type, unknown)),
            state: DeliveryTask.State(name: EnumNames.taskState.name(message.state, unknown))
        )
        // An invalid ID counts as unknown.
        task.trackingID = message.trackingID.nonEmpty.flatMap { try? TrackingID($0) }
        task.vehicleID = message.deliveryVehicleID.nonEmpty.flatMap { try? DeliveryVehicleID($0) }
        task.plannedLocation = message.hasPlannedLocation ? message.plannedLocation.coordinate : nil
        if message.hasTaskDuration { task.duration = message.taskDuration.length }
        task.outcome = outcome(message.taskOutcome)
        if message.hasTaskOutcomeTime { task.outcomeTime = message.taskOutcomeTime.time }
        task.outcomeLocation = message.hasTaskOutcomeLocation ? message.taskOutcomeLocation.coordinate : nil
        task.outcomeLocationSource = EnumNames.outcomeLocationSource.nameIfSet(
            message.taskOutcomeLocationSource,
            unknown
        )
        task.targetTimeWindow = message.hasTargetTimeWindow ? message.targetTimeWindow.window : nil
        if message.hasTaskTrackingViewConfig {
            task.trackingView = TrackingViewConfig(message.taskTrackingViewConfig)
        }
        if message.hasJourneySharingInfo { task.journey = journey(message.journeySharingInfo) }
        task.attributes = bounded(message.attributes, .attributes).compactMap(\.attribute)
        task.omitted = budget.omittedElements
        return task
    }

    private mutating func journey(_ message: TaskMessage.JourneySharingInfo) -> TaskJourney {
        var journey = TaskJourney(segments: segments(message.remainingVehicleJourneySegments))
        if message.hasLastLocation { journey.lastLocation = location(message.lastLocation) }
        journey.lastLocationSnappable = message.lastLocationSnappable
        return journey
    }

    private func outcome(_ value: TaskMessage.TaskOutcome) -> DeliveryTask.Outcome? {
        EnumNames.taskOutcome.nameIfSet(value, unknown).map(DeliveryTask.Outcome.init(name:))
    }

    /// Returns the delivery vehicle of a message; throws ``WireError`` for a missing or invalid name.
    mutating func deliveryVehicle(_ message: DeliveryVehicleMessage) throws(WireError) -> DeliveryVehicle {
        guard case .deliveryVehicle(let provider, let id) = try ResourceName(field: message.name) else {
            throw .badName(message.name.bounded(to: 200))
        }
        return deliveryVehicle(message, id, in: provider)
    }

    /// Returns the delivery vehicle of a message with an ID, whatever its name is.
    mutating func deliveryVehicle(
        _ message: DeliveryVehicleMessage,
        _ id: DeliveryVehicleID,
        in provider: ProviderID
    ) -> DeliveryVehicle {
        var vehicle = DeliveryVehicle(id: id, provider: provider)
        vehicle.type = EnumNames.deliveryVehicleType.nameIfSet(message.type, unknown)
        if message.hasLastLocation { vehicle.lastLocation = location(message.lastLocation) }
        vehicle.navigationStatus = EnumNames.navigationStatus.nameIfSet(message.navigationStatus, unknown)
        vehicle.currentRoute = message.reportedRoute
        vehicle.segments = segments(message.remainingVehicleJourneySegments)
        vehicle.attributes = bounded(message.attributes, .attributes).compactMap(\.attribute)
        for place in bounded(message.pastLocations, .pastLocations) { vehicle.pastLocations.append(location(place)) }
        vehicle.omitted = budget.omittedElements
        return vehicle
    }

    private mutating func segments(_ messages: [SegmentMessage]) -> [JourneySegment] {
        var result: [JourneySegment] = []
        for message in bounded(messages, .waypoints) {
            var segment = JourneySegment(stop: message.hasStop ? stop(message.stop) : nil)
            if message.hasDrivingDistanceMeters {
                segment.distance = Distance(meters: Double(message.drivingDistanceMeters.value))
            }
            if message.hasDrivingDuration { segment.duration = message.drivingDuration.length }
            segment.path = path(message.path) ?? []
            result.append(segment)
        }
        return result
    }

    private mutating func stop(_ message: DeliveryStopMessage) -> VehicleStop {
        var stop = VehicleStop(
            plannedLocation: message.hasPlannedLocation ? message.plannedLocation.coordinate : nil,
            state: VehicleStop.State(name: EnumNames.stopState.name(message.state, unknown))
        )
        stop.tasks = bounded(message.tasks, .names).compactMap { message in
            // A task with an invalid ID can't be requested, so it is skipped.
            guard let id = try? TaskID(message.taskID) else { return nil }
            var info = VehicleStop.TaskInfo(id: id)
            if message.hasTaskDuration { info.duration = message.taskDuration.length }
            info.targetTimeWindow = message.hasTargetTimeWindow ? message.targetTimeWindow.window : nil
            return info
        }
        return stop
    }

    /// Returns what the recipient sees; throws ``WireError`` for a missing or invalid name.
    mutating func trackingInfo(_ message: TrackingMessage) throws(WireError) -> TaskTrackingInfo {
        guard case .taskTrackingInfo(let provider, let id) = try ResourceName(field: message.name) else {
            throw .badName(message.name.bounded(to: 200))
        }
        return trackingInfo(message, id, in: provider)
    }

    /// Returns the shipment of a message with an ID, whatever its name is.
    mutating func trackingInfo(
        _ message: TrackingMessage,
        _ id: TrackingID,
        in provider: ProviderID
    ) -> TaskTrackingInfo {
        let state = DeliveryTask.State(name: EnumNames.taskState.name(message.state, unknown))
        var info = TaskTrackingInfo(trackingID: id, provider: provider, state: state)
        info.plannedLocation = message.hasPlannedLocation ? message.plannedLocation.coordinate : nil
        info.targetTimeWindow = message.hasTargetTimeWindow ? message.targetTimeWindow.window : nil
        info.outcome = outcome(message.taskOutcome)
        if message.hasTaskOutcomeTime { info.outcomeTime = message.taskOutcomeTime.time }
        info.attributes = bounded(message.attributes, .attributes).compactMap(\.attribute)
        if message.hasVehicleLocation { info.vehicleLocation = location(message.vehicleLocation) }
        info.route = path(message.routePolylinePoints).map { Route($0) }
        if message.hasRemainingStopCount { info.remainingStopCount = Int(message.remainingStopCount.value) }
        if message.hasRemainingDrivingDistanceMeters {
            info.remainingDistance = Distance(meters: Double(message.remainingDrivingDistanceMeters.value))
        }
        if message.hasEstimatedArrivalTime { info.estimatedArrival = message.estimatedArrivalTime.time }
        if message.hasEstimatedTaskCompletionTime {
            info.estimatedCompletion = message.estimatedTaskCompletionTime.time
        }
        info.omitted = budget.omittedElements
        return info
    }
}

extension DeliveryVehicleMessage {
    /// The way to the next stop; `nil` without a path, because the service ignores the other values then.
    package var reportedRoute: ReportedRoute? {
        guard !currentRouteSegment.isEmpty else { return nil }
        var route = ReportedRoute(bytes: Array(currentRouteSegment))
        route.end = hasCurrentRouteSegmentEndPoint ? currentRouteSegmentEndPoint.coordinate : nil
        if hasRemainingDistanceMeters {
            route.remainingDistance = Distance(meters: Double(remainingDistanceMeters.value))
        }
        if hasRemainingDuration { route.remainingDuration = remainingDuration.length }
        return route
    }
}
