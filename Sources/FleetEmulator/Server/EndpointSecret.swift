import Crypto
import Foundation

/// The secret that a token endpoint wants before it signs with a real key.
package struct EndpointSecret: Sendable {
    /// The request header that carries it.
    package static let header = "X-Emulator-Secret"

    /// The secret itself, for the ready file; printed nowhere.
    package let revealed: String

    /// A new one of 256 random bits.
    package init() {
        var random = SystemRandomNumberGenerator()
        revealed = (0..<4).map { _ in
            let word = String(UInt64.random(in: .min ... .max, using: &random), radix: 16)
            return String(repeating: "0", count: 16 - word.count) + word
        }.joined()
    }

    /// Whether a request's header has it; the time that takes says nothing about how much of it is right.
    func isMet(by header: String?) -> Bool {
        guard let header else { return false }
        return SHA256.hash(data: Data(header.utf8)) == SHA256.hash(data: Data(revealed.utf8))
    }
}

extension EndpointSecret: CustomStringConvertible, CustomReflectable {
    /// No secret.
    package var description: String { "<secret>" }
    /// No secret either.
    package var customMirror: Mirror { Mirror(self, children: ["secret": description]) }
}
