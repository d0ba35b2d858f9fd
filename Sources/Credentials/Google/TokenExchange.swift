import Failures
import FleetTokens
import Foundation
import Runtime
import TripModel

/// Google's exchange of tokens of other providers (RFC 8693).
struct TokenExchange: Sendable {
    let call: GoogleCall

    /// Exchanges a subject token for an access token.
    func token(
        for subject: SubjectToken,
        _ credential: ExternalCredential,
        scopes: [String]
    ) async throws(Failure) -> IssuedToken {
        let options =
            credential.client == nil
            ? credential.userProject.map { String(decoding: JSONBytes.encode(["userProject": $0]), as: UTF8.self) }
            : nil
        let response = try await call.post(
            [
                "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
                "audience": credential.audience,
                "scope": scopes.joined(separator: " "),
                "requested_token_type": "urn:ietf:params:oauth:token-type:access_token",
                "subject_token": subject.secret.text,
                "subject_token_type": credential.subjectType,
                "options": options.map(PercentEncoding.encode) ?? "",
            ],
            to: credential.tokenURL,
            headers: credential.client.map { [Grant.login($0.id, $0.secret)] } ?? [],
            waits: []
        )
        guard response.status == 200 else {
            throw refusal(response, subject, credential)
        }
        return try call.accessToken(in: response, from: credential.tokenURL)
    }

    /// Returns why the exchange refuses a subject token.
    private func refusal(
        _ response: HTTPTransportResponse,
        _ subject: SubjectToken,
        _ credential: ExternalCredential
    ) -> Failure {
        let answer = JSONValue(response.body)
        let error = answer?["error"]?.string ?? ""
        let words = (answer?["error_description"]?.string ?? "").lowercased()
        let claims = ["iss", "sub", "aud"].map { "\($0) \(subject.claims[$0] ?? "?")" }
        let code: FailureCode =
            if error == "invalid_target" || words.contains("\"audience\"") {
                .exchangeAudience
            } else if words.contains("attribute condition") {
                .exchangeCondition
            } else if words.contains("stale") || subject.isExpired(at: call.world.clock.now().wall) {
                .subjectStale
            } else {
                .exchangeRefused
            }
        return Failure(code)
            .with(.error, error.isEmpty ? "HTTP \(response.status)" : error).with(.audience, credential.audience)
            .with(.origin, subject.origin).with(.subject, subject.claims["sub"] ?? "?")
            .with(.claims, claims.joined(separator: ", "))
    }
}
