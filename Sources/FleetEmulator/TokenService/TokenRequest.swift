import FleetTokens
import FleetWire
import Foundation
import Runtime
import TripModel

/// What a request to a token endpoint asks for, as in Google's sample backends: `/token/consumer/{tripId}`,
/// `/token/driver/{vehicleId}`, `/token/delivery_consumer/{trackingId}` and `/token/delivery_driver/{deliveryVehicleId}`.
enum TokenRequest {
    /// Parses the path of a request; throws what is wrong with it.
    static func context(_ segments: [String]) throws(ServiceError) -> AuthorizationContext {
        guard segments.count == 3, segments[0] == "token" else { throw .noSuchMethod }
        guard let kind = types.first(where: { $0.type == segments[1].lowercased() })?.kind else {
            let names = types.map(\.type).joined(separator: ", ")
            throw .invalidArgument("The kind of token must be one of \(names).")
        }
        guard !IDText.isWildcard(segments[2]) else {
            throw .invalidArgument("The ID is *: tokens are for one trip, vehicle or shipment, not for all of them.")
        }
        do {
            return try AuthorizationContext(kind, segments[2])
        } catch {
            throw .invalidArgument("The ID is empty, longer than 64 characters, . or .., or contains one of / : ? , #")
        }
    }

    /// Throws for an ID that cannot be seen or is not what it appears to be, although the service would accept it.
    ///
    /// Such an ID comes from a mistake or an attack, and a token with it would be valid.
    static func checkSignable(_ id: String) throws(ServiceError) {
        let scalars = id.unicodeScalars
        guard !scalars.contains(where: IDText.isControl) else {
            throw .invalidArgument("The ID contains control characters.")
        }
        guard !scalars.contains(where: \.properties.isBidiControl) else {
            throw .invalidArgument("The ID contains characters that change the direction of text.")
        }
        guard !scalars.allSatisfy(IDText.isBlank) else {
            throw .invalidArgument("The ID has no character that can be seen.")
        }
    }

    /// The kinds of tokens by the names that Google's sample backends use in paths.
    static let types: [(type: String, kind: AuthorizationContext.Kind)] = [
        ("consumer", .trip), ("driver", .vehicle), ("delivery_consumer", .tracking),
        ("delivery_driver", .deliveryVehicle),
    ]
}
