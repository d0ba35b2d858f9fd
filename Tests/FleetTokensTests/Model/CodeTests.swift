import FleetTokens
import Foundation
import Testing
import TripTestSupport

/// The names for programs, which recordings and JSON output contain.
@Suite("Token codes", .ends(within: .minutes(10)))
struct CodeTests {
    @Test func `token faults have stable names`() {
        let faults: [(TokenFault, String)] = [
            (.malformed, "malformed"), (.tooLong(bytes: 1), "too_long"), (.opaque, "opaque"), (.unsigned, "unsigned"),
            (.missingExpiry, "missing_expiry"), (.expiryInMilliseconds, "expiry_in_milliseconds"),
            (.expired(ago: .zero), "expired"), (.tooShort(left: .zero), "too_short"),
            (.nearlyOver(left: .zero, lifetime: .zero), "nearly_over"), (.tooLongLived(.zero), "too_long_lived"),
            (.endsTooFarAhead(by: .zero), "ends_too_far_ahead"), (.issuedInFuture(by: .zero), "issued_in_future"),
            (.wrongAudience, "wrong_audience"), (.authorizationMissing, "authorization_missing"),
            (.boundToAnother, "bound_to_another"), (.wrongKind, "wrong_kind"), (.overBroad, "over_broad"),
            (.sameTokenAgain, "same_token_again"), (.bearerPrefix, "bearer_prefix"),
            (.wrongExpiryUnit, "wrong_expiry_unit"), (.otherCredential(.idToken), "id_token"),
            (.misspelledClaim("a", meant: "b"), "misspelt_claim"), (.mistypedTime("exp"), "mistyped_time"),
        ]
        for (fault, code) in faults { #expect(fault.code == code) }
    }

    @Test func `errors of sources have stable names`() {
        let errors: [(TokenSourceError, String)] = [
            (.unreachable(reason: "r"), "unreachable"), (.unusableProxy(reason: "r"), "unusable_proxy"),
            (.timedOut, "timed_out"), (.refusedStatus(404, retryAfter: nil), "status_404"),
            (.redirected(status: 302), "redirected"), (.html(status: 200), "html"), (.notJSON, "not_json"),
            (.missingKey("k"), "missing_key"), (.wrongType(key: "k"), "wrong_type"),
            (.encodedJSON(key: "k"), "encoded_json"), (.empty, "empty"),
            (.tooLarge(limit: 1), "too_large"), (.invalidURL, "invalid_url"), (.insecureURL, "insecure_url"),
            (.unsupportedContext, "unsupported_context"), (.commandNotStarted(reason: "r"), "command_not_started"),
            (.commandFailed(exitStatus: 1), "command_failed"), (.commandKilled(signal: 9), "command_killed"),
            (.unreadableFile(reason: "r"), "unreadable_file"), (.missingVariable("v"), "missing_variable"),
            (.unusableHeader(name: "n", reason: "r"), "unusable_header"), (.badKey(reason: "r"), "bad_key"),
            (.cancelled, "cancelled"),
        ]
        for (error, code) in errors { #expect(error.code == code) }
    }

    @Test func `token errors have stable names`() {
        let errors: [(TokenError, String)] = [
            (.noAuthorizationContext, "no_authorization_context"),
            (.missingData(.missingKey("k"), retryAfter: .zero), "missing_data.missing_key"),
            (.unavailable(.timedOut, retryAfter: .zero), "unavailable.timed_out"),
            (.denied(status: 403, retryAfter: .zero), "denied"),
            (.unusable(.boundToAnother, retryAfter: .zero), "unusable.bound_to_another"),
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
        let warnings: [(TokenWarning, String)] = [
            (.expiryDisagreement(token: date, endpoint: date), "expiry_disagreement"), (.opaque, "opaque"),
            (.assumedLifetime(.zero), "assumed_lifetime"), (.clockDiffers(.zero), "clock_differs"),
            (.shortLived(.zero), "short_lived"), (.wrongExpiryUnit, "wrong_expiry_unit"),
            (.unusualAlgorithm, "unusual_algorithm"), (.wildcard, "wildcard"),
            (.readableByOthers, "readable_by_others"), (.noExpirationKey("k"), "no_expiration_key"),
            (.unreadableTime("k"), "unreadable_time"),
            (.surroundedBySpace, "surrounded_by_space"),
        ]
        for (warning, code) in warnings { #expect(warning.code == code) }
    }
}
