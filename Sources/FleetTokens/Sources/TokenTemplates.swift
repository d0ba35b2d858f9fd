package import Failures
import Foundation
import Runtime

/// The URL template of a token endpoint with a placeholder for the ID: `https://example.com/token/consumer/{tripId}`.
package struct TokenURLTemplate: Sendable, Equatable {
    private let template: IDTemplate

    /// Validates a template.
    ///
    /// - Parameters:
    ///   - text: An absolute URL; `{tripId}`, `{vehicleId}`, `{trackingId}`, `{taskId}` or `{deliveryVehicleId}` is replaced by the ID. The
    ///     placeholder is optional.
    ///   - allowsPlainHTTP: Whether plain `http` to hosts other than loopback is allowed.
    /// - Throws: ``Failures/Failure/sourceInvalidURL`` or ``Failures/Failure/sourceInsecureURL``.
    package init(_ text: String, allowsPlainHTTP: Bool = false) throws(Failure) {
        template = IDTemplate(text: text)
        // A placeholder in the scheme or the host is refused, because the ID would select the server.
        let authority = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
        guard let origin = URLOrigin(template.sample), !authority.contains(where: { $0.contains("{") }) else {
            throw .sourceInvalidURL
        }
        guard origin.isSecure || origin.isLoopback || allowsPlainHTTP else { throw .sourceInsecureURL }
    }

    /// Whether there is no placeholder, so that the URL is the same for all IDs.
    package var isFixed: Bool { template.isFixed }

    /// Returns the URL for a key; all characters of the ID except letters, digits, `-`, `.`, `_` and `~` are percent-encoded.
    ///
    /// - Throws: ``Failures/Failure/sourceUnsupportedContext`` if the template has a placeholder for another kind of ID.
    package func url(for context: AuthorizationContext) throws(Failure) -> String {
        try template.filled(for: context, PercentEncoding.encode)
    }
}

/// The JSON body of a token request, with a placeholder for the ID: `{"trip":"{tripId}"}`.
package struct TokenBodyTemplate: Sendable, Equatable {
    private let template: IDTemplate

    /// Validates a template; `nil` if it is not valid JSON after the ID is inserted.
    ///
    /// - Parameter text: JSON; a placeholder as in ``TokenURLTemplate`` within a string is replaced by the JSON-escaped ID.
    package init?(_ text: String) {
        template = IDTemplate(text: text)
        let sample = Data(template.sample.utf8)
        // Only the validity matters, not the value.
        guard (try? JSONSerialization.jsonObject(with: sample, options: .fragmentsAllowed)) != nil else { return nil }
    }

    /// Whether there is no placeholder, so that the body is the same for all IDs.
    package var isFixed: Bool { template.isFixed }

    /// Returns the body for a key.
    ///
    /// - Throws: ``Failures/Failure/sourceUnsupportedContext`` if the template has a placeholder for another kind of ID.
    func body(for context: AuthorizationContext) throws(Failure) -> [UInt8] {
        let text = try template.filled(for: context) { id in
            String(decoding: JSONBytes.encode(id).dropFirst().dropLast(), as: UTF8.self)
        }
        return Array(text.utf8)
    }
}

/// A text with at most one kind of placeholder, such as `{tripId}`.
private struct IDTemplate: Sendable, Equatable {
    private static let placeholders = AuthorizationContext.Kind.allCases.compactMap(\.placeholder)

    let text: String

    var isFixed: Bool { !Self.placeholders.contains(where: text.contains) }

    /// The text with an ID inserted, to check its syntax.
    var sample: String { Self.placeholders.reduce(text) { $0.replacing($1, with: "x") } }

    /// Returns the text with the encoded ID of a key; a server's token is for no single ID.
    func filled(for context: AuthorizationContext, _ encode: (String) -> String) throws(Failure) -> String {
        let own = context.kind.placeholder
        guard !Self.placeholders.contains(where: { $0 != own && text.contains($0) }) else {
            throw .sourceUnsupportedContext
        }
        return own.map { text.replacing($0, with: encode(context.id)) } ?? text
    }
}
