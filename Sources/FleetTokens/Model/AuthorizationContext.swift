public import TripModel

/// The subject of a token, which is the key of the token cache; equal only if the IDs are equal byte by byte.
public enum AuthorizationContext: Hashable, Sendable {
    /// A consumer token that can read one trip.
    case trip(TripID)
    /// A driver token that can report one vehicle.
    case vehicle(VehicleID)
    /// A consumer token that can follow the shipment with one tracking ID.
    case tracking(TrackingID)
    /// A token for one delivery task.
    case task(TaskID)
    /// A driver token that can report one delivery vehicle.
    case deliveryVehicle(DeliveryVehicleID)
    /// A server token that covers all trips and vehicles of a project; never give it to a client.
    case server

    /// The kinds of subjects, and what differs between them besides the ID.
    package enum Kind: String, Sendable, CaseIterable {
        case trip, vehicle, tracking, task, deliveryVehicle, server

        /// The claim in `authorization` that has the ID.
        package var claimName: String {
            switch self {
            case .trip, .server: "tripid"
            case .vehicle: "vehicleid"
            case .tracking: "trackingid"
            case .task: "taskid"
            case .deliveryVehicle: "deliveryvehicleid"
            }
        }

        /// The placeholder of the ID in templates; `nil` for a server, whose token is for no single ID.
        package var placeholder: String? {
            switch self {
            case .trip: "{tripId}"
            case .vehicle: "{vehicleId}"
            case .tracking: "{trackingId}"
            case .task: "{taskId}"
            case .deliveryVehicle: "{deliveryVehicleId}"
            case .server: nil
            }
        }

        /// Whether the token is for DeliveryService.
        package var isOfDeliveries: Bool { self == .tracking || self == .task || self == .deliveryVehicle }

        /// Whether the token is for an app that sees one subject only, so that it must have no wildcard.
        var isForConsumers: Bool { self == .trip || self == .tracking }
    }

    /// Creates the subject of a kind with an ID, which a server does not have.
    ///
    /// - Throws: The rule that the ID breaks.
    package init(_ kind: Kind, _ id: String) throws(ResourceIDError) {
        self =
            switch kind {
            case .trip: .trip(try TripID(id))
            case .vehicle: .vehicle(try VehicleID(id))
            case .tracking: .tracking(try TrackingID(id))
            case .task: .task(try TaskID(id))
            case .deliveryVehicle: .deliveryVehicle(try DeliveryVehicleID(id))
            case .server: .server
            }
    }

    /// The kind.
    package var kind: Kind {
        switch self {
        case .trip: .trip
        case .vehicle: .vehicle
        case .tracking: .tracking
        case .task: .task
        case .deliveryVehicle: .deliveryVehicle
        case .server: .server
        }
    }

    /// The ID without its kind; `*` for a server.
    public var id: String {
        switch self {
        case .trip(let trip): trip.rawValue
        case .vehicle(let vehicle): vehicle.rawValue
        case .tracking(let tracking): tracking.rawValue
        case .task(let task): task.rawValue
        case .deliveryVehicle(let vehicle): vehicle.rawValue
        case .server: "*"
        }
    }

    /// The claim in `authorization` that must contain the ID: `tripid`, `vehicleid`, `trackingid`, `taskid` or
    /// `deliveryvehicleid`.
    public var claimName: String { kind.claimName }

    /// The members of the `authorization` claim; without both wildcards Fleet Engine finds no scopes in a server's token.
    package var authorization: [String: String] {
        self == .server ? ["tripid": "*", "vehicleid": "*"] : [claimName: id]
    }
}

extension AuthorizationContext: Redacted {
    /// The kind and the last four characters of the ID, such as `trip …4f2a`, for logs.
    public var description: String {
        guard self != .server else { return "server" }
        // Escaped, so that they contain no control characters.
        let ending = id.unicodeScalars.suffix(4).map { $0.escaped(asASCII: true) }.joined()
        let name = kind == .deliveryVehicle ? "delivery vehicle" : kind.rawValue
        return "\(name) …\(ending)"
    }
}

extension AuthorizationContext {
    /// Returns the subject of a consumer's token that can read a trip or a shipment.
    package static func journey(_ id: JourneyID) -> AuthorizationContext {
        switch id {
        case .trip(let trip): .trip(trip)
        case .shipment(let tracking): .tracking(tracking)
        }
    }

    /// The trip or the shipment that a consumer's token is for; `nil` for other subjects.
    package var journey: JourneyID? {
        switch self {
        case .trip(let trip): .trip(trip)
        case .tracking(let tracking): .shipment(tracking)
        case .vehicle, .task, .deliveryVehicle, .server: nil
        }
    }
}
