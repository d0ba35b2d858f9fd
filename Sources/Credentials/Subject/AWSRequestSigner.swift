import Crypto
import Failures
import FleetTokens
import Foundation
import Runtime

/// Signs a request to Amazon's token service (Signature Version 4).
///
/// No package of the toolchain signs such requests without an SDK; this one signs a single form, with an empty body.
struct AWSRequestSigner {
    let keys: AWSSource.Keys
    let region: String
    let now: Date

    /// Returns the headers of a POST without a body to a URL, among them its signature; `target` is the audience at Google.
    func headers(of origin: URLOrigin, url: String, target: String) -> [(name: String, value: String)] {
        let time =
            String(Timestamp.text(Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down))).prefix(19))
            .replacing("-", with: "").replacing(":", with: "") + "Z"
        let day = String(time.prefix(8))
        let host = origin.port.map { "\(origin.host):\($0)" } ?? origin.host
        var headers = [("host", host), ("x-amz-date", time), ("x-goog-cloud-target-resource", target)]
        if let session = keys.session { headers.insert(("x-amz-security-token", session.text), at: 2) }
        let parts = origin.path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let names = headers.map(\.0).joined(separator: ";")
        let canonical = [
            "POST",
            parts.first.map { $0.isEmpty ? "/" : String($0) } ?? "/",
            parts.count > 1 ? parts[1].split(separator: "&").sorted().joined(separator: "&") : "",
            headers.map { "\($0.0):\($0.1)\n" }.joined(),
            names,
            Self.hexadecimal(SHA256.hash(data: Data())),
        ].joined(separator: "\n")
        let scope = "\(day)/\(region)/sts/aws4_request"
        let text = [
            "AWS4-HMAC-SHA256", time, scope, Self.hexadecimal(SHA256.hash(data: Data(canonical.utf8))),
        ].joined(separator: "\n")
        var key = SymmetricKey(data: Data("AWS4\(keys.secret.text)".utf8))
        for part in [day, region, "sts", "aws4_request"] {
            key = SymmetricKey(data: Data(HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: key)))
        }
        let signature = Self.hexadecimal(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
        headers.append(
            (
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=\(keys.id)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
            )
        )
        return headers.map { (name: $0.0, value: $0.1) }
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            let text = String(byte, radix: 16)
            return byte < 16 ? "0" + text : text
        }.joined()
    }
}
