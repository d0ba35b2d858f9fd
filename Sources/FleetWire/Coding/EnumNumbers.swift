import FleetEngineProtos
import SwiftProtobuf
import TripModel

/// Answers with numbers instead of the names of enum values, as `$alt=json;enum-encoding=int` requests.
package enum EnumNumbers {
    /// The message of an answer.
    package enum Message: Sendable {
        case trip
        case trips
        case vehicle
        case vehicles
        case matches

        fileprivate var type: any SwiftProtobuf.Message.Type {
            switch self {
            case .trip: Maps_Fleetengine_V1_Trip.self
            case .trips: Maps_Fleetengine_V1_SearchTripsResponse.self
            case .vehicle: Maps_Fleetengine_V1_Vehicle.self
            case .vehicles: Maps_Fleetengine_V1_ListVehiclesResponse.self
            case .matches: Maps_Fleetengine_V1_SearchVehiclesResponse.self
            }
        }
    }

    /// Returns an answer with numbers instead of names.
    ///
    /// Enum names of a recording that the schema does not have are omitted, because they have no number. Throws ``WireError``
    /// if the bytes are not the message.
    package static func encode(_ body: [UInt8], as message: Message) throws(WireError) -> [UInt8] {
        var reading = JSONDecodingOptions()
        reading.ignoreUnknownFields = true
        var writing = JSONEncodingOptions()
        writing.alwaysPrintEnumsAsInts = true
        do {
            return try message.type.init(jsonUTF8Bytes: body, options: reading).jsonUTF8Bytes(options: writing)
        } catch {
            throw .notJSON(reason: "\(error)".bounded(to: 300))
        }
    }
}
