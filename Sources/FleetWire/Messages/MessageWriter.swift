import FleetEngineProtos
import SwiftProtobuf
import TripModel

/// The encoding of a path.
package enum PathFormat: Sendable, Hashable {
    /// A list of points (`LAT_LNG_LIST_TYPE`, the default).
    case points
    /// An encoded string (`ENCODED_POLYLINE_TYPE`).
    case encoded
}

/// Converts the types of the model to messages.
struct MessageWriter {
    var format = PathFormat.points
    /// The names of enum values that the schema does not have.
    var unknown = UnknownNames()

    mutating func trip(_ trip: Trip) -> TripMessage {
        var message = TripMessage()
        message.name = ResourceName.trip(trip.provider, trip.id).text
        for row in TripFieldRow.all { row.write(trip, &self, &message) }
        return message
    }
}
