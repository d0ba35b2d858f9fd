import Failures
import FleetTokens
import Foundation
import Recording
import Runtime
import Testing
import Transport
import TripTestSupport

@Suite("Recorded problems", .ends(within: .minutes(10)))
struct RecordedProblemTests {
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
        Failure(.iamDenied, ["account": .text("a@p.test"), "status": .number(403)]),
        Failure(.credentialsNotFound, ["places": .texts(["A", "/b"])]),
        Failure(.credentialVariableForm, ["place": .text("V"), "form": .term(.credentialFormJSON)]),
        Failure(.grantClock, ["difference": .duration(.seconds(7200)), "size": .bytes(9)]),
        Failure(.metadataDown, ["host": .text("h")], cause: Failure(.refused)),
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

    /// Returns a problem after it was written and read.
    private func copy(_ problem: RecordedProblem) throws -> RecordedProblem {
        try JSONDecoder().decode(RecordedProblem.self, from: try JSONEncoder().encode(problem))
    }

    @Test func `keeps every token error`() throws {
        for error in Self.tokenErrors {
            #expect(try copy(RecordedProblem(error.failure)).failure(of: .token) == error.failure)
        }
    }

    @Test func `a text in a file is not taken for the key of one of our texts`() throws {
        let json = #"{"code":"source.credential_variable_form","values":{"form":{"term":"a\u001b[31m b"}}}"#
        #expect(try problem(json).failure(of: .source) == Failure(.credentialVariableForm))
    }

