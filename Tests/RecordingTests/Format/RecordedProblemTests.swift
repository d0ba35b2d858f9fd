import Failures
import FleetTokens
import Foundation
import HTTPTransport
import Recording
import Testing
import TripTestSupport

@Suite("Recorded problems", .ends(within: .minutes(10)))
struct RecordedProblemTests {
    private static let sourceErrors: [TokenSourceError] = [
        .unreachable(reason: "no route", cause: .unknownHost), .unreachable(reason: "reset", cause: .interrupted),
        .unreachable(reason: "refused"), .unreachable(reason: "HTTPS_PROXY", cause: .proxy),
        .unreachable(reason: "no TLS", cause: .wrongPort), .unreachable(reason: "TLS: no", cause: .tls),
        .unreachable(reason: "no route", cause: .noRoute),
        .unusableProxy(reason: "HTTPS_PROXY"), .timedOut,
        .refusedStatus(503, retryAfter: .seconds(7)), .refusedStatus(404, retryAfter: nil), .redirected(status: 302),
        .html(status: 200), .notJSON, .missingKey("token", known: ["jwt", "data.jwt"]), .wrongType(key: "token"),
        .encodedJSON(key: "body"), .encodedJSON(key: nil),
        .empty, .tooLarge(limit: 65_536), .invalidURL, .insecureURL, .unsupportedContext,
        .commandNotStarted(reason: "not found"), .commandFailed(exitStatus: 3), .commandKilled(signal: 9),
        .unreadableFile(reason: "missing"), .missingVariable("TOKEN"),
        .unusableHeader(name: "x-key", reason: "line feed"), .badKey(reason: "not PEM"), .cancelled,
        .credentials(Failure(.iamDenied, ["account": .text("a@p.test"), "status": .number(403)])),
        .credentials(Failure(.credentialsNotFound, ["places": .texts(["A", "/b"])])),
        .credentials(Failure(.credentialVariableForm, ["place": .text("V"), "form": .term("credentialFormJSON")])),
        .credentials(Failure(.grantClock, ["difference": .duration(.seconds(7200)), "size": .bytes(9)])),
        .credentials(Failure(.metadataDown, ["host": .text("h")], cause: Failure(.refused))),
    ]

    private static let faults: [TokenFault] =
        [
            .malformed, .tooLong(bytes: 9000), .opaque, .unsigned, .missingExpiry, .expiryInMilliseconds,
            .expired(ago: .seconds(3)), .tooShort(left: .milliseconds(1500)),
            .nearlyOver(left: .seconds(60), lifetime: .seconds(3600)), .tooLongLived(.seconds(7200)),
            .endsTooFarAhead(by: .seconds(5)), .issuedInFuture(by: .seconds(9)), .wrongAudience,
            .authorizationMissing, .boundToAnother, .wrongKind, .overBroad, .sameTokenAgain, .bearerPrefix,
            .wrongExpiryUnit, .misspelledClaim("tripId", meant: "tripid"), .mistypedTime("exp"),
            .beginInMilliseconds("iat"),
            .unusableAuthorization("{\"tripids\": […]}"),
        ] + CredentialKind.allCases.map(TokenFault.otherCredential)
        + TokenForm.allCases.filter { $0 != .bearer }.map(TokenFault.wrapped)

    private static let transportErrors: [Failure] = [
        .invalidURL, .refused, .unknownHost, .tls(reason: "expired"), .unusableProxy(reason: "HTTPS_PROXY"),
        .proxyFailed(reason: "HTTPS_PROXY"), .wrongPort(reason: "no TLS"),
        .timedOut, .connectionLost, .cutOff, .tooLarge(limit: 4), .malformed(reason: "bytes"), .cancelled,
        .other(reason: "library"),
    ]

    private static let warnings: [TokenWarning] = [
        .expiryDisagreement(token: Date(timeIntervalSince1970: 100), endpoint: Date(timeIntervalSince1970: 90.5)),
        .opaque, .assumedLifetime(.seconds(600)), .clockDiffers(.seconds(-90)), .shortLived(.seconds(20)),
        .wrongExpiryUnit, .unusualAlgorithm, .wildcard, .readableByOthers, .noExpirationKey("expiresAt"),
        .unreadableTime("expiresAt"),
        .surroundedBySpace,
    ]

    private static var tokenErrors: [TokenError] {
        let plain: [TokenError] = [
            .noAuthorizationContext, .denied(status: 410, retryAfter: .seconds(300)),
            .rejectedByService(status: 403, retryAfter: .seconds(2)),
            .rejectedByService(status: .grpc(7), retryAfter: .seconds(2)),
            .tooShortLived(left: .seconds(4), wanted: .seconds(30)), .tooManyKeys(limit: 10),
            .tooManyWaiters(limit: 5), .cancelled, .closed,
        ]
        return plain + sourceErrors.map { .unavailable($0, retryAfter: .seconds(1)) }
            + sourceErrors.map { .missingData($0, retryAfter: .milliseconds(250)) }
            + faults.map { .unusable($0, retryAfter: .seconds(5)) }
    }

    /// Returns a problem after it was written and read.
    private func copy(_ problem: RecordedProblem) throws -> RecordedProblem {
        try JSONDecoder().decode(RecordedProblem.self, from: try JSONEncoder().encode(problem))
    }

    @Test func `keeps every token error`() throws {
        for error in Self.tokenErrors { #expect(try copy(RecordedProblem(error)).tokenError == error) }
    }

    @Test func `a text in a file is not taken for the key of one of our texts`() throws {
        let json = #"{"code":"source.credential_variable_form","values":{"form":{"term":"a\u001b[31m b"}}}"#
        let problem = try JSONDecoder().decode(RecordedProblem.self, from: Data(json.utf8))
        #expect(problem.sourceError == .credentials(Failure(.credentialVariableForm)))
    }

    @Test func `keeps every error of a connection`() throws {
        for error in Self.transportErrors { #expect(try copy(RecordedProblem(error)).transportError == error) }
    }

    @Test func `keeps every warning about a token`() throws {
        for warning in Self.warnings { #expect(try copy(RecordedProblem(warning)).tokenWarning == warning) }
    }

    @Test func `an unknown code is no known error`() {
        let problem = RecordedProblem("from_the_future", reason: "why")
        #expect(problem.tokenError == nil)
        #expect(problem.sourceError == nil)
        #expect(problem.tokenFault == nil)
        #expect(problem.tokenWarning == nil)
        #expect(problem.transportError == .other(reason: "why"))
    }
}
