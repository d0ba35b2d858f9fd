/// What is said about a clue.
extension Clue {
    /// The key of the text that says it.
    package var reason: TextKey {
        switch self {
        case .challenge: .becauseChallenge
        case .signIn: .becauseSignIn
        case .proxyAnswered: .becauseProxyAnswered
        case .proxyBetween: .becauseProxyBetween
        case .captivePortal: .becauseCaptivePortal
        case .filtered: .becauseFiltered
        case .deadUpstream: .becauseDeadUpstream
        case .gatewayAnswered: .becauseGatewayAnswered
        case .cached: .becauseCached
        case .inspected: .becauseInspected
        case .webPage: .becauseWebPage
        case .otherAddress: .becauseOtherAddress
        case .endpointFailed: .becauseEndpointFailed
        case .loginWanted: .becauseLoginWanted
        case .loginRefused: .becauseLoginRefused
        case .tlsExpected: .becauseTLSExpected
        case .signingRefused: .becauseSigningRefused
        case .denied: .becauseDenied
        case .sessionExpected: .becauseSessionExpected
        case .requestRefused: .becauseRequestRefused
        case .addressUnknown: .becauseAddressUnknown
        case .errorInAnswer: .becauseErrorInAnswer
        case .limited: .becauseLimited
        case .tokenElsewhere: .becauseTokenElsewhere
        case .brokenAnswer: .becauseBrokenAnswer
        case .nothingListens: .becauseNothingListens
        case .noAnswerInTime: .becauseNoAnswerInTime
        case .nameUnknown: .becauseNameUnknown
        case .certificate: .becauseCertificate
        case .provisionalCertificate: .becauseProvisionalCertificate
        case .connectionEnded: .becauseConnectionEnded
        case .workedBefore: .becauseWorkedBefore
        case .stopped: .becauseStopped
        case .serviceStopped: .becauseServiceStopped
        case .acceptedBefore: .becauseAcceptedBefore
        case .alternates: .becauseAlternates
        case .serviceFailed: .becauseServiceFailed
        case .mayNotExist: .becauseMayNotExist
        case .mayLackRole: .becauseMayLackRole
        case .otherProject: .becauseOtherProject
        case .reasonNamed: .becauseReasonNamed
        case .othersAgree: .becauseOthersAgree
        case .rarelyWrong: .becauseRarelyWrong
        case .onlyTwoClocks: .becauseOnlyTwoClocks
        case .aheadOfAnswer: .becauseAheadOfAnswer
        }
    }

    /// The key of the text that says what to do; `nil` if the failure's own advice says it.
    package var fix: TextKey? {
        switch self {
        case .challenge: .fixChallenge
        case .signIn: .fixSignIn
        case .proxyAnswered, .proxyBetween: .fixProxyAnswered
        case .captivePortal: .fixCaptivePortal
        case .filtered: .fixFiltered
        case .deadUpstream: .fixDeadUpstream
        case .endpointFailed: .statusServer
        case .sessionExpected: .fixSessionExpected
        case .brokenAnswer: .fixBrokenAnswer
        case .gatewayAnswered: .fixGatewayAnswered
        case .stopped: .fixStopped
        case .serviceStopped: .fixServiceStopped
        case .alternates: .fixAlternates
        case .workedBefore: .sourceChangedAdvice
        case .errorInAnswer: .checkTokenSource
        case .tokenElsewhere: .noKeyAdvice
        case .cached: .cachedAdvice
        case .loginRefused: .fixLoginRefused
        case .signingRefused: .fixSigningRefused
        default: nil
        }
    }
}