    @Test func `keeps every error of a connection`() throws {
        for error in Self.transportErrors { #expect(try copy(RecordedProblem(error)).transportError == error) }
    }

    @Test func `keeps every warning about a token`() throws {
        for warning in Self.warnings { #expect(try copy(RecordedProblem(warning)).failure(of: .warning) == warning) }
    }

    @Test func `an unknown code is no known error`() throws {
        let problem = try problem(#"{"code":"from_the_future","reason":"why"}"#)
        #expect(problem.failure(of: .token) == nil)
        for family in [RecordedProblem.Family.source, .fault, .warning, .token, .transport] {
            #expect(problem.failure(of: family) == nil)
        }
        #expect(problem.transportError == .other(reason: "why"))
    }

    @Test func `a failure that is about its cause needs one, and causes end`() throws {
        #expect(try problem(#"{"code":"token.unavailable"}"#).failure(of: .token) == nil)
        #expect(
            try problem(#"{"code":"token.unavailable","cause":{"code":"source.of_the_future"}}"#).failure(of: .token)
                == nil
        )
        let chain =
            String(repeating: #"{"code":"source.metadata_down","cause":"#, count: 40) + #"{"code":"source.empty"}"#
        let deep = try problem(chain + String(repeating: "}", count: 40)).failure(of: .source)
        #expect(sequence(first: try #require(deep), next: \.cause).count { _ in true } == 6)
    }

    @Test func `a failure at the place of another family is no known one`() throws {
        #expect(try problem(#"{"code":"fault.expired"}"#).failure(of: .warning) == nil)
        #expect(try problem(#"{"code":"source.empty"}"#).failure(of: .token) == nil)
        let source = try problem(#"{"code":"transport.timed_out","asked":"source"}"#)
        #expect(source.failure(of: .source) == .sourceTimedOut && source.failure(of: .transport) == nil)
    }

    private func problem(_ json: String) throws -> RecordedProblem {
        try JSONDecoder().decode(RecordedProblem.self, from: Data(json.utf8))
    }

    /// The members of a source's failure in format 1.1.
    private static let oldSourceErrors: [(String, Failure)] = [
        (
            #""code":"unreachable","reason":"r","name":"unknown_host""#,
            .sourceUnreachable(.unknownHost, reason: "r")
        ),
        (#""code":"unreachable","reason":"r","name":"wrong_port""#, .sourceUnreachable(.wrongPort, reason: "r")),
        (#""code":"unreachable","reason":"r","name":"tls""#, .sourceUnreachable(.tls, reason: "r")),
        (
            #""code":"unreachable","reason":"r","name":"interrupted""#,
            .sourceUnreachable(.connectionLost, reason: "r")
        ),
        (#""code":"unreachable","reason":"r","name":"broken_answer""#, .sourceUnreachable(.cutOff, reason: "r")),
        (#""code":"unreachable","reason":"r","name":"no_route""#, .sourceUnreachable(.other, reason: "r")),
        (#""code":"unreachable","reason":"r","name":"proxy""#, .sourceUnreachable(.proxyFailed, reason: "r")),
        (#""code":"unreachable","reason":"r","name":"other""#, .sourceUnreachable(reason: "r")),
        (#""code":"unusable_proxy","reason":"r""#, .sourceUnusableProxy(reason: "r")),
        (#""code":"timed_out""#, .sourceTimedOut),
        (#""code":"refused_status","number":503,"retryAfter":7"#, .sourceStatus(503, retryAfter: .seconds(7))),
        (#""code":"refused_status","number":404"#, .sourceStatus(404, retryAfter: nil)),
        (#""code":"redirected","number":302"#, .sourceRedirected(status: 302)),
        (#""code":"html","number":200"#, .sourceHTML(status: 200)), (#""code":"not_json""#, .sourceNotJSON),
        (#""code":"missing_key","name":"k","names":["a","b"]"#, .sourceMissingKey("k", known: ["a", "b"])),
        (#""code":"encoded_json","name":"k""#, .sourceEncodedJSON(key: "k")),
        (#""code":"encoded_json""#, .sourceEncodedJSON(key: nil)),
        (#""code":"wrong_type","name":"k""#, .sourceWrongType(key: "k")), (#""code":"empty""#, .sourceEmpty),
        (#""code":"too_large","number":9"#, .sourceTooLarge(limit: 9)), (#""code":"invalid_url""#, .sourceInvalidURL),
        (#""code":"insecure_url""#, .sourceInsecureURL), (#""code":"unsupported_context""#, .sourceUnsupportedContext),
        (#""code":"command_not_started","reason":"r""#, .commandNotStarted(reason: "r")),
        (#""code":"command_failed","number":3"#, .commandFailed(exitStatus: 3)),
        (#""code":"command_killed","number":9"#, .commandKilled(signal: 9)),
        (#""code":"unreadable_file","reason":"r""#, .unreadableFile(reason: "r")),
        (#""code":"missing_variable","name":"V""#, .missingVariable("V")),
        (#""code":"unusable_header","name":"h","reason":"r""#, .unusableHeader(name: "h", reason: "r")),
        (#""code":"bad_key","reason":"r""#, .badKey(reason: "r")), (#""code":"cancelled""#, .sourceCancelled),
        (#""code":"source.signer_unnamed""#, Failure(.signerUnnamed)),
    ]

    @Test func `reads the failures of sources in format 1.1`() throws {
        for (members, failure) in Self.oldSourceErrors {
            let json = #"{"code":"unavailable","retryAfter":2,"cause":{\#(members)}}"#
            #expect(
                try problem(json).failure(of: .token)
                    == TokenError.unavailable(failure, retryAfter: .seconds(2)).failure,
                "\(members)"
            )
        }
        let nested = #"{"code":"unavailable","cause":{"code":"token.unusable","cause":{"code":"fault.opaque"}}}"#
        let cause = Failure(.tokenUnusable, cause: Failure(.tokenOpaque))
        #expect(try problem(nested).failure(of: .token) == Failure(.tokenUnavailable, cause: cause))
        let missing = #"{"code":"missing_data","retryAfter":2,"cause":{"code":"empty"}}"#
        #expect(
            try problem(missing).failure(of: .token)
                == TokenError.missingData(.sourceEmpty, retryAfter: .seconds(2)).failure
        )
    }

    @Test func `reads the faults of tokens in format 1.1`() throws {
        let faults: [(String, Failure)] = [
            (#""code":"malformed""#, .tokenMalformed), (#""code":"too_long","number":9"#, .tokenTooLong(bytes: 9)),
            (#""code":"opaque""#, .tokenOpaque), (#""code":"missing_expiry""#, .tokenWithoutExpiry),
            (#""code":"expired","seconds":3"#, .tokenExpired(ago: .seconds(3))),
            (#""code":"too_short","seconds":1.5"#, .tokenTooShort(left: .milliseconds(1500))),
            (
                #""code":"nearly_over","seconds":6,"ofSeconds":60"#,
                .tokenNearlyOver(left: .seconds(6), lifetime: .seconds(60))
            ),
            (#""code":"too_long_lived","seconds":7200"#, .tokenTooLongLived(.seconds(7200))),
            (#""code":"ends_too_far_ahead","seconds":5"#, .tokenEndsTooFarAhead(by: .seconds(5))),
            (#""code":"issued_in_future","seconds":9"#, .tokenIssuedInFuture(by: .seconds(9))),
            (
                #""code":"misspelt_claim","reason":"tripId","name":"tripid""#,
                .tokenMisspelledClaim("tripId", meant: "tripid")
            ),
            (#""code":"mistyped_time","name":"exp""#, .tokenMistypedTime("exp")),
            (#""code":"begin_in_milliseconds","name":"iat""#, .tokenBeginInMilliseconds("iat")),
            (#""code":"authorization_unusable","reason":"[]""#, .tokenUnusableAuthorization("[]")),
            (#""code":"wrapped","reason":"xml""#, .tokenWrapped(.xml)),
            (#""code":"bearer_prefix""#, .tokenBearerPrefix),
            (#""code":"api_key""#, .otherCredential(.apiKey)),
        ]
        for (members, fault) in faults {
            let json = #"{"code":"unusable","retryAfter":2,"cause":{\#(members)}}"#
            #expect(
                try problem(json).failure(of: .token) == TokenError.unusable(fault, retryAfter: .seconds(2)).failure,
                "\(members)"
            )
        }
    }

    @Test func `reads the other failures of format 1.1`() throws {
        let errors: [(String, TokenError)] = [
            (#"{"code":"denied","number":410,"retryAfter":3}"#, .denied(status: 410, retryAfter: .seconds(3))),
            (
                #"{"code":"rejected_by_service","number":403,"grpcStatus":7,"retryAfter":3}"#,
                .rejectedByService(status: .grpc(7), retryAfter: .seconds(3))
            ),
            (
                #"{"code":"too_short_lived","seconds":4,"ofSeconds":30}"#,
                .tooShortLived(left: .seconds(4), wanted: .seconds(30))
            ),
            (#"{"code":"too_many_keys","number":10}"#, .tooManyKeys(limit: 10)), (#"{"code":"closed"}"#, .closed),
        ]
        for (json, error) in errors { #expect(try problem(json).failure(of: .token) == error.failure, "\(json)") }
        let warnings: [(String, Failure)] = [
            (#"{"code":"clock_differs","seconds":-90}"#, .clockDiffers(.seconds(-90))),
            (#"{"code":"short_lived","seconds":20}"#, .shortLived(.seconds(20))),
            (#"{"code":"opaque"}"#, .opaqueToken), (#"{"code":"wrong_expiry_unit"}"#, .ignoredExpiryUnit),
            (#"{"code":"no_expiration_key","name":"k"}"#, .noExpirationKey("k")),
            (
                #"{"code":"expiry_disagreement","seconds":100,"ofSeconds":90.5}"#,
                .expiryDisagreement(
                    token: Date(timeIntervalSince1970: 100),
                    endpoint: Date(timeIntervalSince1970: 90.5)
                )
            ),
        ]
        for (json, warning) in warnings { #expect(try problem(json).failure(of: .warning) == warning, "\(json)") }
        #expect(try problem(#"{"code":"tls","reason":"expired"}"#).transportError == .tls(reason: "expired"))
        #expect(try problem(#"{"code":"too_large","number":4}"#).transportError == .tooLarge(limit: 4))
        #expect(try problem(#"{"code":"timed_out"}"#).transportError == .timedOut)
    }
}
