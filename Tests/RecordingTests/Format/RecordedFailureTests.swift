import Failures
import FleetTokens
import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripTestSupport

@Suite("Recorded failures", .ends(within: .quickTest))
struct RecordedFailureTests {
    private static let sourceErrors: [Failure] = [
        .sourceUnreachable(.unknownHost, reason: "no route"),
        .sourceUnreachable(.connectionLost, reason: "reset"),
        .sourceUnreachable(reason: "refused"), .sourceUnreachable(.proxyFailed, reason: "HTTPS_PROXY"),
        .sourceUnreachable(.wrongPort, reason: "no TLS"), .sourceUnreachable(.tls, reason: "TLS: no"),
        .sourceUnreachable(.other, reason: "no route"),
        .sourceUnusableProxy(reason: "HTTPS_PROXY"), .sourceTimedOut,
        .sourceStatus(503, retryAfter: .seconds(7)), .sourceStatus(404, retryAfter: nil),
        .sourceRedirected(status: 302),
        .sourceHTML(status: 200), .sourceNotJSON, .sourceMissingKey("token", known: ["jwt", "data.jwt"]),
        .sourceWrongType(key: "token"),
        .sourceEncodedJSON(key: "body"), .sourceEncodedJSON(key: nil),
        .sourceEmpty, .sourceTooLarge(limit: 65_536), .sourceInvalidURL, .sourceInsecureURL, .sourceUnsupportedContext,
        .commandNotStarted(reason: "not found"), .commandFailed(exitStatus: 3), .commandKilled(signal: 9),
        .unreadableFile(reason: "missing"), .missingVariable("TOKEN"),
        .unusableHeader(name: "x-key", reason: "line feed"), .badKey(reason: "not PEM"), .sourceCancelled,
        Failure(.iamDenied).with(.account, "a@p.test").with(.status, 403),
        Failure(.credentialsNotFound).with(.places, ["A", "/b"]),
        Failure(.credentialVariableForm).with(.place, "V").with(.form, .credentialFormJSON),
        Failure(.grantClock).with(.difference, .seconds(7200)).with(.sizeLimit, 9),
        Failure(.metadataDown, cause: Failure(.refused)).with(.host, "h"),
    ]

    private static let faults: [Failure] =
        [
            .tokenMalformed, .tokenTooLong(bytes: 9000), .tokenOpaque, .tokenUnsigned, .tokenWithoutExpiry,
            .tokenExpiryInMilliseconds,
            .tokenExpired(ago: .seconds(3)), .tokenTooShort(left: .milliseconds(1500)),
            .tokenNearlyOver(left: .seconds(60), lifetime: .seconds(3600)), .tokenTooLongLived(.seconds(7200)),
            .tokenEndsTooFarAhead(by: .seconds(5)), .tokenIssuedInFuture(by: .seconds(9)), .tokenWrongAudience,
            .tokenWithoutAuthorization, .tokenBoundToAnother, .tokenWrongKind, .tokenOverBroad, .tokenSameAgain,
            .tokenBearerPrefix,
            .tokenWrongExpiryUnit, .tokenMisspelledClaim("tripId", meant: "tripid"), .tokenMistypedTime("exp"),
            .tokenBeginInMilliseconds("iat"),
            .tokenUnusableAuthorization("{\"tripids\": […]}"),
        ] + CredentialKind.allCases.map(Failure.otherCredential)
        + TokenForm.allCases.filter { $0 != .bearer }.map(Failure.tokenWrapped)
        + IDForm.allCases.map { .tokenIDForm($0, claim: "tripid") }

    private static let transportErrors: [Failure] = [
        .invalidURL, .refused, .unknownHost, .tls(reason: "expired"), .unusableProxy(reason: "HTTPS_PROXY"),
        .proxyFailed(reason: "HTTPS_PROXY"), .wrongPort(reason: "no TLS"),
        .timedOut, .connectionLost, .cutOff, .tooLarge(limit: 4), .malformed(reason: "bytes"), .cancelled,
        .other(reason: "library"),
    ]

