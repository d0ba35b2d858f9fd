import Failures
import FleetTokens
import Foundation
import Testing
import TripTestSupport

/// The names for programs, which recordings and JSON output contain.
@Suite("Token codes", .ends(within: .quickTest))
struct CodeTests {
    @Test func `token faults have stable names`() {
        let faults: [(Failure, String)] = [
            (.tokenMalformed, "malformed"), (.tokenTooLong(bytes: 1), "too_long"), (.tokenOpaque, "opaque"),
            (.tokenUnsigned, "unsigned"),
            (.tokenWithoutExpiry, "missing_expiry"), (.tokenExpiryInMilliseconds, "expiry_in_milliseconds"),
            (.tokenExpired(ago: .zero), "expired"), (.tokenTooShort(left: .zero), "too_short"),
            (.tokenNearlyOver(left: .zero, lifetime: .zero), "nearly_over"),
            (.tokenTooLongLived(.zero), "too_long_lived"),
            (.tokenEndsTooFarAhead(by: .zero), "ends_too_far_ahead"),
            (.tokenIssuedInFuture(by: .zero), "issued_in_future"),
            (.tokenWrongAudience, "wrong_audience"), (.tokenWithoutAuthorization, "authorization_missing"),
            (.tokenBoundToAnother, "bound_to_another"), (.tokenWrongKind, "wrong_kind"),
            (.tokenOverBroad, "over_broad"), (.tokenIDForm(.letterCase, claim: "tripid"), "id_form"),
            (.tokenSameAgain, "same_token_again"), (.tokenBearerPrefix, "bearer_prefix"),
            (.tokenWrongExpiryUnit, "wrong_expiry_unit"), (.otherCredential(.idToken), "id_token"),
            (.tokenMisspelledClaim("a", meant: "b"), "misspelt_claim"), (.tokenMistypedTime("exp"), "mistyped_time"),
        ]
        for (fault, code) in faults { #expect(fault.name == code) }
    }

    @Test func `errors of sources have stable names`() {
        let errors: [(Failure, String)] = [
            (.sourceUnreachable(reason: "r"), "unreachable"), (.sourceUnusableProxy(reason: "r"), "unusable_proxy"),
            (.sourceTimedOut, "timed_out"), (.sourceStatus(404, retryAfter: nil), "status_404"),
            (.sourceRedirected(status: 302), "redirected"), (.sourceHTML(status: 200), "html"),
            (.sourceNotJSON, "not_json"),
            (.sourceMissingKey("k"), "missing_key"), (.sourceWrongType(key: "k"), "wrong_type"),
            (.sourceEncodedJSON(key: "k"), "encoded_json"), (.sourceEmpty, "empty"),
            (.sourceTooLarge(limit: 1), "too_large"), (.sourceInvalidURL, "invalid_url"),
            (.sourceInsecureURL, "insecure_url"),
            (.sourceUnsupportedContext, "unsupported_context"),
            (.commandNotStarted(reason: "r"), "command_not_started"),
            (.commandFailed(exitStatus: 1), "command_failed"), (.commandKilled(signal: 9), "command_killed"),
            (.unreadableFile(reason: "r"), "unreadable_file"), (.missingVariable("v"), "missing_variable"),
            (.unusableHeader(name: "n", reason: "r"), "unusable_header"), (.badKey(reason: "r"), "bad_key"),
            (.sourceCancelled, "cancelled"),
        ]
        for (error, code) in errors { #expect(error.name == code) }
    }

    @Test func `token errors have stable names`() {
        let errors: [(TokenError, String)] = [
            (.noAuthorizationContext, "no_authorization_context"),
            (.missingData(.sourceMissingKey("k"), retryAfter: .zero), "missing_data.missing_key"),
            (.unavailable(.sourceTimedOut, retryAfter: .zero), "unavailable.timed_out"),
            (.denied(status: 403, retryAfter: .zero), "denied"),
            (.unusable(.tokenBoundToAnother, retryAfter: .zero), "unusable.bound_to_another"),
            (.rejectedByService(status: 401, retryAfter: .zero), "rejected_by_service"),
            (.tooShortLived(left: .zero, wanted: .zero), "too_short_lived"), (.tooManyKeys(limit: 1), "too_many_keys"),
            (.tooManyWaiters(limit: 1), "too_many_waiters"), (.cancelled, "cancelled"), (.closed, "closed"),
        ]
        for (error, code) in errors { #expect(error.code == code) }
    }

    @Test func `events and warnings have stable names`() {
        let events: [(TokenEvent.Kind, String)] = [
            (.fetching(.needed), "fetching"), (.stored(generation: 1), "stored"),
            (.repeated(endsAt: Date(timeIntervalSince1970: 0)), "repeated"), (.failed(.closed), "failed"),
            (.rejected(status: 401), "rejected"), (.discardedLate, "discarded_late"),
            (.clockDisagreement(.zero), "clock_disagreement"), (.evicted, "evicted"), (.closed, "closed"),
        ]
        for (event, name) in events { #expect(event.name == name) }
        let date = Date(timeIntervalSince1970: 0)
        let warnings: [(Failure, String)] = [
            (.expiryDisagreement(token: date, endpoint: date), "expiry_disagreement"), (.opaqueToken, "opaque"),
            (.assumedLifetime(.zero), "assumed_lifetime"), (.clockDiffers(.zero), "clock_differs"),
            (.shortLived(.zero), "short_lived"), (.ignoredExpiryUnit, "wrong_expiry_unit"),
            (.unusualAlgorithm, "unusual_algorithm"), (.wildcard, "wildcard"),
            (.readableByOthers, "readable_by_others"), (.noExpirationKey("k"), "no_expiration_key"),
            (.unreadableTime("k"), "unreadable_time"),
            (.surroundedBySpace, "surrounded_by_space"),
        ]
        for (warning, code) in warnings { #expect(warning.name == code) }
    }
}
