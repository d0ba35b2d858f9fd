import Crypto
import Foundation
import Runtime

/// A signed request for AWS STS GetCallerIdentity, by which a workload of AWS proves its identity.
///
/// Google's service sends the request to AWS. The emulator checks the signature itself, by AWS Signature Version 4.
struct AWSIdentityRequest: Sendable {
    /// The longest time between signing and use in seconds.
    private static let longestAge = 900.0

    private let query: String
    private let host: String
    private let headers: [String: String]

    /// Parses a subject token: percent-encoded JSON with `url`, `method` and `headers`.
    init(_ token: String) throws(OAuthError) {
        guard let text = PercentEncoding.decode(token[...]), let value = JSONValue(Array(text.utf8)),
            let url = value["url"]?.string, value["method"]?.string == "POST",
            case .array(let fields)? = value["headers"], fields.count <= 50
        else { throw .invalidGrant("Unable to parse the AWS request in the subject token.") }
        let prefix = "https://"
        let rest = url.trimmingPrefix(prefix)
        host = String(rest.prefix { $0 != "/" && $0 != "?" })
        query = String(rest.drop { $0 != "?" }.dropFirst())
        guard url.hasPrefix(prefix), host.hasPrefix("sts."), host.hasSuffix(".amazonaws.com"),
            query == "Action=GetCallerIdentity&Version=2011-06-15"
        else { throw .invalidGrant("The AWS request is not a GetCallerIdentity request.") }
        var headers: [String: String] = [:]
        for field in fields {
            guard let key = field["key"]?.string, let value = field["value"]?.string else { continue }
            headers[key.lowercased()] = value.trimmingCharacters(in: .whitespaces)
        }
        self.headers = headers
    }

    /// Checks the request: that it is for the provider of the pool, and its signature.
    func check(_ account: AWSAccount, at now: Date) throws(OAuthError) {
        guard headers["x-goog-cloud-target-resource"] == IdentityPool.aws else {
            throw .invalidGrant("The header x-goog-cloud-target-resource of the AWS request is not the audience.")
        }
        guard let authorization = Authorization(headers["authorization"] ?? ""),
            authorization.accessKeyID == account.accessKeyID,
            headers["x-amz-security-token"] == account.sessionToken
        else { throw Self.refused("InvalidClientTokenId", "The security token included in the request is invalid.") }
        guard let stamp = headers["x-amz-date"], let signed = Self.date(stamp),
            abs(now.timeIntervalSince(signed)) <= Self.longestAge
        else { throw Self.expired(at: now) }
        guard signature(authorization, stamp, account.secretKey) == authorization.signature else {
            throw Self.refused(
                "SignatureDoesNotMatch",
                "The request signature we calculated does not match the signature you provided."
            )
        }
    }

    /// The error for a request that was signed too long ago.
    static func expired(at now: Date) -> OAuthError {
        refused("SignatureDoesNotMatch", "Signature expired: it is now \(Timestamp.text(now)).")
    }

    private static func refused(_ type: String, _ message: String) -> OAuthError {
        .invalidGrant("Received invalid AWS response of type \(type) with error message: \(message)")
    }

    /// Parses a time such as `20261126T150000Z`.
    private static func date(_ text: String) -> Date? {
        let digits = Array(text.utf8)
        guard digits.count == 16 else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: digits[range], as: UTF8.self) }
        return Timestamp.date(
            "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z"
        )
    }

    // MARK: The signature

    /// The parts of the `Authorization` header.
    private struct Authorization {
        var accessKeyID: String
        /// Date, region, service and `aws4_request`.
        var scope: [String]
        var signedHeaders: [String]
        var signature: String

        init?(_ text: String) {
            guard text.hasPrefix("AWS4-HMAC-SHA256 ") else { return nil }
            var fields: [String: String] = [:]
            for field in text.dropFirst("AWS4-HMAC-SHA256 ".count).split(separator: ",") {
                let pair = field.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1)
                if pair.count == 2 { fields[String(pair[0])] = String(pair[1]) }
            }
            let credential = (fields["Credential"] ?? "").split(separator: "/").map(String.init)
            guard credential.count == 5, credential[3] == "sts", credential[4] == "aws4_request",
                let names = fields["SignedHeaders"], let signature = fields["Signature"]
            else { return nil }
            accessKeyID = credential[0]
            scope = Array(credential.dropFirst())
            signedHeaders = names.split(separator: ";").map(String.init)
            self.signature = signature
        }
    }

    private func signature(_ authorization: Authorization, _ stamp: String, _ secret: String) -> String {
        let lines =
            ["POST", "/", query]
            + authorization.signedHeaders.map { "\($0):\($0 == "host" ? host : headers[$0] ?? "")" }
            + ["", authorization.signedHeaders.joined(separator: ";"), Self.hex(SHA256.hash(data: Data()))]
        let request = SHA256.hash(data: Data(lines.joined(separator: "\n").utf8))
        let text = ["AWS4-HMAC-SHA256", stamp, authorization.scope.joined(separator: "/"), Self.hex(request)]
            .joined(separator: "\n")
        var key = SymmetricKey(data: Data("AWS4\(secret)".utf8))
        for part in authorization.scope {
            key = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: key))
        }
        return Self.hex(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