    private static let warnings: [Failure] = [
        .expiryDisagreement(token: Date(timeIntervalSince1970: 100), endpoint: Date(timeIntervalSince1970: 90.5)),
        .opaqueToken, .assumedLifetime(.seconds(600)), .clockDiffers(.seconds(-90)), .shortLived(.seconds(20)),
        .ignoredExpiryUnit, .unusualAlgorithm, .wildcard, .readableByOthers, .noExpirationKey("expiresAt"),
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

    /// Returns a failure after it was written and read.
    private func copy(_ failure: Failure) throws -> Failure {
        try JSONDecoder().decode(Failure.self, from: try JSONEncoder().encode(failure))
    }

    private func failure(_ json: String) throws -> Failure {
        try JSONDecoder().decode(Failure.self, from: Data(json.utf8))
    }

    @Test func `retains the failures of sources, tokens, connections and warnings`() throws {
        let failures = Self.sourceErrors + Self.faults + Self.transportErrors + Self.warnings
        for failure in failures + Self.tokenErrors.map(\.failure) { #expect(try copy(failure) == failure) }
    }

    @Test func `retains what the service said, the rule that a token breaks and what happened before`() throws {
        var answer = ServiceAnswer(
            httpStatus: 403,
            grpcStatus: .permissionDenied,
            status: "PERMISSION_DENIED",
            message: "no",
            retryDelay: .seconds(2)
        )
        (answer.missingPermission, answer.reasons) = ("fleetengine.trips.get", ["IAM_PERMISSION_DENIED"])
        answer.violations = [ServiceAnswer.Violation("trip_id", "It is empty.")]
        let rule = TokenFinding.broken(
            .identity,
            .verdictOtherIdentity,
            ["claim": .quoted("tr-2"), "duration": .span(1.5)],
            .remedyOtherIdentity
        )
        let refusal = Failure.refusedToken(answer, because: rule, retryAfter: .milliseconds(1500))
        #expect(try copy(refusal) == refusal)
        var history = History(tokens: 2, hasAnswer: true, refusal: refusal)
        history.streak = .init(count: 3, since: Date(timeIntervalSince1970: 1_767_225_600.25))
        let failure = TokenError.unavailable(.sourceTimedOut, retryAfter: .seconds(1)).failure.with(history)
        let read = try copy(failure)
        #expect(read == failure && read.history == history)
    }

    @Test func `retains the evidence once`() throws {
        let request = Exchange.Request(method: "GET", url: "https://h/v1", headerNames: ["accept"], bytes: 0)
        let exchange = Exchange(.http, request, duration: .seconds(1), ending: .failed(.timedOut))
        let refusal = Failure.service(ServiceAnswer(httpStatus: 401), retryAfter: nil).with(exchange)
        let failure = Failure.timedOut.with(exchange).with(History(refusal: refusal))
        let read = try copy(failure)
        #expect(read.exchange == exchange)
        #expect(read.history.refusal == refusal && read.history.refusal?.exchange == nil)
    }

    @Test func `the code comes first in a line, where an index finds it`() throws {
        let failure = Failure.timedOut.with(History(tokens: 1))
        #expect(String(decoding: JSONBytes.encode(failure), as: UTF8.self).hasPrefix(#"{"code":"transport.timed_out""#))
    }

    @Test func `a text in a file is not taken for the key of one of our texts`() throws {
        let json = #"{"code":"source.credential_variable_form","values":{"form":{"term":"a\u001b[31m b"}}}"#
        guard case .text? = try failure(json).values["form"] else {
            Issue.record("not a text")
            return
        }
    }

    @Test func `an unknown code is another error that names it`() throws {
        #expect(try failure(#"{"code":"token.from_the_future"}"#) == .other(reason: "token.from_the_future"))
    }

    @Test func `a failure that is about its cause needs one, and causes end`() throws {
        #expect(try failure(#"{"code":"token.unavailable"}"#) == .other(reason: "token.unavailable"))
        let chain =
            String(repeating: #"{"code":"source.metadata_down","underlying":"#, count: 40)
            + #"{"code":"source.empty"}"#
        let deep = try failure(chain + String(repeating: "}", count: 40))
        #expect(sequence(first: deep, next: \.cause).count { _ in true } == 6)
    }

    @Test func `a failure at the place of another kind is left out`() throws {
        var status = TokenStatus(state: .fresh, source: "")
        status.lastError = TokenError(Failure(.sourceEmpty))
        status.warnings = [.tokenExpired(ago: .seconds(3)), .opaqueToken]
        let read = RecordedTokenState(status).status
        #expect(read.lastError == nil && read.warnings == [.opaqueToken])
    }

    @Test func `numbers, texts and lists of a hostile file are bounded`() throws {
        let long = String(repeating: "x ", count: 50_000)
        let foreign = #""status":{"seconds":1},"elsewhere":{"text":"x"}"#
        #expect(try failure(#"{"code":"source.empty","values":{\#(foreign)}}"#).values.isEmpty)
        let read = try failure(
            #"{"code":"source.empty","retryAfter":1e300,"values":{"said":{"text":"\#(long)"},"status":{"number":9000000000}},"#
                + #""serviceAnswer":{"httpStatus":-5,"message":"\#(long)"},"history":{"tokens":9000000000}}"#
        )
        #expect(read.retryAfter == .seconds(3_155_760_000))
        #expect(read[.said]?.count == 500 && read[.status] == 1_000_000_000)
        #expect(read.answer?.httpStatus == 0 && read.answer?.message?.count == 500)
        #expect(read.history.tokens == 1_000_000_000)
    }

    @Test func `no token is written or read`() throws {
        let token = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhIn0.Wd7vQp9xLm2nRt8wYb4cHz7fJg5sKa1eUo6iXk0VqNyTrBhCwS"
        let failure = Failure.service(ServiceAnswer(httpStatus: 403, message: "bad \(token)"), retryAfter: nil)
            .with(.errors, token)
        #expect(!String(decoding: JSONBytes.encode(failure), as: UTF8.self).contains("eyJ"))
        let read = try self.failure(#"{"code":"source.empty","values":{"errors":{"text":"\#(token)"}}}"#)
        #expect(read[.errors]?.contains("eyJ") == false)
    }

    @Test func `findings of a newer program are left out`() throws {
        let known = TokenFinding.satisfied(.shape, .verdictThreeParts)
        let bytes = JSONBytes.encode(RecordedToken.Inspection(claims: nil, findings: [known, known]))
        let text = String(decoding: bytes, as: UTF8.self)
        for (old, new) in [("verdictThreeParts", "verdictOfTomorrow"), ("shape", "quantum"), ("kept", "perhaps")] {
            let range = try #require(text.range(of: "\"\(old)\""))
            let newer = text.replacingCharacters(in: range, with: "\"\(new)\"")
            let read = try JSONDecoder().decode(RecordedToken.Inspection.self, from: Data(newer.utf8))
            #expect(read.findings == [known])
        }
    }
}
