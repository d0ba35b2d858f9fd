import FleetWire
import Foundation

/// The JSON body of a token request, with a placeholder for the ID: `{"trip":"{tripId}"}`.
public struct TokenBodyTemplate: Sendable, Equatable {
    private let text: String

    /// Validates a template; `nil` if it is not valid JSON after the ID is inserted.
    ///
    /// - Parameter text: JSON; `{tripId}` or `{vehicleId}` within a string is replaced by the JSON-escaped ID.
    public init?(_ text: String) {
        let sample = text.replacing("{tripId}", with: "x").replacing("{vehicleId}", with: "x")
        // Only the validity matters, not the value.
        guard (try? JSONSerialization.jsonObject(with: Data(sample.utf8), options: .fragmentsAllowed)) != nil else {
            return nil
        }
        self.text = text
    }

    /// Whether there is no placeholder, so that the body is the same for all IDs.
    public var isFixed: Bool { !text.contains("{tripId}") && !text.contains("{vehicleId}") }

    /// Returns the body for a key.
    ///
    /// - Throws: ``TokenSourceError/unsupportedContext`` if the template has a placeholder for the other kind of ID.
    func body(for context: AuthorizationContext) throws(TokenSourceError) -> [UInt8] {
        let (own, others): (String, [String]) =
            switch context {
            case .trip: ("{tripId}", ["{vehicleId}"])
            case .vehicle: ("{vehicleId}", ["{tripId}"])
            // A server token is for no single trip or vehicle.
            case .server: ("", ["{tripId}", "{vehicleId}"])
            }
        guard !others.contains(where: text.contains) else { throw .unsupportedContext }
        guard !own.isEmpty else { return Array(text.utf8) }
        return Array(text.replacing(own, with: Self.escaped(context.id)).utf8)
    }

    /// Returns the escaped content of a JSON string.
    private static func escaped(_ text: String) -> String {
        String(decoding: JSONBytes.encode(text).dropFirst().dropLast(), as: UTF8.self)
    }
}
