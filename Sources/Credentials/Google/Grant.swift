import Failures
import FleetTokens
import Foundation
import JWTKit
import Runtime
import TokenSigning
import TripModel

/// Grants of access tokens by Google's token endpoint (RFC 6749, RFC 7523).
struct Grant: Sendable {
    /// The audience of an assertion, whatever the address of the endpoint.
    static let audience = "https://oauth2.googleapis.com/token"

    let call: GoogleCall

    /// Exchanges a person's refresh token for an access token.
    func refresh(_ user: UserCredential) async throws(Failure) -> IssuedToken {
        let response = try await call.post(
            [
                "grant_type": "refresh_token", "client_id": user.clientID, "client_secret": user.clientSecret.text,
                "refresh_token": user.refreshToken.text,
            ],
            to: user.tokenURL
        )
        return try token(in: response, user.tokenURL, account: user.account, path: user.path)
    }

    /// Exchanges the refresh token of a federated login for an access token.
    func refresh(_ user: ExternalUserCredential) async throws(Failure) -> IssuedToken {
        let response = try await call.post(
            ["grant_type": "refresh_token", "refresh_token": user.refreshToken.text],
            to: user.tokenURL,
            headers: [Self.login(user.clientID, user.clientSecret)]
        )
        return try token(in: response, user.tokenURL, account: nil, path: user.path)
    }

    /// Exchanges the signature of a service account for an access token.
    func sign(
        _ credential: ServiceAccountCredential,
        scopes: [String]
    ) async throws(Failure) -> IssuedToken {
        let seconds = Int(call.world.clock.now().wall.timeIntervalSince1970.rounded(.down))
        let assertion = try await credential.key.sign(
            Assertion(
                iss: credential.key.email,
                aud: Self.audience,
                scope: scopes.joined(separator: " "),
                iat: seconds,
                exp: seconds + 3600
            )
        )
        let response = try await call.post(
            ["grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": assertion],
            to: credential.tokenURL
        )
        return try token(
            in: response,
            credential.tokenURL,
            account: credential.key.email,
            path: credential.path,
            keyID: credential.key.keyID
        )
    }

    /// The header with which a client logs in.
    static func login(_ id: String, _ secret: SecretBytes) -> (name: String, value: String) {
        ("Authorization", "Basic " + Data("\(id):\(secret.text)".utf8).base64EncodedString())
    }

    private func token(
        in response: HTTPTransportResponse,
        _ url: String,
        account: String?,
        path: String,
        keyID: String? = nil
    ) throws(Failure) -> IssuedToken {
        guard response.status == 200 else {
            throw Refusal(response).failure(
                host: URLOrigin(url)?.host ?? "",
                account: account ?? path,
                path: path,
                keyID: keyID,
                now: call.world.clock.now().wall
            )
        }
        return try call.accessToken(in: response, from: url)
    }

    private struct Assertion: JWTPayload {
        var iss: String
        var aud: String
        var scope: String
        var iat: Int
        var exp: Int

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }
}

extension Grant {
    /// An error of a token endpoint (RFC 6749, section 5.2).
    struct Refusal {
        /// The difference of two clocks, in seconds, above which the times of a request may be refused.
        private static let clockLimit = 60.0

        private let response: HTTPTransportResponse
        private let error: String
        private let description: String
        private let subtype: String

        init(_ response: HTTPTransportResponse) {
            self.response = response
            let answer = JSONValue(response.body)
            error = answer?["error"]?.string ?? ""
            description = answer?["error_description"]?.string ?? ""
            subtype = answer?["error_subtype"]?.string ?? ""
        }

        /// The error as its service writes it; the status if there is none.
        var text: String { error.isEmpty ? "HTTP \(response.status)" : error }

        /// Returns why no token was granted.
        func failure(host: String, account: String, path: String, keyID: String?, now: Date) -> Failure {
            let difference = response.header("Date").flatMap(HTTPDate.date).map { abs($0.timeIntervalSince(now)) }
            return Failure(code(isClockWrong: difference ?? 0 > Self.clockLimit))
                .with(.host, host).with(.account, account).with(.path, path).with(.error, text)
                .with(.key, keyID ?? "").with(.difference, difference.map { .seconds($0) })
        }

        private func code(isClockWrong: Bool) -> FailureCode {
            func says(_ words: String...) -> Bool {
                words.contains { description.localizedCaseInsensitiveContains($0) }
            }
            switch error {
            case "invalid_grant" where subtype.contains("rapt") || says("rapt", "reauth"): return .grantSession
            case "invalid_grant" where says("short-lived token", "timeframe"),
                "invalid_request" where says("timeframe"):
                return isClockWrong ? .grantClock : .grantRefused
            case "invalid_grant" where says("signature"): return .grantSignature
            case "invalid_grant" where says("account not found", "disabled", "deleted"), "account_disabled":
                return .grantAccount
            case "invalid_grant" where says("expired or revoked", "bad request"): return .grantRevoked
            case "invalid_scope": return .grantScope
            case "invalid_client", "deleted_client", "unauthorized_client", "disabled_client": return .grantClient
            default: return .grantRefused
            }
        }
    }
}
