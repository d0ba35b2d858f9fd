import Crypto
import FleetTokens
import Foundation
import Runtime

/// The secret that signs the posts to an address, as Standard Webhooks 1.0 describes it for symmetric keys.
///
/// A receiver with the same secret can check that a post is from this program, unchanged and not repeated.
/// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
struct WebhookSecret: Sendable, Equatable {
    /// The beginning of a secret in base64.
    static let prefix = "whsec_"
    /// The smallest number of bytes; Standard Webhooks recommends 24 to 64.
    static let fewestBytes = 16

    private let key: [UInt8]

    /// Reads `whsec_` with base64, else takes the bytes of the text; `nil` if they are fewer than ``fewestBytes``, or no base64.
    ///
    /// No output of this process repeats the secret.
    init?(_ text: String) {
        if text.hasPrefix(Self.prefix) {
            let letters = text.dropFirst(Self.prefix.count)
            // Some tools leave out the padding.
            let padding = String(repeating: "=", count: (4 - letters.count % 4) % 4)
            guard let data = Data(base64Encoded: letters + padding) else { return nil }
            key = [UInt8](data)
        } else {
            key = [UInt8](text.utf8)
        }
        guard key.count >= Self.fewestBytes else { return nil }
        KnownSecrets.ofProcess.add(Array(text.utf8))
    }

    /// Returns the headers that prove a body.
    ///
    /// - Parameters:
    ///   - body: The bytes that are posted.
    ///   - id: The ID of the post, the same for each repetition; without a full stop.
    ///   - now: The time of this attempt; whole seconds are signed.
    /// - Returns: `webhook-id`, `webhook-timestamp` and `webhook-signature`.
    func headers(of body: [UInt8], id: String, at now: Date) -> [(String, String)] {
        let time = String(Int(clamped: now.timeIntervalSince1970.rounded(.down)))
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(id).\(time).".utf8) + body,
            using: SymmetricKey(data: key)
        )
        return [
            ("webhook-id", id), ("webhook-timestamp", time),
            ("webhook-signature", "v1,\(Data(code).base64EncodedString())"),
        ]
    }
}

extension WebhookSecret: Redacted {
    var description: String { "<secret>" }
}
