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

    private mutating func segment() throws -> JourneySegment {
        var segment = JourneySegment(
            stop: try maybe { models in
                var stop = VehicleStop(
                    plannedLocation: models.maybe { $0.coordinate() },
                    state: VehicleStop.State(name: models.name(["NEW", "ENROUTE", "ARRIVED", "STATE_UNSPECIFIED"]))
                )
                stop.tasks = try models.some { models in
                    var task = VehicleStop.TaskInfo(id: try TaskID("t\(models.roll(99))"))
                    task.duration = models.maybe { $0.duration() }
                    task.targetTimeWindow = models.maybe { $0.window() }
                    return task
                }
                return stop
            }
        )
        segment.distance = maybe { Distance(meters: Double($0.roll(99_999))) }
        segment.duration = maybe { $0.duration() }
        segment.path = some { $0.coordinate() }
        return segment
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
            let vehicle = DeliveryVehicleCoding.message(try deliveryVehicle())
            task.journeySharingInfo.remainingVehicleJourneySegments = vehicle.remainingVehicleJourneySegments
            if vehicle.hasLastLocation { task.journeySharingInfo.lastLocation = vehicle.lastLocation }
            task.journeySharingInfo.lastLocationSnappable = roll(2) == 0
        }
        task.attributes = TaskTrackingCoding.message(try trackingInfo()).attributes
        return task
    }

    mutating func deliveryVehicle() throws -> DeliveryVehicle {
        var vehicle = DeliveryVehicle(id: try DeliveryVehicleID("v\(roll(99))"), provider: try ProviderID("p"))
        vehicle.type = maybe { $0.name(["AUTO", "TWO_WHEELER", "BICYCLE", "PEDESTRIAN"]) }
        vehicle.lastLocation = maybe { $0.location() }
        vehicle.navigationStatus = maybe { $0.name(["NO_GUIDANCE", "OFF_ROUTE"]) }
        vehicle.currentRoute = maybe { models in
            var route = ReportedRoute(bytes: [UInt8(models.roll(256)), 0, 255])
            route.end = models.maybe { $0.coordinate() }
            route.remainingDistance = models.maybe { Distance(meters: Double($0.roll(99_999))) }
            route.remainingDuration = models.maybe { $0.duration() }
            return route
        }
        vehicle.segments = try some { try $0.segment() }
        vehicle.attributes = some { $0.attribute() }
        vehicle.pastLocations = some { $0.location() }
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
