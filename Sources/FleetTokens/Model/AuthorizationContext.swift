public import TripModel

/// The subject of a token, which is the key of the token cache; equal only if the IDs are equal byte by byte.
public enum AuthorizationContext: Hashable, Sendable {
    /// A consumer token that can read one trip.
    case trip(TripID)
    /// A driver token that can report one vehicle.
    case vehicle(VehicleID)
    /// A server token that covers all trips and vehicles of a project; never give it to a client.
    case server

    /// The ID without its kind; `*` for a server.
    public var id: String {
        switch self {
        case .trip(let trip): trip.rawValue
        case .vehicle(let vehicle): vehicle.rawValue
        case .server: "*"
        }
    }

    /// The claim in `authorization` that must contain the ID: `tripid` or `vehicleid`.
    public var claimName: String {
        switch self {
        case .trip, .server: "tripid"
        case .vehicle: "vehicleid"
        }
    }

    /// The members of the `authorization` claim; without both wildcards Fleet Engine finds no scopes in a server's token.
    package var authorization: [String: String] {
        self == .server ? ["tripid": "*", "vehicleid": "*"] : [claimName: id]
    }
}

extension AuthorizationContext: Redacted {
    /// The kind and the last four characters of the ID, such as `trip …4f2a`, for logs.
    public var description: String {
        // Escaped, so that they contain no control characters.
        let ending = id.unicodeScalars.suffix(4).map { $0.escaped(asASCII: true) }.joined()
        return switch self {
        case .trip: "trip …\(ending)"
        case .vehicle: "vehicle …\(ending)"
        case .server: "server"
        }
    }
}
