/// The table of failures: one row for each code.
///
/// A row is: stage, exit status, retry rule, party, texts (short, sentence, advice), traits; the code of a transport has another row
/// for sources of tokens.
extension FailureCode {
    /// The row of the table; the row of a failure is ``Failure/row``.
    // The columns of a row stay together.
    // swift-format-ignore
    package var row: FailureRow {
        switch self {
        // MARK: No complete answer
        case .invalidURL:
            .init(
                .address, .badConfiguration, .never, .commandLine, .init(.badURL, .badURLWhat, .badURLAdvice), .provesParty,
                ofSource: Self.setting(.badURL, .badTokenURLWhat, .checkTokenURL)
            )
        case .unknownHost:
            Self.lost(.address, nil, .init(.unknownHost, .unknownHostWhat, .unknownHostAdvice), ofSource: Self.unreachable(nil, .tokenNetworkAdvice))
        case .unusableProxy:
            .init(
                .route, .badConfiguration, .never, .commandLine, .init(.badProxy, .noProxyWhat, .badProxyAdvice), .provesParty,
                ofSource: Self.setting(.badProxy, .badProxyWhat, .badProxyAdvice)
            )
        case .proxyFailed:
            Self.lost(
                .route, .network, .init(.badProxy, .noProxyWhat, .badProxyAdvice),
                ofSource: Self.outage(.network, .init(.badProxy, .badProxyWhat, .badProxyAdvice), name: "unreachable")
            )
        case .other:
            Self.lost(.route, nil, .init(.connectionFailed, .connectionFailedWhat, .asksOn), ofSource: Self.unreachable(nil, .tokenNetworkAdvice))
        case .cancelled:
            .init(
                .route, .unavailable, .ended, nil, .init(.cancelled, .cancelledWhat),
                ofSource: .init(.source, .unavailable, .backOffWithSource, nil, .init(.cancelled, .fetchCancelled))
            )
        case .refused:
            Self.lost(.connection, nil, .init(.refused, .refusedWhat, .refusedAdvice), ofSource: Self.unreachable(nil, .notReachableAdvice))
        case .timedOut:
            Self.lost(
                .connection, nil, .init(.timedOut, .timedOutWhat, .timedOutAdvice),
                ofSource: Self.outage(nil, .init(.timedOut, .sourceTimedOutWhat, .retriedAlone))
            )
        case .connectionLost:
            Self.lost(.connection, nil, .init(.lost, .lostWhat, .asksOn), ofSource: Self.unreachable(nil, .notReachableAdvice))
        case .cutOff:
            Self.lost(
                .connection, nil, .init(.cutOff, .cutOffWhat, .asksOn),
                ofSource: Self.outage(.tokenEndpoint, .init(.brokenAnswer, .brokenAnswerWhat, .retriedAlone), name: "broken_answer")
            )
        case .tls:
            .init(
                .tls, .unavailable, .backOff, nil, .init(.tls, .tlsWhat, .tlsAdvice), .showsNoParty,
                ofSource: Self.unreachable(nil, .tlsAdvice)
            )
        case .wrongPort:
            .init(
                .tls, .badConfiguration, .backOff, .commandLine, .init(.tls, .tlsWhat, .notHTTPAdvice),
                after: .otherAnswerer, ofSource: Self.unreachable(.commandLine, .checkTokenURL)
            )
        case .tooLarge:
            .init(
                .answer, .unavailable, .backOff, nil, .init(.tooLarge, .tooLargeWhat, .tooLargeAdvice), .showsNoParty,
                after: .service,
                ofSource: .init(
                    .source, .badConfiguration, .backOffWithSource, nil,
                    .init(.tokenTooLarge, .tokenTooLargeWhat, .checkTokenSource), [.isPermanent, .showsNoParty]
                )
            )
        case .malformed:
            .init(
                .answer, .unavailable, .backOff, nil, .init(.notHTTP, .notHTTPWhat, .notHTTPAdvice), .showsNoParty,
                after: .otherAnswerer, ofSource: Self.unreachable(nil, .notReachableAdvice)
            )

        // MARK: The service's answer is no trip
        case .badRequest:
            .init(
                .service, .badConfiguration, .never, nil,
                .init(.serviceShort, .badRequestWhat, .badRequestAdvice, listing: .searchRejectedWhat), .showsNoParty,
                name: "http_400"
            )
        case .unauthorized:
            .init(
                .service, .notPermitted, .withNewToken, .serviceAccount,
                .init(
                    .serviceShort, .unauthorizedWhat, said: .refusalSaid,
                    listing: .searchForbiddenWhat
                ),
                name: "http_401", possible: [.expired, .unknownKey, .noIdentity]
            )
        case .forbidden:
            Self.refusal(
                .serviceAccount, nil, .searchForbiddenAdvice, possible: [.otherIdentity, .noRole, .apiDisabled]
            )
        case .forbiddenScope: Self.refusal(.serviceAccount, .forbiddenScope, .searchForbiddenAdvice)
        case .apiDisabled: Self.refusal(.serviceConfiguration, .forbiddenAPI)
        case .projectBlocked: Self.refusal(.serviceConfiguration, .forbiddenProject)
        case .projectUnknown: Self.refusal(.serviceConfiguration, .forbiddenUnknownProject)
        case .quotaProjectMissing: Self.refusal(.commandLine, .forbiddenQuotaProject)
        case .quotaProjectForbidden: Self.refusal(.serviceAccount, .forbiddenQuotaRole)
        case .notFound:
            .init(
                .service, .notFound, .whenCreated, .commandLine,
                .init(
                    .serviceShort, .notFoundWhat, .notFoundAdvice, listing: .searchRejectedWhat, .badRequestAdvice
                ),
                name: "http_404", after: .gone
            )
        case .methodNotFound:
            .init(
                .service, .badConfiguration, .backOff, .commandLine,
                .init(.serviceShort, .otherStatusWhat, .otherStatusAdvice), name: "http_404", after: .otherAnswerer
            )
        case .quotaExceeded:
            .init(
                .service, .unavailable, .backOff, nil,
                .init(.serviceShort, .quotaWhat, .quotaAdvice), .showsNoParty, name: "http_429"
            )
        case .deadlineExceeded:
            .init(
                .service, .unavailable, .backOff, .service, .init(.serviceShort, .deadlineWhat, .asksOn),
                name: "http_504"
            )
        case .serviceUnavailable:
            .init(
                .service, .unavailable, .backOff, .service, .init(.serviceShort, .unavailableWhat, .asksOn),
                name: "http_5xx"
            )
        case .notModified:
            .init(
                .service, .unavailable, .backOff, nil,
                .init(.serviceShort, .otherStatusWhat, .notModifiedAdvice), .showsNoParty, name: "http_304"
            )
        case .otherStatus:
            .init(
                .service, .badConfiguration, .never, nil,
                .init(.serviceShort, .otherStatusWhat, .otherStatusAdvice), .showsNoParty, name: "http_4xx"
            )
        case .foreignUnauthorized: Self.foreign(.notPermitted, .withNewToken, "http_401")
        case .foreignForbidden: Self.foreign(.notPermitted, .withNewTokenOnce, "http_403")
        case .foreignNotFound: Self.foreign(.badConfiguration, .backOff, "http_404")
        case .webPage:
            .init(
                .service, .badConfiguration, .backOff, nil, .init(.webPage, .webPageWhat, .webPageAdvice), .showsNoParty,
                after: .otherAnswerer
            )
        case .redirected:
            .init(
                .service, .badConfiguration, .never, nil,
                .init(.redirected, .redirectedWhat, .redirectedAdvice), .showsNoParty, after: .otherAnswerer
            )
        case .unreadable:
            .init(
                .service, .unavailable, .backOff, nil,
                .init(.unreadable, .unreadableWhat, .unreadableAdvice), .showsNoParty, after: .service
            )
        case .anotherTrip:
            .init(.service, .unavailable, .never, .service, .init(.otherTrip, .otherTripWhat, .otherTripAdvice))

        // MARK: The source gives no token
        case .sourceNotModified: Self.status(.unavailable, .notModifiedAdvice)
        case .sourceLogin: Self.status(.notPermitted, .statusLogin, .isPermanent)
        case .sourcePath: Self.status(.notFound, .statusPath, .isPermanent)
        case .sourceMethod:
            Self.status(.badConfiguration, .statusMethod, .isPermanent)
        case .sourceRequestTimeout: Self.status(.unavailable, .checkTokenURL)
        case .sourceQuota: Self.status(.unavailable, .statusQuota)
        case .sourceServer: Self.status(.unavailable, .statusServer)
        case .sourceStatus:
            Self.status(.badConfiguration, .checkTokenURL, .isPermanent)
        case .sourceRedirected:
            .init(
                .source, .badConfiguration, .backOffWithSource, nil,
                .init(.redirected, .tokenRedirectedWhat, .tokenRedirectedAdvice), [.isPermanent, .showsNoParty]
            )
        case .sourceHTML: Self.content(nil, .html, .htmlWhat, .htmlAdvice)
        case .sourceNotJSON: Self.content(nil, .notJSON, .notJSONWhat, .checkTokenSource)
        case .sourceMissingKey: Self.content(nil, .noKey, .noKeyWhat, .noKeyAdvice)
        case .sourceMissingKeyAmong:
            Self.content(
                nil, .noKey, .noKeyKnownWhat, .noKeyAdvice, name: "missing_key"
            )
        case .sourceErrorAnswer:
            Self.content(
                .tokenEndpoint, .noKey, .noKeyKnownWhat, .checkTokenSource, name: "missing_key"
            )
        case .sourceEncodedJSON:
            Self.content(.tokenEndpoint, .encodedJSON, .encodedJSONWhat, .encodedJSONAdvice)
        case .sourceEncodedKey:
            Self.content(.tokenEndpoint, .encodedJSON, .encodedKeyWhat, .encodedJSONAdvice, name: "encoded_json")
        case .sourceWrongType:
            Self.content(.commandLine, .wrongType, .wrongTypeWhat, .wrongTypeAdvice)
        case .sourceEmpty: Self.content(.tokenEndpoint, .emptyAnswer, .emptyAnswerWhat, .emptyAnswerAdvice)
        case .sourceInsecureURL: Self.setting(.notEncrypted, .insecureTokenWhat, .insecureAdvice)
        case .sourceUnsupportedContext:
            Self.setting(.wrongKind, .unsupportedContextWhat, .unsupportedContextAdvice)
        case .commandNotStarted:
            Self.setting(.commandNotStarted, .commandNotStartedWhat, .commandNotStartedAdvice)
        case .commandFailed:
            .init(
                .source, .unavailable, .backOffWithSource, .tokenEndpoint,
                .init(.commandFailed, .commandFailedWhat, .runByHand)
            )
        case .commandKilled:
            .init(
                .source, .unavailable, .backOffWithSource, .tokenEndpoint,
                .init(.commandKilled, .commandKilledWhat, .runByHand)
            )
        case .unreadableFile:
            .init(
                .source, .badConfiguration, .backOffWithSource, .commandLine,
                .init(.unreadableFile, .unreadableFileWhat, .unreadableFileAdvice), .provesParty
            )
        case .missingVariable: Self.setting(.noVariable, .noVariableWhat, .noVariableAdvice)
        case .unusableHeader:
            .init(
                .source, .badConfiguration, .backOffWithSource, .commandLine,
                .init(.badHeader, .badHeaderWhat, .badHeaderAdvice), .provesParty
            )
        case .badKey:
            .init(
                .source, .badConfiguration, .backOffWithSource, .serviceAccount,
                .init(.badKey, .badKeyWhat, .badKeyAdvice), .isPermanent
            )

        // MARK: Credentials of a backend give no token
        case .credentialFileMissing: Self.credentials(.credentialFileMissingWhat, .credentialFileMissingAdvice)
        case .credentialVariableForm: Self.credentials(.credentialVariableFormWhat, .credentialVariableFormAdvice)
        case .credentialFileUnreadable: Self.credentials(.credentialFileUnreadableWhat, .credentialFileUnreadableAdvice)
        case .credentialFileMalformed: Self.credentials(.credentialFileMalformedWhat, .credentialFileAdvice)
        case .credentialClientFile: Self.credentials(.credentialClientFileWhat, .credentialClientFileAdvice)
        case .credentialUnknownType: Self.credentials(.credentialUnknownTypeWhat, .credentialUnknownTypeAdvice)
        case .credentialIncomplete: Self.credentials(.credentialIncompleteWhat, .credentialFileAdvice)
        case .credentialBadKey: Self.credentials(.credentialBadKeyWhat, .credentialBadKeyAdvice)
        case .credentialInsecureURL: Self.credentials(.credentialInsecureURLWhat, .credentialInsecureURLAdvice)
        case .credentialsNotFound: Self.credentials(.credentialsNotFoundWhat, .credentialsNotFoundAdvice)
        case .grantSignature: Self.grant(.serviceAccount, .grantSignatureWhat, .grantSignatureAdvice)
        case .grantAccount: Self.grant(.serviceAccount, .grantAccountWhat, .grantAccountAdvice)
        case .grantClock: Self.grant(.clockHere, .grantClockWhat, .grantClockAdvice)
        case .grantScope: Self.grant(.serviceAccount, .grantScopeWhat, .grantScopeAdvice)
        case .grantSession: Self.grant(.commandLine, .grantSessionWhat, .loginAgainAdvice)
        case .grantRevoked: Self.grant(.commandLine, .grantRevokedWhat, .loginAgainAdvice)
        case .grantClient: Self.grant(.commandLine, .grantClientWhat, .credentialFileAdvice)
        case .grantRefused: Self.grant(.serviceAccount, .grantRefusedWhat, .grantRefusedAdvice, [.isPermanent])
        case .noAccessToken:
            .init(
                .sourceAnswer, .unavailable, .backOffWithSource, .network,
                .init(.notReachable, .noAccessTokenWhat, .noAccessTokenAdvice), .isOfCredentials
            )
        case .googleFailed:
            .init(
                .source, .unavailable, .withSource, .service, .init(.httpStatus, .googleFailedWhat, .retriedAlone), .isOfCredentials
            )
        case .iamDenied: Self.grant(.serviceAccount, .iamDeniedWhat, .iamDeniedAdvice, [.provesParty], .signingRefused)
        case .iamDelegation:
            Self.grant(.serviceAccount, .iamDelegationWhat, .iamDelegationAdvice, [.provesParty], .signingRefused)
        case .iamDisabled: Self.grant(.serviceConfiguration, .iamDisabledWhat, .iamDisabledAdvice, [.isPermanent, .provesParty], .signingRefused)
        case .iamRefused: Self.grant(.commandLine, .iamRefusedWhat, .iamRefusedAdvice, [.isPermanent], .signingRefused)
        case .signerUnnamed: Self.credentials(.signerUnnamedWhat, .signerUnnamedAdvice)
        case .metadataDown:
            .init(
                .source, .unavailable, .withSource, .network,
                .init(.metadataFailed, .metadataDownWhat, .metadataDownAdvice), .isOfCredentials
            )
        case .metadataNoAccount: Self.grant(.serviceAccount, .metadataNoAccountWhat, .metadataNoAccountAdvice, [.isPermanent, .provesParty], .metadataFailed)
        case .metadataForbidden:
            Self.grant(.serviceAccount, .metadataForbiddenWhat, .metadataForbiddenAdvice, [.provesParty], .metadataFailed)
        case .metadataScopes: Self.grant(.serviceAccount, .metadataScopesWhat, .metadataScopesAdvice, [.isPermanent, .provesParty], .metadataFailed)
        case .metadataForeign:
            .init(
                .source, .badConfiguration, .backOffWithSource, .network,
                .init(.metadataFailed, .metadataForeignWhat, .metadataForeignAdvice),
                [.provesParty, .isOfCredentials]
            )
        case .metadataHost: Self.credentials(.metadataHostWhat, .metadataHostAdvice)
        case .exchangeAudience: Self.grant(.serviceConfiguration, .exchangeAudienceWhat, .exchangeAudienceAdvice, [.isPermanent])
        case .exchangeCondition: Self.grant(.serviceConfiguration, .exchangeConditionWhat, .exchangeConditionAdvice)
        case .subjectStale: Self.grant(.tokenEndpoint, .subjectStaleWhat, .subjectStaleAdvice, [.provesParty], .subjectUnusable)
        case .exchangeRefused: Self.grant(.tokenEndpoint, .exchangeRefusedWhat, .exchangeRefusedAdvice, [], .subjectUnusable)
        case .subjectUnreadable: Self.grant(.commandLine, .subjectUnreadableWhat, .subjectUnreadableAdvice, [], .subjectUnusable)
        case .executableForbidden: Self.credentials(.executableForbiddenWhat, .executableForbiddenAdvice)
        case .executableFailed: Self.grant(.tokenEndpoint, .executableFailedWhat, .runByHand, [], .commandFailed)
        case .awsMissing: Self.credentials(.awsMissingWhat, .awsMissingAdvice)

        // MARK: The token may not be used
        case .tokenMalformed: Self.token(.noJWT, .noJWTWhat, .noJWTAdvice, proves: false)
        case .tokenTooLong: Self.token(.tokenTooLong, .tokenTooLongWhat, .tokenTooLongAdvice)
        case .tokenOpaque: Self.token(.noJWT, .noJWTWhat, .opaqueAdvice, proves: false)
        case .tokenUnsigned: Self.token(.notSigned, .notSignedWhat, .notSignedAdvice)
        case .tokenWithoutExpiry: Self.token(.noEnd, .noEndWhat, .noEndAdvice)
        case .tokenExpiryInMilliseconds:
            Self.token(.expMilliseconds, .expMillisecondsWhat, .expMillisecondsAdvice)
        case .tokenBeginInMilliseconds:
            Self.token(.beginMilliseconds, .beginMillisecondsWhat, .expMillisecondsAdvice)
        case .tokenExpired: Self.token(.tokenExpired, .expiredWhat, .expiredAdvice, .mayBeOld)
        case .tokenTooShort: Self.token(.tooShort, .tooShortWhat, .tooShortAdvice, .mayBeOld)
        case .tokenNearlyOver: Self.token(.tooShort, .nearlyOverWhat, .nearlyOverAdvice, .mayBeOld)
        case .tokenTooLongLived: Self.token(.livesTooLong, .livesTooLongWhat, .livesTooLongAdvice)
        case .tokenEndsTooFarAhead:
            Self.token(.endsTooFar, .endsTooFarWhat, .endsTooFarAdvice, .mayBeOld, .endpointClock)
        case .tokenIssuedInFuture:
            Self.token(.issuedInFuture, .issuedInFutureWhat, .issuedInFutureAdvice, .mayBeOld, .endpointClock)
        case .tokenWrongAudience: Self.token(.wrongAudience, .wrongAudienceWhat, .wrongAudienceAdvice)
        case .tokenWithoutAuthorization:
            Self.token(.noAuthorization, .noAuthorizationWhat, .noAuthorizationAdvice)
        case .tokenUnusableAuthorization:
            Self.token(.noAuthorization, .unusableAuthorizationWhat, .unusableAuthorizationAdvice)
        case .tokenBoundToAnother: Self.token(.boundToAnother, .boundToAnotherWhat, .boundToAnotherAdvice, proves: false)
        case .tokenIDForm: Self.token(.idForm, .idFormWhat, .remedyIDForm)
        case .tokenWrongKind: Self.token(.wrongKind, .driversToken, .driversTokenAdvice, proves: false)
        case .tokenOverBroad: Self.token(.tooBroad, .tooBroadWhat, .tooBroadAdvice)
        case .tokenSameAgain:
            .init(
                .token, .notPermitted, .whenTokenChanges, .tokenEndpoint,
                .init(.sameAgain, .sameAgainWhat, .sameAgainAdvice), .mayBeOld
            )
        case .tokenBearerPrefix: Self.token(.bearerPrefix, .bearerPrefixWhat, .bearerPrefixAdvice)
        case .tokenWrapped: Self.token(.wrappedToken, .wrappedTokenWhat, .wrappedTokenAdvice)
        case .tokenWrongExpiryUnit:
            Self.token(.wrongUnit, .wrongUnitWhat, .wrongUnitAdvice, [], .commandLine)
        case .tokenMisspelledClaim: Self.token(.misspeltClaim, .misspeltClaimWhat, .misspeltClaimAdvice)
        case .tokenMistypedTime: Self.token(.mistypedTime, .mistypedTimeWhat, .mistypedTimeAdvice)
        case .oauthAccessToken: Self.token(.oauthToken, .oauthTokenWhat, .otherCredentialAdvice, proves: false)
        case .idToken: Self.token(.idToken, .idTokenWhat, .otherCredentialAdvice, proves: false)
        case .apiKey: Self.token(.apiKey, .apiKeyWhat, .otherCredentialAdvice, proves: false)
        case .sessionCookie: Self.token(.sessionCookie, .sessionCookieWhat, .otherCredentialAdvice, proves: false)
        case .firebaseCustomToken:
            Self.token(.firebaseToken, .firebaseTokenWhat, .otherCredentialAdvice, proves: false)
        case .oauthAssertion: Self.token(.oauthAssertion, .oauthAssertionWhat, .otherCredentialAdvice, proves: false)

        // MARK: The provider has no token
        case .noAuthorizationContext:
            .init(
                .provider, .internalError, .ended, nil, .init(.noContext, .noContextWhat, .noContextAdvice),
                .isPermanent
            )
        case .missingData: Self.wrapper(.badConfiguration, .noTokenFor, .isPermanent)
        case .tokenUnavailable: Self.wrapper(.unavailable, .noTokenFor)
        case .tokenUnusable: Self.wrapper(.notPermitted, .unusableToken, .isPermanent)
        case .tokenDenied:
            .init(
                .provider, .notPermitted, .never, nil,
                .init(.deniedToken, .deniedTokenWhat, .deniedTokenAdvice), [.isPermanent, .mayBeOld, .showsNoParty]
            )
        case .tokenNotFound:
            .init(
                .provider, .notFound, .never, nil,
                .init(.deniedToken, .deniedTokenWhat, .deniedTokenAdvice),
                [.isPermanent, .mayBeOld, .showsNoParty], name: "denied"
            )
        case .tokenRejected:
            .init(
                .provider, .notPermitted, .whenTokenChanges, .serviceAccount,
                .init(.newTokenRefused, .newTokenRefusedWhat), .isPermanent,
                possible: [.wrongClock, .unknownKey, .noRole]
            )
        case .tooShortLived:
            .init(
                .provider, .notPermitted, .backOffWithSource, .tokenEndpoint,
                .init(.livesTooShort, .livesTooShortWhat, .livesTooShortAdvice)
            )
        case .tooManyKeys:
            .init(
                .provider, .unavailable, .backOffWithSource, nil,
                .init(.cacheFull, .cacheFullWhat, .cacheFullAdvice)
            )
        case .tooManyWaiters:
            .init(.provider, .unavailable, .backOffWithSource, nil, .init(.manyWaiters, .manyWaitersWhat))
        case .tokenCancelled: .init(.provider, .interrupted, .ended, nil, .init(.cancelled, .waitCancelled))
        case .providerClosed:
            .init(.provider, .internalError, .ended, nil, .init(.tokenClosed, .providerClosed), .isPermanent)

        // MARK: The token is used nevertheless
        case .expiryDisagreement: Self.warning(nil, .twoEnds, .twoEndsWhat)
        case .opaqueToken: Self.warning(.tokenEndpoint, .opaque, .opaqueWhat)
        case .assumedLifetime: Self.warning(nil, .endAssumed, .endAssumedWhat)
        case .clockBehind:
            Self.warning(.endpointClock, .clocksDiffer, .clockBehind, .setOneClock, name: "clock_differs")
        case .clockAhead:
            Self.warning(.endpointClock, .clocksDiffer, .clockAhead, .setOneClock, name: "clock_differs")
        case .shortLived: Self.warning(.tokenEndpoint, .livesTooShort, .shortLivedWhat, .shortLivedAdvice)
        case .ignoredExpiryUnit: Self.warning(.commandLine, .wrongUnit, .wrongUnitIgnored, .wrongUnitAdvice)
        case .unusualAlgorithm: Self.warning(.tokenEndpoint, .notRS256, .notRS256What)
        case .wildcard: Self.warning(nil, .wildcard, .wildcardWhat)
        case .surroundedBySpace:
            Self.warning(.tokenEndpoint, .spaceAround, .spaceAroundWhat, .spaceAroundAdvice)
        case .readableByOthers: Self.warning(.commandLine, .fileOpen, .fileOpenWhat, .fileOpenAdvice)
        case .noExpirationKey: Self.warning(.commandLine, .noEndKey, .noEndKeyWhat, .noEndKeyAdvice)
        case .unreadableTime: Self.warning(.tokenEndpoint, .unreadTime, .unreadTimeWhat, .unreadTimeAdvice)
        }
    }
}
