import Failures
import FleetTokens
import Foundation
import Testing
import TripFeed
import TripTestSupport
import TripText

/// The table of failures, as far as the compiler does not check it.
@Suite("Table of failures", .ends(within: .quickTest))
struct FailureTableTests {
    /// Failures of token sources and of tokens with their values.
    private static let failures: [Failure] =
        [
            .sourceTimedOut, .sourceNotJSON, .sourceEmpty, .sourceInvalidURL, .sourceInsecureURL,
            .sourceUnsupportedContext, .sourceCancelled, .sourceUnreachable(reason: "r"),
            .sourceUnreachable(.unknownHost, reason: "r"), .sourceUnreachable(.cutOff, reason: "r"),
            .sourceUnusableProxy(reason: "r"), .sourceStatus(503, retryAfter: .seconds(7)),
            .sourceStatus(404, retryAfter: nil), .sourceRedirected(status: 302), .sourceHTML(status: 200),
            .sourceMissingKey("k"), .sourceMissingKey("k", known: ["a"]), .sourceMissingKey("k", known: ["error"]),
            .sourceEncodedJSON(key: "k"), .sourceEncodedJSON(key: nil), .sourceWrongType(key: "k"),
            .sourceTooLarge(limit: 9), .commandNotStarted(reason: "r"), .commandFailed(exitStatus: 3),
            .commandKilled(signal: 9), .unreadableFile(reason: "r"), .missingVariable("V"),
            .unusableHeader(name: "n", reason: "r"), .badKey(reason: "r"), .tokenMalformed, .tokenOpaque,
            .tokenUnsigned, .tokenWithoutExpiry, .tokenExpiryInMilliseconds, .tokenWrongAudience,
            .tokenWithoutAuthorization, .tokenBoundToAnother, .tokenWrongKind, .tokenOverBroad, .tokenSameAgain,
            .tokenBearerPrefix, .tokenWrongExpiryUnit, .tokenTooLong(bytes: 9000), .tokenBeginInMilliseconds("iat"),
            .tokenExpired(ago: .seconds(3)), .tokenTooShort(left: .seconds(1)),
            .tokenNearlyOver(left: .seconds(60), lifetime: .seconds(3600)), .tokenTooLongLived(.seconds(7200)),
            .tokenEndsTooFarAhead(by: .seconds(5)), .tokenIssuedInFuture(by: .seconds(9)),
            .tokenUnusableAuthorization("f"), .tokenMisspelledClaim("tripId", meant: "tripid"),
            .tokenMistypedTime("exp"), .expiryDisagreement(token: .distantPast, endpoint: .distantPast),
            .opaqueToken, .assumedLifetime(.seconds(600)), .clockDiffers(.seconds(-90)), .clockDiffers(.seconds(90)),
            .shortLived(.seconds(20)), .ignoredExpiryUnit, .unusualAlgorithm, .wildcard, .readableByOthers,
            .noExpirationKey("k"), .unreadableTime("k"), .surroundedBySpace,
        ] + CredentialKind.allCases.map(Failure.otherCredential) + TokenForm.allCases.map(Failure.tokenWrapped)
        + IDForm.allCases.map { .tokenIDForm($0, claim: "tripid") }

    /// The values that a message adds to those of a failure.
    private static let added: Set<String> = ["cause", "detail", "host", "subject", "trip", "wait"]

    /// The values that a message about a poll adds, and those that failures may have.
    private static let known: Set<String> = added.union(["answer", "asked", "message", "title"]).union(
        FailureText.allCases.map(\.rawValue) + FailureNumber.allCases.map(\.rawValue)
            + FailureSize.allCases.map(\.rawValue) + FailureDuration.allCases.map(\.rawValue)
            + FailureList.allCases.map(\.rawValue) + FailureTerm.allCases.map(\.rawValue)
    )

    private static func placeholders(_ failure: Failure) -> Set<String> {
        let (row, english) = (failure.row, Catalogue.file(.english))
        let keys = [
            row.texts.short, row.texts.what, row.texts.advice, row.texts.whatIfSaid, row.texts.listing,
            row.texts.listingAdvice, row.afterAnswer?.what, row.afterAnswer?.advice,
        ]
        return keys.compactMap(\.self).map { CatalogueTests.placeholders(english[$0.rawValue] ?? "") }
            .reduce([]) { $0.union($1) }
    }

    @Test func `each placeholder of the texts of a row has a value`() {
        for failure in Self.failures {
            #expect(Self.placeholders(failure).subtracting(failure.values.keys).isSubset(of: Self.added))
        }
        for row in Failure.ofEachRow { #expect(Self.placeholders(row).isSubset(of: Self.known), "\(row)") }
    }

    @Test func `the name for programs is in snake case, and only rows of one name have different sentences`() {
        for failure in Failure.ofEachRow {
            #expect(failure.name.wholeMatch(of: /[a-z0-9]+(_[a-z0-9]+)*/) != nil, "\(failure)")
        }
    }

    @Test func `a failure of the provider has the exit status and the party of its cause`() {
        let source = TokenError.unavailable(.sourceStatus(401, retryAfter: nil), retryAfter: .seconds(1)).failure
        #expect(source.exitStatus == .notPermitted && source.party == nil)
        #expect(source.path == "unavailable.status_401")
        let fault = TokenError.unusable(.tokenIssuedInFuture(by: .seconds(90)), retryAfter: .seconds(1)).failure
        #expect(fault.exitStatus == .notPermitted && fault.party == .endpointClock)
        #expect(fault.path == "unusable.issued_in_future" && fault.has(.mayBeOld))
    }

    @Test(arguments: [
        (200, FailureCode.otherStatus), (304, .notModified), (400, .badRequest), (401, .unauthorized),
        (403, .forbidden), (404, .notFound), (408, .serviceUnavailable), (409, .otherStatus), (429, .quotaExceeded),
        (500, .serviceUnavailable), (501, .otherStatus), (504, .deadlineExceeded), (599, .serviceUnavailable),
    ])
    func `an answer of the service has the row of its status`(_ example: (status: Int, code: FailureCode)) {
        // A 404 without a message is about the trip if its status says so.
        let status = example.status == 404 ? "NOT_FOUND" : "SOME_STATUS"
        let error = ServiceAnswer(httpStatus: example.status, status: status)
        #expect(Failure.service(error, retryAfter: nil).code == example.code)
    }
}
