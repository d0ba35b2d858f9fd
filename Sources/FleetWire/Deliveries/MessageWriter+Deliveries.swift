import FleetEngineProtos
import SwiftProtobuf
import TripModel

/// What recipients see.
extension MessageWriter {
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
