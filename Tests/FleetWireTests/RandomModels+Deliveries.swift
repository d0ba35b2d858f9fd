import FleetEngineProtos
import FleetWire
import Foundation
import Runtime
import SwiftProtobuf
import TripModel

/// Random tasks, delivery vehicles and views of recipients.
extension RandomModels {
    private mutating func window() -> TimeWindow { TimeWindow(start: time(), end: time()) }

    private mutating func visibility() -> TrackingViewConfig.Visibility {
        switch roll(5) {
        case 0: .remainingStops(roll(9))
        case 1: .timeUntilArrival(.milliseconds(roll(9_000_000)))
        case 2: .remainingDistance(roll(9_000))
        case 3: .always
        default: .never
        }
    }

    private mutating func view() -> TrackingViewConfig {
        var view = TrackingViewConfig()
        view.route = maybe { $0.visibility() }
        view.estimatedArrival = maybe { $0.visibility() }
        view.estimatedCompletion = maybe { $0.visibility() }
        view.remainingDistance = maybe { $0.visibility() }
        view.remainingStopCount = maybe { $0.visibility() }
        view.vehicleLocation = maybe { $0.visibility() }
        return view
    }

    private mutating func segment() -> SegmentMessage {
        var segment = SegmentMessage()
        if roll(3) > 0 {
            if let place = maybe({ $0.coordinate() }) { segment.stop.plannedLocation = PlaceMessage(place) }
            segment.stop.state = .init(rawValue: roll(4)) ?? .unspecified
            segment.stop.tasks = some { models in
                var task = DeliveryStopMessage.TaskInfo()
                task.taskID = "t\(models.roll(99))"
                if let time = models.maybe({ $0.duration() }) { task.taskDuration = Google_Protobuf_Duration(time) }
                if let window = models.maybe({ $0.window() }) { task.targetTimeWindow = WindowMessage(window) }
                return task
            }
        }
        if let distance = maybe({ $0.roll(99_999) }) { segment.drivingDistanceMeters = .init(Int32(distance)) }
        if let time = maybe({ $0.duration() }) { segment.drivingDuration = Google_Protobuf_Duration(time) }
        segment.path = some { LatLngMessage($0.coordinate()) }
        return segment
    }

    /// A location in the message of what a recipient sees.
    private mutating func locationMessage() throws -> DeliveryLocationMessage {
        var info = TaskTrackingInfo(trackingID: try TrackingID("s"), provider: try ProviderID("p"), state: .open)
        info.vehicleLocation = location()
        return TaskTrackingCoding.message(info).vehicleLocation
    }

    private mutating func outcome() -> DeliveryTask.Outcome {
        DeliveryTask.Outcome(name: name(["SUCCEEDED", "FAILED"]))
    }

    mutating func task() throws -> TaskMessage {
        var task = TaskMessage()
        task.name = "providers/p/tasks/task \(roll(99))"
        (task.type, task.state) = (.init(rawValue: roll(5)) ?? .unspecified, .init(rawValue: roll(3)) ?? .unspecified)
        task.trackingID = maybe { "s\($0.roll(9))" } ?? ""
        task.deliveryVehicleID = maybe { "v\($0.roll(9))" } ?? ""
        if let place = maybe({ $0.coordinate() }) { task.plannedLocation = PlaceMessage(place) }
        if let time = maybe({ $0.duration() }) { task.taskDuration = Google_Protobuf_Duration(time) }
        task.taskOutcome = .init(rawValue: roll(3)) ?? .unspecified
        if let time = maybe({ $0.time() }) { task.taskOutcomeTime = Google_Protobuf_Timestamp(time) }
        if let place = maybe({ $0.coordinate() }) { task.taskOutcomeLocation = PlaceMessage(place) }
        task.taskOutcomeLocationSource = [.unspecified, .provider, .lastVehicleLocation][roll(3)]
        if let window = maybe({ $0.window() }) { task.targetTimeWindow = WindowMessage(window) }
        if let view = maybe({ $0.view() }) { task.taskTrackingViewConfig = ViewConfigMessage(view) }
        if roll(2) == 0 {
            task.journeySharingInfo.remainingVehicleJourneySegments = some { $0.segment() }
            if let place = try maybe({ try $0.locationMessage() }) { task.journeySharingInfo.lastLocation = place }
            task.journeySharingInfo.lastLocationSnappable = roll(2) == 0
        }
        task.attributes = TaskTrackingCoding.message(try trackingInfo()).attributes
        return task
    }

    mutating func deliveryVehicle() throws -> DeliveryVehicleMessage {
        var vehicle = DeliveryVehicleMessage()
        vehicle.name = "providers/p/deliveryVehicles/v\(roll(99))"
        vehicle.type = .init(rawValue: roll(5)) ?? .unspecified
        if let place = try maybe({ try $0.locationMessage() }) { vehicle.lastLocation = place }
        vehicle.navigationStatus = .init(rawValue: roll(5)) ?? .init()
        if roll(3) > 0 {
            vehicle.currentRouteSegment = Data([UInt8(roll(256)), 0, 255])
            if let end = maybe({ $0.coordinate() }) { vehicle.currentRouteSegmentEndPoint = LatLngMessage(end) }
            if let distance = maybe({ $0.roll(99_999) }) { vehicle.remainingDistanceMeters = .init(Int32(distance)) }
            if let time = maybe({ $0.duration() }) { vehicle.remainingDuration = Google_Protobuf_Duration(time) }
        }
        vehicle.remainingVehicleJourneySegments = some { $0.segment() }
        vehicle.attributes = some { models in
            .with { ($0.key, $0.numberValue) = ("a\(models.roll(9))", Double(models.roll(99))) }
        }
        vehicle.pastLocations = try some { try $0.locationMessage() }
        return vehicle
    }

    mutating func trackingInfo() throws -> TaskTrackingInfo {
        var info = TaskTrackingInfo(
            trackingID: try TrackingID("shipment \(roll(99))"),
            provider: try ProviderID("p"),
            state: DeliveryTask.State(name: name(["OPEN", "CLOSED", "STATE_UNSPECIFIED"]))
        )
        info.plannedLocation = maybe { $0.coordinate() }
        info.targetTimeWindow = maybe { $0.window() }
        info.outcome = maybe { $0.outcome() }
        info.outcomeTime = maybe { $0.time() }
        info.attributes = some { $0.attribute() }
        info.vehicleLocation = maybe { $0.location() }
        info.route = maybe { models in Route([models.coordinate()] + models.some { $0.coordinate() }) }
        info.remainingStopCount = maybe { $0.roll(99) }
        info.remainingDistance = maybe { Distance(meters: Double($0.roll(99_999))) }
        info.estimatedArrival = maybe { $0.time() }
        info.estimatedCompletion = maybe { $0.time() }
        return info
    }
}
