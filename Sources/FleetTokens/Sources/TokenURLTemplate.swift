import HTTPTransport

/// The URL of a token endpoint, as a rule with a place for the ID: `https://example.com/token/consumer/{tripId}`.
public struct TokenURLTemplate: Sendable, Equatable {
    private let text: String

    /// Checks a template.
    ///
    /// - Parameters:
    ///   - text: An absolute URL; `{tripId}` or `{vehicleId}` is replaced by the ID, and without one it is used as it is.
    ///   - allowsPlainHTTP: Whether `http` may be used to other machines than this one.
    /// - Throws: ``TokenSourceError/invalidURL`` or ``TokenSourceError/insecureURL``.
    public init(_ text: String, allowsPlainHTTP: Bool = false) throws(TokenSourceError) {
        self.text = text
        // Checked with an ID in place, which may not stand in the scheme or the host: it would choose the machine.
        let sample = text.replacing("{tripId}", with: "x").replacing("{vehicleId}", with: "x")
        let authority = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
        guard let origin = URLOrigin(sample), !authority.contains(where: { $0.contains("{") }) else {
            throw .invalidURL
        }
        guard origin.isSecure || origin.isLoopback || allowsPlainHTTP else { throw .insecureURL }
    }

    /// Whether it has no place for an ID, so that the URL is the same for all.
    public var isFixed: Bool { !text.contains("{tripId}") && !text.contains("{vehicleId}") }

    /// The URL for a key; an ID is percent-encoded, everything but letters, digits, `-`, `.`, `_` and `~`.
    ///
    /// - Throws: ``TokenSourceError/unsupportedContext`` if the template has a place for the other kind of ID.
    package func url(for context: AuthorizationContext) throws(TokenSourceError) -> String {
        let (own, other) =
            switch context {
            case .trip: ("{tripId}", "{vehicleId}")
            case .vehicle: ("{vehicleId}", "{tripId}")
            }
        guard !text.contains(other) else { throw .unsupportedContext }
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
