import TripModel

/// A trip in an answer: the known fields, and the names and values of unknown ones.
struct TripAnswerMessage: Decodable {
    let message: TripMessage
    let unknownFields: [UnknownField]

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: FieldName.self)
        let names = fields.allKeys
        guard names.count <= Self.mostFields else {
            throw WireError.unexpected(path: "trip", reason: "\(names.count) fields, the limit is \(Self.mostFields)")
        }
        message = try TripMessage(from: decoder)
        let unknown = names.lazy.filter { !Self.known.contains($0.stringValue) }
            .prefix(Self.mostLookedAt).sorted { $0.stringValue < $1.stringValue }
        unknownFields = try unknown.prefix(UnknownField.maximumCount).map {
            UnknownField(name: $0.stringValue, text: try fields.decode(FieldText.self, forKey: $0).text)
        }
    }

    /// The maximum number of fields in an answer.
    ///
    /// Each container converts every name from snake_case, so further containers for a body with very many names would take
    /// seconds.
    private static let mostFields = 10_000

    /// The maximum number of unknown fields that are sorted.
    private static let mostLookedAt = 1000

    /// All fields of the message `Trip`, including those not used here.
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

/// The value of any field as text for display.
private struct FieldText: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        // One of these types matches any JSON value; each one is tried.
        let value = try decoder.singleValueContainer()
        // The type is not known in advance: each one is tried, and a failure means that it is another type.
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
