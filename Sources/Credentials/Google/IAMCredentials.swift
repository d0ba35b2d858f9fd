import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime

/// The API of IAM Service Account Credentials, which acts in the name of service accounts.
struct IAMCredentials: Sendable {
    /// The base URL without `/v1`.
    let baseURL: String
    let call: GoogleCall
    /// The caller, for messages.
    let caller: String
    /// The project that is charged; `nil` for the caller's project.
    let quotaProject: String?

    /// Signs the claims of a JWT; returns it.
    func signJWT(
        _ claims: some Encodable,
        as account: String,
        delegates: [String],
        with token: String
    ) async throws(Failure) -> (token: String, response: HTTPTransportResponse) {
        let payload = String(decoding: JSONBytes.encode(claims), as: UTF8.self)
        let body = SignBody(payload: payload, delegates: Self.names(of: delegates))
        let response = try await send("signJwt", body, account, token)
        guard let signed = JSONValue(response.body)?["signedJwt"]?.string, !signed.isEmpty else {
            throw unreadable(response)
        }
        return (signed, response)
    }

    /// Returns an access token of an account.
    func accessToken(
        of account: String,
        delegates: [String],
        scopes: [String],
        lifetime: Int = 3600,
        with token: String
    ) async throws(Failure) -> IssuedToken {
        let body = TokenBody(scope: scopes, lifetime: "\(lifetime)s", delegates: Self.names(of: delegates))
        let response = try await send("generateAccessToken", body, account, token)
        let answer = JSONValue(response.body)
        guard let text = answer?["accessToken"]?.string, !text.isEmpty,
            let end = answer?["expireTime"]?.string.flatMap(Timestamp.date)
        else { throw unreadable(response) }
        return GoogleCall.token(text, .at(end), response)
    }

    private func unreadable(_ response: HTTPTransportResponse) -> Failure {
        call.recorder.record(response.exchange?.describing(body: response.body))
        return Failure(.noAccessToken).with(.host, URLOrigin(baseURL)?.host ?? "")
    }

    /// Returns the resource names of accounts; a name that is complete is not changed.
    private static func names(of accounts: [String]) -> [String] {
        accounts.map { $0.hasPrefix("projects/") ? $0 : "projects/-/serviceAccounts/\($0)" }
    }

    private func send(
        _ method: String,
        _ body: some Encodable,
        _ account: String,
        _ token: String
    ) async throws(Failure) -> HTTPTransportResponse {
        var headers = [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")]
        if let quotaProject { headers.append(("x-goog-user-project", quotaProject)) }
        let response = try await call.send(
            HTTPTransportRequest(
                method: "POST",
                url: "\(baseURL)/v1/projects/-/serviceAccounts/\(PercentEncoding.encode(account)):\(method)",
                headers: headers,
                body: JSONBytes.encode(body),
                timeout: .seconds(8),
                maximumResponseBytes: GoogleCall.maximumBytes
            ),
            as: Call.Operation(rawValue: method.prefix(1).uppercased() + method.dropFirst())
        )
        guard response.status == 200 else { throw refusal(response, account, method) }
        return response
    }

    /// Returns why IAM refuses a request.
    private func refusal(_ response: HTTPTransportResponse, _ account: String, _ method: String) -> Failure {
        let error = ServiceAnswer(httpStatus: response.status, body: response.body)
        func refusal(_ code: FailureCode) -> Failure {
            Failure(code).with(.account, account).with(.caller, caller).with(.status, response.status)
                .with(.error, error.status ?? "HTTP \(response.status)")
        }
        guard response.status == 403 else { return refusal(.iamRefused) }
        if error.projectProblem == .apiDisabled {
            return refusal(.iamDisabled).with(.project, Self.project(in: error.message ?? ""))
        }
        let permission = error.missingPermission ?? Self.permission(in: error.message ?? "")
        let isDelegation = permission == "iam.serviceAccounts.implicitDelegation"
        let action = method == "generateAccessToken" ? "getAccessToken" : method
        return refusal(isDelegation ? .iamDelegation : .iamDenied)
            .with(.permission, permission ?? "iam.serviceAccounts.\(action)")
    }

    /// Returns the project in a message about a disabled API, such as `project 1234567890`.
    private static func project(in message: String) -> String {
        guard let match = message.firstMatch(of: /project ([a-z0-9:.-]+)/.ignoresCase()) else { return "the project" }
        return "project \(match.1)"
    }

    /// Returns the permission in a message such as `Permission 'iam.serviceAccounts.signJwt' denied on resource`.
    private static func permission(in message: String) -> String? {
        message.firstMatch(of: /(iam\.serviceAccounts\.[A-Za-z]+)/).map { String($0.1) }
    }

    private struct SignBody: Encodable {
        var payload: String
        var delegates: [String]
    }

    private struct TokenBody: Encodable {
        var scope: [String]
        var lifetime: String
        var delegates: [String]
    }
}
