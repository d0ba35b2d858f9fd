/// The rules for the time of issue, the expiry and the lifetime.
///
/// Fleet Engine tolerates an `iat` up to 10 minutes ahead, and a lifetime of one hour. The grace period of one minute for the
/// lifetime is the same as the provider's.
extension TokenRuleEntry {
    static let times = [
        TokenRuleEntry(
            .issuedAt,
            [
                mistyped("iat"),
                mistyped("nbf"),
                .broken(.verdictNotBeforeAhead, ["duration": \.notBeforeAheadSpan], .remedyNotBefore) {
                    $0.notBeforeAhead > 600
                },
                .broken(.verdictNoIssueTime, .remedyIssueTime) { $0.claims.issuedAt == nil },
                .broken(.verdictIssueTimeAhead, ["duration": \.issuedAheadSpan], .remedySignerClock) {
                    $0.issuedAhead > 600
                },
                .broken(
                    .verdictSignerClockAhead,
                    ["duration": \.issuedAheadSpan],
                    .remedyClocks,
                    verdict: .kept
                ) { $0.issuedAhead > 5 },
                .kept(.verdictIssued, ["duration": \.issuedAgoSpan]),
            ]
        ),
        TokenRuleEntry(
            .expiry,
            [
                mistyped("exp"),
                .broken(.verdictNoExpiry, .remedyExpiry) { $0.claims.expirySeconds == nil },
                .broken(.verdictExpiryMilliseconds, .remedyExpirySeconds) { $0.claims.expirySeconds ?? 0 > 1e11 },
                .broken(.verdictExpired, ["duration": \.expiredAgoSpan], .remedyNewerToken) { $0.left <= 0 },
                .broken(.verdictExpiryTooFar, ["duration": \.leftSpan], .remedyLifetimeFastClock) { $0.left > 3660 },
                .kept(.verdictValid, ["duration": \.leftSpan]),
            ]
        ),
        TokenRuleEntry(
            .lifetime,
            [
                .unchecked(.verdictLifetimeUnknown) { $0.knownLifetime == nil },
                .broken(.verdictLifetimeTooLong, ["lifetime": \.lifetimeSpan], .remedyLifetime) { $0.lifetime > 3660 },
                .broken(.verdictExpiryNotAfterIssue, .remedyLifetime) { $0.lifetime <= 0 },
                .broken(
                    .verdictLifetimeTooShort,
                    ["lifetime": \.lifetimeSpan],
                    .remedyLifetime,
                    verdict: .doubtful
                ) { $0.lifetime < 30 },
                .kept(.verdictLifetimeDatedBack, ["seconds": \.lifetimeSeconds]) { $0.lifetime > 3600 },
                .kept(.verdictLifetime, ["lifetime": \.lifetimeSpan]),
            ]
        ),
    ]

    private static func mistyped(_ claim: String) -> TokenCheck {
        // The subscript makes a key path of a constant.
        let values: TokenCheck.Values = ["claim": \.[text: claim]]
        return .broken(.verdictTimeNotNumber, values, .remedyTimeNumber, values) { $0.isMistyped(claim) }
    }
}

extension TokenCheckInput {
    fileprivate subscript(text text: String) -> Value { .text(text) }
}
