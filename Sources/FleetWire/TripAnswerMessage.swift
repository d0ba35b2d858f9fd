import TripModel

/// A trip as an answer carries it: the known fields, and the names and texts of all others.
struct TripAnswerMessage: Decodable {
    let message: TripMessage
    let unknownFields: [UnknownField]

    init(from decoder: any Decoder) throws {
        message = try TripMessage(from: decoder)
        let fields = try decoder.container(keyedBy: FieldName.self)
        let unknown = fields.allKeys.filter { !Self.known.contains($0.stringValue) }
            .sorted { $0.stringValue < $1.stringValue }
        unknownFields = try unknown.prefix(UnknownField.maximumCount).map {
            UnknownField(name: $0.stringValue, text: try fields.decode(FieldText.self, forKey: $0).text)
        }
    }

    /// Every field of the message `Trip` (reference, section 1.1), also those that are not used here.
    private static let known: Set<String> = [
        "name", "vehicleId", "tripStatus", "tripType", "pickupPoint", "pickupTime", "dropoffPoint", "dropoffTime",
        "route",
        "numberOfPassengers", "lastLocation", "remainingDistanceMeters", "etaToFirstWaypoint",
        "intermediateDestinations", "intermediateDestinationIndex", "remainingWaypoints", "currentRouteSegmentVersion",
        "remainingWaypointsVersion", "vehicleWaypoints", "currentRouteSegment", "actualPickupPoint",
        "actualDropoffPoint",
        "currentRouteSegmentEndPoint", "intermediateDestinationsVersion", "lastLocationSnappable",
        "remainingTimeToFirstWaypoint", "currentRouteSegmentTraffic", "remainingWaypointsRouteVersion",
        "currentRouteSegmentTrafficVersion", "view", "actualPickupArrivalPoint",
        "actualIntermediateDestinationArrivalPoints", "actualIntermediateDestinations", "attributes",
    ]
}

/// The name of any field.
private struct FieldName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// The value of any field, as a text to look at.
private struct FieldText: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        // One of these fits whatever JSON holds; which one is found by trying.
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            text = "null"
        } else if let known = try? value.decode(Bool.self) {
            text = "\(known)"
        } else if let known = try? value.decode(Int64.self) {
            text = "\(known)"
        } else if let known = try? value.decode(Double.self) {
            text = "\(known)"
        } else if let known = try? value.decode(String.self) {
            text = known
        } else {
            text = (try? decoder.unkeyedContainer()) == nil ? "{…}" : "[…]"
        }
    }
}
