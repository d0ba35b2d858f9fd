import Crypto
import Failures
import FleetTokens
import Foundation
import Runtime
import TripModel

/// A role of Amazon Web Services, whose signed request proves who this machine is.
struct AWSSource: Sendable {
    let regionURL: String?
    let roleURL: String?
    let sessionURL: String?
    let verificationURL: String

    /// The keys with which a request is signed.
    struct Keys {
        let id: String
        let secret: SecretBytes
        let session: SecretBytes?
    }

    /// Returns a signed request to Amazon, which Google sends to find out who signed it.
    func token(
        for credential: ExternalCredential,
        _ call: GoogleCall
    ) async throws(Failure) -> SubjectToken {
        let session = try await sessionHeaders(call)
        let region = try await region(session, call)
        let keys = try await keys(session, call)
        let url = verificationURL.replacing("{region}", with: region)
        guard let origin = URLOrigin(url), origin.isSecure || origin.isLoopback else {
            throw missing("regional_cred_verification_url is not an https address")
        }
        let signer = AWSRequestSigner(keys: keys, region: region, now: call.world.clock.now().wall)
        let headers = signer.headers(of: origin, url: url, target: credential.audience)
        let request = SignedRequest(
            url: url,
            method: "POST",
            headers: headers.map { SignedRequest.Header(key: $0.name, value: $0.value) }
        )
        let text = PercentEncoding.encode(String(decoding: JSONBytes.encode(request), as: UTF8.self))
        return SubjectToken(text, from: "AWS \(region)")
    }

    private func missing(_ reason: String) -> Failure { Failure(.awsMissing).with(.reason, reason) }

    private func region(
        _ headers: [(name: String, value: String)],
        _ call: GoogleCall
    ) async throws(Failure) -> String {
        if let region = call.world.variable("AWS_REGION") ?? call.world.variable("AWS_DEFAULT_REGION") { return region }
        guard let regionURL else { throw missing("AWS_REGION is not set") }
        // The zone is the region with a letter: us-east-1d.
        return String(try await text(regionURL, headers, call).dropLast())
    }

    private func keys(
        _ headers: [(name: String, value: String)],
        _ call: GoogleCall
    ) async throws(Failure) -> Keys {
        let world = call.world
        if let id = world.variable("AWS_ACCESS_KEY_ID"), let secret = world.variable("AWS_SECRET_ACCESS_KEY") {
            return Keys(
                id: id,
                secret: Self.known(secret),
                session: world.variable("AWS_SESSION_TOKEN").map(Self.known)
            )
        }
        guard let roleURL else { throw missing("AWS_ACCESS_KEY_ID is not set") }
        let role = try await text(roleURL, headers, call)
        let answer = JSONValue(Array(try await text("\(roleURL)/\(PercentEncoding.encode(role))", headers, call).utf8))
        guard let id = answer?["AccessKeyId"]?.string, let secret = answer?["SecretAccessKey"]?.string else {
            throw missing("the metadata server gives no keys for the role")
        }
        return Keys(id: id, secret: Self.known(secret), session: answer?["Token"]?.string.map(Self.known))
    }

    private static func known(_ text: String) -> SecretBytes {
        let secret = SecretBytes(text)
        secret.becomeKnown()
        return secret
    }

    /// Returns the header of a session with the metadata server, which its second version requires.
    private func sessionHeaders(
        _ call: GoogleCall
    ) async throws(Failure) -> [(name: String, value: String)] {
        guard let sessionURL, needsServer(call.world) else { return [] }
        var request = request(sessionURL, [("x-aws-ec2-metadata-token-ttl-seconds", "300")])
        request.method = "PUT"
        return [("x-aws-ec2-metadata-token", try await text(request, call))]
    }

    private func needsServer(_ world: CredentialWorld) -> Bool {
        let hasRegion = world.variable("AWS_REGION") != nil || world.variable("AWS_DEFAULT_REGION") != nil
        let hasKeys = world.variable("AWS_ACCESS_KEY_ID") != nil && world.variable("AWS_SECRET_ACCESS_KEY") != nil
        return !hasRegion || !hasKeys
    }

    private func text(
        _ url: String,
        _ headers: [(name: String, value: String)],
        _ call: GoogleCall
    ) async throws(Failure) -> String {
        try await text(request(url, headers), call)
    }

    private func text(_ request: HTTPTransportRequest, _ call: GoogleCall) async throws(Failure) -> String {
        let response: HTTPTransportResponse
        do throws(Failure) {
            response = try await call.send(request, waits: [])
        } catch {
            guard error.code != .cancelled else { throw error }
            // Outside of EC2 nothing answers at this address.
            throw missing("\(request.url.prefix { $0 != "?" }) does not answer")
        }
        let text = String(decoding: response.body, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard response.status == 200, !text.isEmpty else {
            throw missing("\(request.url.prefix { $0 != "?" }) answered with status \(response.status)")
        }
        return text
    }

    private func request(_ url: String, _ headers: [(name: String, value: String)]) -> HTTPTransportRequest {
        var request = HTTPTransportRequest(
            url: url,
            headers: headers,
            timeout: .seconds(3),
            maximumResponseBytes: GoogleCall.maximumBytes
        )
        request.usesProxies = false
        return request
    }

    private struct SignedRequest: Encodable {
        struct Header: Encodable {
            var key: String
            var value: String
        }

        var url: String
        var method: String
        var headers: [Header]
    }
}

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
