import HTTPTransport

/// The URL template of a token endpoint with a placeholder for the ID: `https://example.com/token/consumer/{tripId}`.
public struct TokenURLTemplate: Sendable, Equatable {
    private let text: String

    /// Validates a template.
    ///
    /// - Parameters:
    ///   - text: An absolute URL; `{tripId}` or `{vehicleId}` is replaced by the ID. The placeholder is optional.
    ///   - allowsPlainHTTP: Whether plain `http` to hosts other than loopback is allowed.
    /// - Throws: ``TokenSourceError/invalidURL`` or ``TokenSourceError/insecureURL``.
    public init(_ text: String, allowsPlainHTTP: Bool = false) throws(TokenSourceError) {
        self.text = text
        // Validate with an ID inserted. A placeholder in the scheme or the host is refused, because the ID would select the
        // server.
        let sample = text.replacing("{tripId}", with: "x").replacing("{vehicleId}", with: "x")
        let authority = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
        guard let origin = URLOrigin(sample), !authority.contains(where: { $0.contains("{") }) else {
            throw .invalidURL
        }
        guard origin.isSecure || origin.isLoopback || allowsPlainHTTP else { throw .insecureURL }
    }

    /// Whether there is no placeholder, so that the URL is the same for all IDs.
    public var isFixed: Bool { !text.contains("{tripId}") && !text.contains("{vehicleId}") }

    /// Returns the URL for a key; all characters of the ID except letters, digits, `-`, `.`, `_` and `~` are percent-encoded.
    ///
    /// - Throws: ``TokenSourceError/unsupportedContext`` if the template has a placeholder for the other kind of ID.
    package func url(for context: AuthorizationContext) throws(TokenSourceError) -> String {
        let (own, others): (String, [String]) =
            switch context {
            case .trip: ("{tripId}", ["{vehicleId}"])
            case .vehicle: ("{vehicleId}", ["{tripId}"])
            // A server token is for no single trip or vehicle.
            case .server: ("", ["{tripId}", "{vehicleId}"])
            }
        guard !others.contains(where: text.contains) else { throw .unsupportedContext }
        guard !own.isEmpty else { return text }
        return text.replacing(own, with: Self.encode(context.id))
    }

    static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }
}
