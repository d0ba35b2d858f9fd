package import FleetEngineProtos
import Runtime
package import SwiftProtobuf
package import TripModel

// The generated types of deliveries by the names of their messages.

package typealias TaskMessage = Maps_Fleetengine_Delivery_V1_Task
package typealias DeliveryVehicleMessage = Maps_Fleetengine_Delivery_V1_DeliveryVehicle
package typealias TrackingMessage = Maps_Fleetengine_Delivery_V1_TaskTrackingInfo
package typealias DeliveryLocationMessage = Maps_Fleetengine_Delivery_V1_DeliveryVehicleLocation
package typealias SegmentMessage = Maps_Fleetengine_Delivery_V1_VehicleJourneySegment
package typealias DeliveryStopMessage = Maps_Fleetengine_Delivery_V1_VehicleStop
package typealias PlaceMessage = Maps_Fleetengine_Delivery_V1_LocationInfo
package typealias WindowMessage = Maps_Fleetengine_Delivery_V1_TimeWindow
package typealias ViewConfigMessage = Maps_Fleetengine_Delivery_V1_TaskTrackingViewConfig
typealias TaskAttributeMessage = Maps_Fleetengine_Delivery_V1_TaskAttribute
typealias DeliveryVehicleAttributeMessage = Maps_Fleetengine_Delivery_V1_DeliveryVehicleAttribute

/// The enums of `maps.fleetengine.delivery.v1`; the enums of locations have the names and numbers of the enums of trips.
extension EnumNames {
    static let taskType = deliveries("Task.Type")
    static let taskState = deliveries("Task.State")
    static let taskOutcome = deliveries("Task.TaskOutcome")
    static let outcomeLocationSource = deliveries("Task.TaskOutcomeLocationSource")
    package static let deliveryVehicleType = deliveries("DeliveryVehicle.DeliveryVehicleType")
    static let stopState = deliveries("VehicleStop.State")

    private static func deliveries(_ name: String) -> EnumNames { named("maps.fleetengine.delivery.v1.\(name)") }
}

extension TaskAttributeMessage: AttributeMessage {
    /// The value; a text without characters if none is set, as the schema says.
    package var content: Attribute.Value? {
        switch taskAttributeValue {
        case .stringValue(let text): .text(text)
        case .boolValue(let flag): .flag(flag)
        case .numberValue(let number): .number(number)
        case nil: .text("")
        }
    }
    package var plainText: String {
        get { "" }
        set {}
    }
}

extension DeliveryVehicleAttributeMessage: AttributeMessage {
    package var content: Attribute.Value? {
        switch deliveryVehicleAttributeValue {
        case .stringValue(let text): .text(text)
        case .boolValue(let flag): .flag(flag)
        case .numberValue(let number): .number(number)
        case nil: nil
        }
    }
    package var plainText: String {
        get { value }
        set { value = newValue }
    }
}

extension PlaceMessage {
    package init(_ coordinate: Coordinate) {
        self.init()
        point = LatLngMessage(coordinate)
    }

    /// The coordinate; `nil` without one.
    package var coordinate: Coordinate? { hasPoint ? point.coordinate : nil }
}

extension WindowMessage {
    package init(_ window: TimeWindow) {
        self.init()
        (startTime, endTime) = (Google_Protobuf_Timestamp(window.start), Google_Protobuf_Timestamp(window.end))
    }

    /// The window; `nil` without both ends.
    package var window: TimeWindow? {
        hasStartTime && hasEndTime ? TimeWindow(start: startTime.time, end: endTime.time) : nil
    }
}

extension Message {
    /// The names of the fields that are set, in camelCase.
    package var setFields: Set<String> {
        // A message that was decoded from JSON has a JSON form.
        guard let bytes: [UInt8] = try? jsonUTF8Bytes(), case .object(let members)? = JSONValue(bytes) else {
            return []
        }
        return Set(members.map(\.key))
    }
}

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
