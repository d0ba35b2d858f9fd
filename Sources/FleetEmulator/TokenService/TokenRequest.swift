import FleetTokens
import FleetWire
import TripModel

/// What a request to a token endpoint asks for, as in Google's sample backend: `/token/consumer/{tripId}` and
/// `/token/driver/{vehicleId}`.
enum TokenRequest {
    /// Parses the path of a request; throws what is wrong with it.
    static func context(_ segments: [String]) throws(ServiceError) -> AuthorizationContext {
        guard segments.count == 3, segments[0] == "token" else { throw .noSuchMethod }
        switch segments[1].lowercased() {
        case "consumer": return .trip(try id(segments[2]))
        case "driver": return .vehicle(try id(segments[2]))
        default: throw .invalidArgument("The kind of token must be consumer or driver.")
        }
    }

    /// Parses the ID of a single trip or vehicle; consumers and drivers get no wildcard.
    private static func id<Kind>(_ text: String) throws(ServiceError) -> ResourceID<Kind> {
        guard text != "*" else {
            throw .invalidArgument("The ID is *: tokens are for one trip or vehicle, not for all of them.")
        }
        do {
            return try ResourceID(text)
        } catch {
            throw .invalidArgument("The ID is empty, longer than 64 characters, . or .., or contains one of / : ? , #")
        }
    }
}
