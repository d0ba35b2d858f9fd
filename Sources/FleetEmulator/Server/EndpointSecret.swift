import Crypto
import Foundation

/// The secret that a token endpoint requires when it signs with a real key.
package struct EndpointSecret: Sendable {
    /// The request header that contains it.
    package static let header = "X-Emulator-Secret"

    /// The secret in clear, for the ready file only; never print it.
    package let revealed: String

    /// Creates a secret of 256 random bits.
    package init() {
        var random = SystemRandomNumberGenerator()
        revealed = (0..<4).map { _ in
            let word = String(UInt64.random(in: .min ... .max, using: &random), radix: 16)
            return String(repeating: "0", count: 16 - word.count) + word
        }.joined()
    }

    /// Returns whether a request's header contains the secret, in constant time.
    func isMet(by header: String?) -> Bool {
        guard let header else { return false }
        return SHA256.hash(data: Data(header.utf8)) == SHA256.hash(data: Data(revealed.utf8))
    }
}

extension EndpointSecret: CustomStringConvertible, CustomReflectable {
    /// A placeholder instead of the secret.
    package var description: String { "<secret>" }
    /// A mirror without the secret.
    package var customMirror: Mirror { Mirror(self, children: ["secret": description]) }
}
