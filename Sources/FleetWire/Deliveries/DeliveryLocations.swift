import FleetEngineProtos
import SwiftProtobuf
package import TripModel

/// The locations of delivery vehicles: a message of its own with the fields, numbers and types of the location of trips.
///
/// The bytes of one message are therefore valid bytes of the other message, so that one reader and one writer serve
/// both. Only the sensors are copied one by one: a name that the schema does not have is a number that bytes can't hold.
extension MessageReader {
    func location(_ message: DeliveryLocationMessage) -> VehicleLocation {
        var location = location(message.locationOfTrips)
        location.sensor = EnumNames.sensor.nameIfSet(message.locationSensor, unknown)
        location.rawSensor = EnumNames.sensor.nameIfSet(message.rawLocationSensor, unknown)
        location.supplemental?.sensor = EnumNames.sensor.nameIfSet(message.supplementalLocationSensor, unknown)
        return location
    }
}

extension MessageWriter {
    mutating func deliveryLocation(_ location: VehicleLocation) -> DeliveryLocationMessage {
        var source = self.location(location)
        let sensors = (source.locationSensor, source.rawLocationSensor, source.supplementalLocationSensor)
        (source.locationSensor, source.rawLocationSensor) = (.unknownSensor, .unknownSensor)
        source.supplementalLocationSensor = .unknownSensor
        var message = source.with(the: DeliveryLocationMessage.self)
        message.locationSensor = .init(rawValue: sensors.0.rawValue) ?? .unknownSensor
        message.rawLocationSensor = .init(rawValue: sensors.1.rawValue) ?? .unknownSensor
        message.supplementalLocationSensor = .init(rawValue: sensors.2.rawValue) ?? .unknownSensor
        return message
    }
}

extension DeliveryLocationMessage {
    /// Creates the message of a location.
    package init(_ location: VehicleLocation) {
        var writer = MessageWriter()
        self = writer.deliveryLocation(location)
    }

    /// The location as a value of the model.
    package var model: VehicleLocation { MessageReader().location(self) }

    /// The same location as a message of trips, without the sensors.
    var locationOfTrips: LocationMessage {
        var message = self
        (message.locationSensor, message.rawLocationSensor) = (.unknownSensor, .unknownSensor)
        message.supplementalLocationSensor = .unknownSensor
        return message.with(the: LocationMessage.self)
    }
}

extension Message {
    /// Returns a message of another type with the same bytes.
    fileprivate func with<Other: Message>(the type: Other.Type) -> Other {
        do {
            let bytes: [UInt8] = try serializedBytes()
            return try Other(serializedBytes: bytes)
        } catch {
            // A test compares the two schemas with the published ones.
            preconditionFailure("the bytes of a \(Self.protoMessageName) are no \(type.protoMessageName): \(error)")
        }
    }
}
