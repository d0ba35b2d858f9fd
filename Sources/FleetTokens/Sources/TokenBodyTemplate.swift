import FleetWire
import Foundation

/// The JSON body of a request for a token, with a place for the ID: `{"trip":"{tripId}"}`.
public struct TokenBodyTemplate: Sendable, Equatable {
    private let text: String

    /// Checks a template; `nil` where the text with an ID in place is no JSON.
    ///
    /// - Parameter text: JSON; `{tripId}` or `{vehicleId}` within a string is replaced by the ID, escaped as JSON wants it.
    public init?(_ text: String) {
        let sample = text.replacing("{tripId}", with: "x").replacing("{vehicleId}", with: "x")
        // Whether it can be read is all that matters.
        guard (try? JSONSerialization.jsonObject(with: Data(sample.utf8), options: .fragmentsAllowed)) != nil else {
            return nil
        }
        self.text = text
    }

    /// Whether it has no place for an ID, so that the body is the same for all.
    public var isFixed: Bool { !text.contains("{tripId}") && !text.contains("{vehicleId}") }

    /// The body for a key.
    ///
    /// - Throws: ``TokenSourceError/unsupportedContext`` if the template has a place for the other kind of ID.
    func body(for context: AuthorizationContext) throws(TokenSourceError) -> [UInt8] {
        let (own, other) =
            switch context {
            case .trip: ("{tripId}", "{vehicleId}")
            case .vehicle: ("{vehicleId}", "{tripId}")
            }
        guard !text.contains(other) else { throw .unsupportedContext }
        return Array(text.replacing(own, with: Self.escaped(context.id)).utf8)
    }

    /// The inside of a JSON string.
    private static func escaped(_ text: String) -> String {
        String(decoding: JSONBytes.encode(text).dropFirst().dropLast(), as: UTF8.self)
    }
}
