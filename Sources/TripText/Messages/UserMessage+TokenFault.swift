package import FleetTokens

extension UserMessage {
    /// Describes why a token must not be used.
    package init(_ fault: TokenFault, localizer: Localizer = .english) {
        switch fault {
        case .malformed: self.init(localizer, .noJWT, .noJWTWhat, .noJWTAdvice)
        case .tooLong(let bytes):
            self.init(localizer, .tokenTooLong, .tokenTooLongWhat, .tokenTooLongAdvice, String(bytes))
        case .opaque: self.init(localizer, .noJWT, .noJWTWhat, .opaqueAdvice)
        case .unsigned: self.init(localizer, .notSigned, .notSignedWhat, .notSignedAdvice)
        case .missingExpiry: self.init(localizer, .noEnd, .noEndWhat, .noEndAdvice)
        case .expiryInMilliseconds:
            self.init(localizer, .expMilliseconds, .expMillisecondsWhat, .expMillisecondsAdvice)
        case .expired(let ago): self.init(localizer, .tokenExpired, .expiredWhat, .expiredAdvice, localizer.span(ago))
        case .tooShort(let left): self.init(localizer, .tooShort, .tooShortWhat, .tooShortAdvice, localizer.span(left))
        case .nearlyOver(let left, let life):
            self.init(
                localizer,
                .tooShort,
                .nearlyOverWhat,
                .nearlyOverAdvice,
                localizer.span(left),
                localizer.span(life)
            )
        case .tooLongLived(let life):
            self.init(localizer, .livesTooLong, .livesTooLongWhat, .livesTooLongAdvice, localizer.span(life))
        case .endsTooFarAhead(let lead):
            self.init(localizer, .endsTooFar, .endsTooFarWhat, .endsTooFarAdvice, localizer.span(lead))
        case .issuedInFuture(let lead):
            self.init(localizer, .issuedInFuture, .issuedInFutureWhat, .issuedInFutureAdvice, localizer.span(lead))
        case .wrongAudience: self.init(localizer, .wrongAudience, .wrongAudienceWhat, .wrongAudienceAdvice)
        case .authorizationMissing:
            self.init(localizer, .noAuthorization, .noAuthorizationWhat, .noAuthorizationAdvice)
        case .boundToAnother: self.init(localizer, .boundToAnother, .boundToAnotherWhat, .boundToAnotherAdvice)
        case .wrongKind: self.init(localizer, .wrongKind, .driversToken, .driversTokenAdvice)
        case .overBroad: self.init(localizer, .tooBroad, .tooBroadWhat, .tooBroadAdvice)
        case .sameTokenAgain: self.init(localizer, .sameAgain, .sameAgainWhat, .sameAgainAdvice)
        case .bearerPrefix: self.init(localizer, .bearerPrefix, .bearerPrefixWhat, .bearerPrefixAdvice)
        case .wrongExpiryUnit: self.init(localizer, .wrongUnit, .wrongUnitWhat, .wrongUnitAdvice)
        case .otherCredential(let kind):
            let (short, what): (StringKey, StringKey) =
                switch kind {
                case .oauthAccessToken: (.oauthToken, .oauthTokenWhat)
                case .idToken: (.idToken, .idTokenWhat)
                case .apiKey: (.apiKey, .apiKeyWhat)
                case .sessionCookie: (.sessionCookie, .sessionCookieWhat)
                }
            self.init(localizer, short, what, .otherCredentialAdvice)
        case .misspelledClaim(let name, let meant):
            let shown = Reporter.sanitized(name, limit: 40)
            self.init(localizer, .misspeltClaim, .misspeltClaimWhat, .misspeltClaimAdvice, shown, meant)
        case .mistypedTime(let claim):
            self.init(localizer, .mistypedTime, .mistypedTimeWhat, .mistypedTimeAdvice, claim)
        }
        setParty(fault.party, localizer)
    }

    /// Describes a warning about a token that is used nevertheless.
    package init(_ warning: TokenWarning, localizer: Localizer = .english) {
        switch warning {
        case .expiryDisagreement: self.init(localizer, .twoEnds, .twoEndsWhat)
        case .opaque: self.init(localizer, .opaque, .opaqueWhat)
        case .assumedLifetime(let life): self.init(localizer, .endAssumed, .endAssumedWhat, nil, localizer.span(life))
        case .clockDiffers(let offset):
            let what: StringKey = offset < .zero ? .clockBehind : .clockAhead
            self.init(localizer, .clocksDiffer, what, .setOneClock, localizer.span(offset))
        case .shortLived(let life):
            self.init(localizer, .livesTooShort, .shortLivedWhat, .shortLivedAdvice, localizer.span(life))
        case .wrongExpiryUnit: self.init(localizer, .wrongUnit, .wrongUnitIgnored, .wrongUnitAdvice)
        case .unusualAlgorithm: self.init(localizer, .notRS256, .notRS256What)
        case .wildcard: self.init(localizer, .wildcard, .wildcardWhat)
        case .surroundedBySpace: self.init(localizer, .spaceAround, .spaceAroundWhat, .spaceAroundAdvice)
        case .readableByOthers: self.init(localizer, .fileOpen, .fileOpenWhat, .fileOpenAdvice)
        case .noExpirationKey(let key): self.init(localizer, .noEndKey, .noEndKeyWhat, .noEndKeyAdvice, key)
        }
        setParty(warning.party, localizer)
    }

    /// Describes the result of a rule for a token.
    package init(_ finding: TokenFinding, localizer: Localizer = .english) {
        let what = localizer(finding.sentence).trimmingSuffix { ".。".contains($0) }
        self.init(what, what, finding.remedy.map { localizer($0) })
        setParty(finding.verdict == .broken || finding.verdict == .doubtful ? finding.rule.party : nil, localizer)
    }
}
