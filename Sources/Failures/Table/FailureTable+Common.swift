/// Rows that have most columns in common.
extension FailureCode {
    /// A connection that failed, which happens often and briefly.
    static func lost(
        _ stage: FailureStage,
        _ party: Party?,
        _ texts: FailureTexts,
        ofSource: FailureRow
    ) -> FailureRow {
        FailureRow(stage, .unavailable, .soon, party, texts, open(party), ofSource: ofSource)
    }

    /// The trait of a row of something wrong, by whether it shows a party.
    private static func open(_ party: Party?) -> FailureRow.Traits { party == nil ? .showsNoParty : [] }

    /// The service's 403.
    static func refusal(
        _ party: Party,
        _ advice: TextKey?,
        _ listingAdvice: TextKey? = nil,
        possible: [PossibleCause] = []
    ) -> FailureRow {
        FailureRow(
            .service,
            .notPermitted,
            .withNewTokenOnce,
            party,
            FailureTexts(
                .serviceShort,
                .forbiddenWhat,
                advice,
                said: .refusalSaid,
                listing: .searchForbiddenWhat,
                listingAdvice
            ),
            // The service itself names what is missing in its configuration.
            party == .serviceConfiguration ? .provesParty : [],
            name: "http_403",
            possible: possible
        )
    }

    /// An error that does not have the form of the service's.
    static func foreign(_ exit: ExitStatus, _ retry: RetryRule, _ name: String) -> FailureRow {
        let texts = FailureTexts(.serviceShort, .foreignRefusalWhat, .foreignRefusalAdvice)
        return FailureRow(.service, exit, retry, nil, texts, .showsNoParty, name: name)
    }

    /// An endpoint that can't be reached.
    static func unreachable(_ party: Party?, _ advice: TextKey) -> FailureRow {
        outage(party, FailureTexts(.notReachable, .notReachableWhat, advice), name: "unreachable")
    }

    /// A source that gave no complete answer.
    static func outage(_ party: Party?, _ texts: FailureTexts, name: String? = nil) -> FailureRow {
        FailureRow(.source, .unavailable, .withSource, party, texts, open(party), name: name)
    }

    /// A setting of a source that must be changed.
    static func setting(
        _ short: TextKey,
        _ what: TextKey,
        _ advice: TextKey,
        _ traits: FailureRow.Traits = []
    ) -> FailureRow {
        let texts = FailureTexts(short, what, advice)
        return FailureRow(
            .source,
            .badConfiguration,
            .backOffWithSource,
            .commandLine,
            texts,
            traits.union([.isPermanent, .provesParty])
        )
    }

    /// Credentials that must be changed before they can be used.
    static func credentials(_ what: TextKey, _ advice: TextKey) -> FailureRow {
        setting(.credentialsUnusable, what, advice, .isOfCredentials)
    }

    /// A refusal of one of Google's services that give access tokens or sign.
    static func grant(
        _ party: Party,
        _ what: TextKey,
        _ advice: TextKey,
        _ traits: FailureRow.Traits = [.isPermanent, .provesParty],
        _ short: TextKey = .credentialsRefused
    ) -> FailureRow {
        FailureRow(
            .source,
            .notPermitted,
            .backOffWithSource,
            party,
            FailureTexts(short, what, advice),
            traits.union(.isOfCredentials)
        )
    }

    /// An error status of an endpoint; its name has the number.
    ///
    /// What the status means is a clue.
    static func status(
        _ exit: ExitStatus,
        _ advice: TextKey,
        _ traits: FailureRow.Traits = []
    ) -> FailureRow {
        let texts = FailureTexts(.httpStatus, .refusedStatusWhat, advice)
        return FailureRow(
            .source,
            exit,
            .backOffWithSource,
            nil,
            texts,
            traits.union([.mayBeOld, .showsNoParty]),
            name: "status"
        )
    }

    /// An answer of a source without the token.
    static func content(
        _ party: Party?,
        _ short: TextKey,
        _ what: TextKey,
        _ advice: TextKey,
        _ traits: FailureRow.Traits = [],
        name: String? = nil
    ) -> FailureRow {
        let texts = FailureTexts(short, what, advice)
        return FailureRow(
            .sourceAnswer,
            .badConfiguration,
            .backOffWithSource,
            party,
            texts,
            traits.union(.isPermanent).union(open(party)),
            name: name
        )
    }

    /// A token that may not be used.
    ///
    /// Its content proves whose mistake it is, unless it may be old, come by a wrong key or depend on a clock.
    static func token(
        _ short: TextKey,
        _ what: TextKey,
        _ advice: TextKey,
        _ traits: FailureRow.Traits = [],
        _ party: Party = .tokenEndpoint,
        proves: Bool = true
    ) -> FailureRow {
        let texts = FailureTexts(short, what, advice)
        let isProof = proves && party == .tokenEndpoint && !traits.contains(.mayBeOld)
        return FailureRow(
            .token,
            .notPermitted,
            .backOffWithSource,
            party,
            texts,
            traits.union(isProof ? [.isPermanent, .provesParty] : .isPermanent)
        )
    }

    /// A failure of the provider that is about its cause.
    static func wrapper(
        _ exit: ExitStatus,
        _ what: TextKey,
        _ traits: FailureRow.Traits = []
    ) -> FailureRow {
        let texts = FailureTexts(what, what)
        return FailureRow(.provider, exit, .backOffWithSource, nil, texts, traits.union(.isOfCause))
    }

    /// A warning about a token.
    static func warning(
        _ party: Party?,
        _ short: TextKey,
        _ what: TextKey,
        _ advice: TextKey? = nil,
        name: String? = nil
    ) -> FailureRow {
        // Two clocks alone do not show which of them is wrong.
        let traits: FailureRow.Traits = party == .endpointClock ? [] : .provesParty
        return FailureRow(.token, .done, .notNeeded, party, FailureTexts(short, what, advice), traits, name: name)
    }
}
