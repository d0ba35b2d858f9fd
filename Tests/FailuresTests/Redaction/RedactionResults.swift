import Failures
import Foundation
import Runtime

/// What the program makes of a text from outside, in each place where it cleans one.
enum RedactionResults {
    static func of(_ text: String) -> [String] {
        let headers: [(name: String, value: String)] = [
            ("X-Goog-Test", text), ("Location", text), ("content-type", text), ("www-authenticate", "a \(text)"),
            ("content-encoding", text), ("x-amz-\(text)", "value"), ("x-unknown", text), ("x-goog-api-key", text),
        ]
        let request = Exchange.Request(method: "GET", url: text, headerNames: [text], bytes: 0)
        let answer = Exchange.Answer(status: 500, headers: headers, body: Array(text.utf8))
        let connection = Exchange.Connection(isEncrypted: false, proxy: text)
        return [
            text.withoutTokens, text.withoutPossibleSecrets, text.withoutSecretValues, text.withVisibleControls,
            request.line, request.headerNames.joined(), Exchange.Request(text).line, connection.proxy ?? "",
            answer.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n"), answer.mediaType ?? "",
            answer.encoding ?? "", content(of: answer.body), answer.body?.message ?? "",
            ConnectionOptions([.cacert: text])?.curl().joined(separator: " ") ?? "", "\(text.isSecretName)",
        ]
    }

    private static func content(of body: Exchange.Body?) -> String {
        switch body?.content {
        case .text(let text)?: text
        case .binary(let kind)?: "(\(kind))"
        case .empty?, nil: ""
        }
    }

    /// Returns a number that is another one if any result is (FNV-1a, 64 bits).
    static func digest(of results: [[String]]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for text in results.joined() {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            // No byte of UTF-8.
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        }
        return String(hash, radix: 16)
    }
}
