import FleetEngineProtos
import Foundation
import SwiftProtobuf
import TripModel

/// Delivery vehicles and what recipients see.
extension MessageWriter {
    mutating func deliveryVehicle(_ vehicle: DeliveryVehicle) -> DeliveryVehicleMessage {
        var message = DeliveryVehicleMessage()
        message.name = ResourceName.deliveryVehicle(vehicle.provider, vehicle.id).text
        message.type = EnumNames.deliveryVehicleType.value(vehicle.type, &unknown)
        if let location = vehicle.lastLocation { message.lastLocation = deliveryLocation(location) }
        message.navigationStatus = EnumNames.navigationStatus.value(vehicle.navigationStatus, &unknown)
        if let route = vehicle.currentRoute {
            message.currentRouteSegment = Data(route.bytes)
            message.set(\.currentRouteSegmentEndPoint, route.end.map(LatLngMessage.init))
            message.set(\.remainingDistanceMeters, route.remainingDistance.map(Google_Protobuf_Int32Value.init))
            message.set(\.remainingDuration, route.remainingDuration.map(Google_Protobuf_Duration.init))
        }
        message.remainingVehicleJourneySegments = segments(vehicle.segments)
        message.attributes = vehicle.attributes.map(DeliveryVehicleAttributeMessage.init)
        message.pastLocations = vehicle.pastLocations.map { deliveryLocation($0) }
        return message
    }

    private mutating func segments(_ segments: [JourneySegment]) -> [SegmentMessage] {
        segments.map { segment in
            var message = SegmentMessage()
            if let stop = segment.stop { message.stop = self.stop(stop) }
            message.set(\.drivingDistanceMeters, segment.distance.map(Google_Protobuf_Int32Value.init))
            message.set(\.drivingDuration, segment.duration.map(Google_Protobuf_Duration.init))
            message.path = segment.path.map(LatLngMessage.init)
            return message
        }
    }

    private mutating func stop(_ stop: VehicleStop) -> DeliveryStopMessage {
        var message = DeliveryStopMessage()
        message.set(\.plannedLocation, stop.plannedLocation.map(PlaceMessage.init))
        message.state = EnumNames.stopState.value(stop.state.name, &unknown)
        message.tasks = stop.tasks.map { task in
            .with {
                $0.taskID = task.id.rawValue
                $0.set(\.taskDuration, task.duration.map(Google_Protobuf_Duration.init))
                $0.set(\.targetTimeWindow, task.targetTimeWindow.map(WindowMessage.init))
            }
        }
        return message
    }

    mutating func trackingInfo(_ info: TaskTrackingInfo) -> TrackingMessage {
        var message = TrackingMessage()
        message.name = ResourceName.taskTrackingInfo(info.provider, info.trackingID).text
        message.trackingID = info.trackingID.rawValue
        message.state = EnumNames.taskState.value(info.state.name, &unknown)
        message.set(\.plannedLocation, info.plannedLocation.map(PlaceMessage.init))
        message.set(\.targetTimeWindow, info.targetTimeWindow.map(WindowMessage.init))
        message.taskOutcome = EnumNames.taskOutcome.value(info.outcome?.name, &unknown)
        message.set(\.taskOutcomeTime, info.outcomeTime?.timestamp)
        message.attributes = info.attributes.map(TaskAttributeMessage.init)
        if let location = info.vehicleLocation { message.vehicleLocation = deliveryLocation(location) }
        message.routePolylinePoints = info.route?.points.map(LatLngMessage.init) ?? []
        message.set(
            \.remainingStopCount,
            info.remainingStopCount.map { Google_Protobuf_Int32Value(Int32(clamping: $0)) }
        )
        message.set(
            \.remainingDrivingDistanceMeters,
            info.remainingDistance.map(Google_Protobuf_Int32Value.init)
        )
        message.set(\.estimatedArrivalTime, info.estimatedArrival?.timestamp)
        message.set(\.estimatedTaskCompletionTime, info.estimatedCompletion?.timestamp)
        return message
    }
}
