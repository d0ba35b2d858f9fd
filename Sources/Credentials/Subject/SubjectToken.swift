import Failures
import FleetTokens
import Foundation
import Runtime

/// A token of another provider that Google exchanges for its own.
struct SubjectToken: Sendable {
    let secret: SecretBytes
    /// Where it came from, for messages.
    let origin: String
    /// The claims that identify it, if it is a JWT: `iss`, `sub`, `aud`.
    let claims: [String: String]
    private let expiresAt: Date?

    /// Creates a token and registers it for redaction.
    init(_ text: String, from origin: String) {
        secret = SecretBytes(text)
        secret.becomeKnown()
        self.origin = origin
        // A SAML answer or a signed request is not a JWT, and needs no claims.
        let read = try? TokenClaims(token: text)
        expiresAt = read?.expiresAt
        var claims: [String: String] = [:]
        if let issuer = read?.issuer { claims["iss"] = issuer }
        if let subject = read?.subject { claims["sub"] = subject }
        if let audience = read?.audiences.first { claims["aud"] = audience }
        self.claims = claims.mapValues { String($0.withoutPossibleSecrets.prefix(120)) }
    }

    /// Whether its expiry has passed; a token without one is not expired.
    func isExpired(at now: Date) -> Bool { expiresAt.map { $0 <= now } ?? false }
}

/// How a subject token is written in its source.
struct SubjectFormat: Sendable, Equatable {
    /// Whether the content is JSON with the token in a field.
    let isJSON: Bool
    /// The field; `nil` for plain text.
    let field: String?

    /// Reads the token; throws what is missing.
    func read(_ bytes: [UInt8], from origin: String) throws(Failure) -> SubjectToken {
        func missing(_ reason: String) -> Failure {
            Failure(.subjectUnreadable).with(.origin, origin).with(.reason, reason)
        }
        var text = String(decoding: bytes, as: UTF8.self)
        if isJSON {
            guard let field else { throw missing("credential_source.format has no subject_token_field_name") }
            guard let value = JSONValue(bytes) else { throw missing("it is not JSON") }
            guard let token = value[field]?.string else { throw missing("it has no text \(field)") }
            text = token
        }
        text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { throw missing("it is empty") }
        return SubjectToken(text, from: origin)
    }
}

/// Where the token of another provider comes from.
enum SubjectSource: Sendable {
    /// A file that another program updates; it is read for each exchange.
    case file(path: String, SubjectFormat)
    /// An endpoint of the machine's cloud.
    case url(String, headers: [(name: String, value: String)], SubjectFormat)
    /// A command.
    case executable(command: String, timeout: Duration, outputFile: String?)
    /// A signed request to Amazon.
    case aws(AWSSource)

    /// Returns a new token.
    func token(
        for credential: ExternalCredential,
        _ call: GoogleCall
    ) async throws(Failure) -> SubjectToken {
        switch self {
        case .file(let path, let format):
            let bytes: [UInt8]
            do {
                bytes = try call.world.files.read(path)
            } catch {
                let reason = if case .unreadable(let reason) = error { reason } else { "it does not exist" }
                throw Failure(.subjectUnreadable).with(.origin, path).with(.reason, reason)
            }
            return try format.read(bytes, from: path)
        case .url(let url, let headers, let format):
            let request = request(url, headers)
            let response = try await call.send(request)
            guard response.status == 200 else {
                throw Failure(.subjectUnreadable).with(.origin, Self.shown(url)).with(
                    .reason,
                    "HTTP \(response.status)"
                )
            }
            return try format.read(response.body, from: Self.shown(url))
        case .executable(let command, let timeout, let outputFile):
            let executable = ExecutableSubject(command: command, timeout: timeout, outputFile: outputFile)
            return try await executable.token(for: credential, call.world)
        case .aws(let source): return try await source.token(for: credential, call)
        }
    }

    private func request(_ url: String, _ headers: [(name: String, value: String)]) -> HTTPTransportRequest {
        var request = HTTPTransportRequest(
            url: url,
            headers: headers,
            timeout: .seconds(5),
            maximumResponseBytes: GoogleCall.maximumBytes
        )
        // Only an encrypted request may pass a proxy.
        request.usesProxies = url.hasPrefix("https:")
        return request
    }

    /// Returns an address without its query, which may hold secrets.
    private static func shown(_ url: String) -> String { String(url.prefix { $0 != "?" }) }
}
