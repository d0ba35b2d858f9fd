import Crypto
import Foundation

/// The value of the header `Authorization` that a token endpoint for development requires.
package struct EndpointLogin: Sendable {
    private static let scheme = "Bearer "
    private let hash: SHA256.Digest

    /// Creates a login from the content of its file: a secret, with or without `Bearer` before it; `nil` for fewer than 16 characters.
    package init?(_ text: String) {
        var secret = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if secret.hasPrefix(Self.scheme) { secret.removeFirst(Self.scheme.count) }
        guard secret.utf8.count >= 16, secret.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
        hash = SHA256.hash(data: Data((Self.scheme + secret).utf8))
    }

    /// Returns the content of a new file: a value for the header with 256 random bits.
    package static func generate() -> String { scheme + EndpointSecret().revealed }

    /// Returns whether a header is the login, in constant time.
    func isMet(by header: String?) -> Bool {
        guard let header else { return false }
        return SHA256.hash(data: Data(header.utf8)) == hash
    }
}

extension EndpointLogin: CustomStringConvertible, CustomReflectable {
    /// A placeholder instead of the login.
    package var description: String { "<login>" }
    /// A mirror without the login.
    package var customMirror: Mirror { Mirror(self, children: ["login": description]) }
}
