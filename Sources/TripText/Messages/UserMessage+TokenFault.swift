package import FleetTokens

extension UserMessage {
    /// Describes why a token must not be used.
    package init(_ fault: TokenFault, say: Localizer = .english) {
        switch fault {
        case .malformed: self.init(say, .noJWT, .noJWTWhat, .noJWTAdvice)
        case .tooLong(let bytes): self.init(say, .tokenTooLong, .tokenTooLongWhat, .tokenTooLongAdvice, String(bytes))
        case .opaque: self.init(say, .noJWT, .noJWTWhat, .opaqueAdvice)
        case .unsigned: self.init(say, .notSigned, .notSignedWhat, .notSignedAdvice)
        case .missingExpiry: self.init(say, .noEnd, .noEndWhat, .noEndAdvice)
        case .expiryInMilliseconds:
            self.init(say, .expMilliseconds, .expMillisecondsWhat, .expMillisecondsAdvice)
        case .expired(let ago): self.init(say, .tokenExpired, .expiredWhat, .expiredAdvice, say.span(ago))
        case .tooShort(let left): self.init(say, .tooShort, .tooShortWhat, .tooShortAdvice, say.span(left))
        case .nearlyOver(let left, let life):
            self.init(say, .tooShort, .nearlyOverWhat, .nearlyOverAdvice, say.span(left), say.span(life))
        case .tooLongLived(let life):
            self.init(say, .livesTooLong, .livesTooLongWhat, .livesTooLongAdvice, say.span(life))
        case .endsTooFarAhead(let lead):
            self.init(say, .endsTooFar, .endsTooFarWhat, .endsTooFarAdvice, say.span(lead))
        case .issuedInFuture(let lead):
            self.init(say, .issuedInFuture, .issuedInFutureWhat, .issuedInFutureAdvice, say.span(lead))
        case .wrongAudience: self.init(say, .wrongAudience, .wrongAudienceWhat, .wrongAudienceAdvice)
        case .authorizationMissing:
            self.init(say, .noAuthorization, .noAuthorizationWhat, .noAuthorizationAdvice)
        case .boundToAnother: self.init(say, .boundToAnother, .boundToAnotherWhat, .boundToAnotherAdvice)
        case .wrongKind: self.init(say, .wrongKind, .driversToken, .driversTokenAdvice)
        case .overBroad: self.init(say, .tooBroad, .tooBroadWhat, .tooBroadAdvice)
        case .sameTokenAgain: self.init(say, .sameAgain, .sameAgainWhat, .sameAgainAdvice)
        case .bearerPrefix: self.init(say, .bearerPrefix, .bearerPrefixWhat, .bearerPrefixAdvice)
        case .wrongExpiryUnit: self.init(say, .wrongUnit, .wrongUnitWhat, .wrongUnitAdvice)
        case .otherCredential(let kind):
            let (short, what): (StringKey, StringKey) =
                switch kind {
                case .oauthAccessToken: (.oauthToken, .oauthTokenWhat)
                case .idToken: (.idToken, .idTokenWhat)
                case .apiKey: (.apiKey, .apiKeyWhat)
                case .sessionCookie: (.sessionCookie, .sessionCookieWhat)
                }
            self.init(say, short, what, .otherCredentialAdvice)
        case .misspelledClaim(let name, let meant):
            let shown = Reporter.sanitized(name, limit: 40)
            self.init(say, .misspeltClaim, .misspeltClaimWhat, .misspeltClaimAdvice, shown, meant)
        case .mistypedTime(let claim):
            self.init(say, .mistypedTime, .mistypedTimeWhat, .mistypedTimeAdvice, claim)
        }
        setParty(fault.party, say)
    }

    /// Describes a warning about a token that is used nevertheless.
    package init(_ warning: TokenWarning, say: Localizer = .english) {
        switch warning {
        case .expiryDisagreement: self.init(say, .twoEnds, .twoEndsWhat)
        case .opaque: self.init(say, .opaque, .opaqueWhat)
        case .assumedLifetime(let life): self.init(say, .endAssumed, .endAssumedWhat, nil, say.span(life))
        case .clockDiffers(let offset):
            let what: StringKey = offset < .zero ? .clockBehind : .clockAhead
            self.init(say, .clocksDiffer, what, .setOneClock, say.span(offset))
        case .shortLived(let life):
            self.init(say, .livesTooShort, .shortLivedWhat, .shortLivedAdvice, say.span(life))
        case .wrongExpiryUnit: self.init(say, .wrongUnit, .wrongUnitIgnored, .wrongUnitAdvice)
        case .unusualAlgorithm: self.init(say, .notRS256, .notRS256What)
        case .wildcard: self.init(say, .wildcard, .wildcardWhat)
        case .readableByOthers: self.init(say, .fileOpen, .fileOpenWhat, .fileOpenAdvice)
        case .noExpirationKey(let key): self.init(say, .noEndKey, .noEndKeyWhat, .noEndKeyAdvice, key)
        }
        setParty(warning.party, say)
    }

    /// Describes the result of a rule for a token.
    package init(_ finding: TokenFinding, say: Localizer = .english) {
        let what = say(finding.sentence).trimmingSuffix { ".。".contains($0) }
        self.init(what, what, finding.remedy.map { say($0) })
        setParty(finding.verdict == .broken || finding.verdict == .doubtful ? finding.rule.party : nil, say)
    }
}
