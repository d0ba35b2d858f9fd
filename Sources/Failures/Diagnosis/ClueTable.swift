/// When clues hold, and which parties they make likely or exclude.
extension Clue {
    /// When a clue holds, and what it means.
    struct Effect: Sendable {
        /// How much more likely it makes each party.
        let weights: [(party: Party, weight: Int)]
        /// Whether it holds.
        let holds: @Sendable (Observation) -> Bool

        init(_ weights: KeyValuePairs<Party, Int>, _ holds: @escaping @Sendable (Observation) -> Bool) {
            self.weights = weights.map { ($0.key, $0.value) }
            self.holds = holds
        }
    }

    /// The clues with their effects.
    ///
    /// A weight of 4 decides against the kind of failure and against another clue of 2.
    static let table = observed + named

    /// The reason that the service itself names, for the party of each reason.
    private static let named: [(clue: Clue, effect: Effect)] = Party.allCases.map { party in
        (.reasonNamed, Effect([party: 6]) { $0.failure.namedReason?.party == party })
    }

    private static let observed: [(clue: Clue, effect: Effect)] = [
        // Who answered.
        (.challenge, Effect([.gateway: 6]) { $0.isChallenge }),
        (.proxyAnswered, Effect([.network: 6]) { $0.isMarkedByProxy && !$0.isFromEndpoint }),
        // A page without a mark is likely the proxy's, but does not say so.
        (.proxyBetween, Effect([.network: 6]) { $0.isFromProxy && !$0.isMarkedByProxy }),
        // Nearly as likely as the endpoint's own answer, and a little more likely if a proxy names itself.
        (.proxyBetween, Effect([.network: 3]) { $0.mayBeFromProxy }),
        (.proxyBetween, Effect([.network: 2]) { $0.mayBeFromProxy && $0.isViaProxy }),
        (.proxyBetween, Effect([.network: 2]) { $0.isReadByProxy && $0.isUnexpectedPage }),
        (.captivePortal, Effect([.network: 6]) { $0.isPortal }),
        (.filtered, Effect([.network: 6]) { $0.isFromFilter && !$0.isFromProxy }),
        (.signIn, Effect([.gateway: 6, .commandLine: 4]) { $0.isUnexplainedSignIn && $0.isForeignSignIn }),
        // An endpoint sends visitors without a login to its own sign-in, too.
        (
            .signIn,
            Effect([.commandLine: 4, .tokenEndpoint: 3, .gateway: 3]) {
                $0.isAboutTokens && $0.isUnexplainedSignIn && !$0.isForeignSignIn
            }
        ),
        (
            .signIn,
            Effect([.commandLine: 4, .gateway: 3]) {
                !$0.isAboutTokens && $0.isUnexplainedSignIn && !$0.isForeignSignIn
            }
        ),
        (.deadUpstream, Effect([.tokenEndpoint: 4]) { $0.isDeadUpstream && $0.isAboutTokens }),
        (.deadUpstream, Effect([.service: 4]) { $0.isDeadUpstream && !$0.isAboutTokens }),
        (
            .gatewayAnswered,
            Effect([.gateway: 4]) {
                $0.isFromGateway && !$0.isDeadUpstream && !$0.isChallenge && !$0.isSignIn && !$0.isFromProxy
            }
        ),
        // Alone: the answer says nothing about now. Who runs the cache is known if the connection is encrypted.
        (.cached, Effect([.network: 4, .gateway: 4]) { $0.failure.cache != nil }),
        (
            .webPage,
            Effect([.commandLine: 3, .gateway: 2]) { $0.isAboutTokens && $0.isUnexpectedPage }
        ),
        // The service may show its own page, too.
        (
            .webPage,
            Effect([.commandLine: 3, .service: 2, .gateway: 2]) { !$0.isAboutTokens && $0.isUnexpectedPage }
        ),
        // Only a permanent redirect says that the address was given up; neither shows who knows the old one.
        (
            .otherAddress,
            Effect([.commandLine: 3, .tokenEndpoint: 2]) { $0.isAboutTokens && $0.isMoved }
        ),
        (.otherAddress, Effect([.commandLine: 3, .service: 2]) { !$0.isAboutTokens && $0.isMoved }),

        // What the answer says.
        (
            .endpointFailed,
            Effect([.tokenEndpoint: 4]) {
                $0.isAboutTokens && (($0.status ?? 0) >= 500 && $0.status != 511 || $0.isRuntimeError)
                    && !$0.isChallenge && !$0.isFromProxy && !$0.isFromFilter && !$0.isDeadUpstream
            }
        ),
        (.signingRefused, Effect([.serviceAccount: 6]) { $0.isSigningRefused }),
        (.tlsExpected, Effect([.commandLine: 8]) { $0.isTLSExpected }),
        (.loginRefused, Effect([.commandLine: 6]) { $0.isAboutTokens && $0.isLoginRefused }),
        (
            .sessionExpected,
            Effect([.tokenEndpoint: 5]) { $0.isAboutTokens && $0.isSessionExpected }
        ),
        (
            .loginWanted,
            Effect([.commandLine: 4, .tokenEndpoint: 3]) {
                $0.isAboutTokens && $0.status == 401 && !$0.isSignIn && !$0.isSessionExpected && !$0.isFromGateway
            }
        ),
        (
            .denied,
            Effect([.commandLine: 4, .tokenEndpoint: 3]) {
                $0.isAboutTokens && $0.status == 403 && $0.isFromEndpoint && !$0.isSignIn && !$0.isSessionExpected
            }
        ),
        (
            .requestRefused,
            Effect([.commandLine: 4, .tokenEndpoint: 3]) {
                $0.isAboutTokens && [400, 405, 406, 409, 411, 413, 414, 415, 422].contains($0.status)
                    && $0.isFromEndpoint && !$0.isSessionExpected
            }
        ),
        (
            .addressUnknown,
            Effect([.commandLine: 4, .tokenEndpoint: 3]) { $0.isAboutTokens && $0.isUnknownAddress }
        ),
        (
            .addressUnknown,
            Effect([.commandLine: 3, .gateway: 2]) { !$0.isAboutTokens && !$0.isOfGoogle && $0.isUnknownAddress }
        ),
        // The service's own status for methods that it does not have.
        (.addressUnknown, Effect([.commandLine: 3]) { !$0.isAboutTokens && $0.isOfGoogle && $0.status == 501 }),
        (.requestRefused, Effect([.commandLine: 3]) { $0.failure.code == .badRequest && $0.isOfGoogle }),
        (
            .requestRefused,
            Effect([.commandLine: 3, .gateway: 2]) {
                !$0.isAboutTokens && !$0.isOfGoogle && $0.isPage && [400, 405, 411, 413, 414].contains($0.status)
                    && !$0.isChallenge && !$0.isSignIn && !$0.isFromProxy && !$0.isFromFilter
            }
        ),
        (
            .tokenElsewhere,
            Effect([.commandLine: 4]) { $0.hasTokenElsewhere }
        ),
        (
            .errorInAnswer,
            Effect([.tokenEndpoint: 4]) {
                $0.stage == .sourceAnswer && ($0.status ?? 200) < 300 && !$0.isPage && $0.isErrorReport
            }
        ),
        (
            .limited,
            Effect([.tokenEndpoint: 2, .gateway: 2]) { $0.isAboutTokens && $0.status == 429 && !$0.isChallenge }
        ),
        (.limited, Effect([.serviceConfiguration: 2]) { $0.failure.code == .quotaExceeded && $0.isOfGoogle }),

        // How it ended.
        (
            .brokenAnswer,
            Effect([.tokenEndpoint: 3, .gateway: 2]) {
                $0.isAboutTokens && ($0.failure.code == .cutOff || $0.isBinary)
            }
        ),
        (
            .nothingListens,
            Effect([.tokenEndpoint: 2, .commandLine: 2]) { $0.isAboutTokens && $0.ending == .refused }
        ),
        (.nothingListens, Effect([.commandLine: 2, .network: 1]) { !$0.isAboutTokens && $0.ending == .refused }),
        (.nameUnknown, Effect([.network: 2, .commandLine: 2]) { $0.ending == .unknownHost }),
        (.noAnswerInTime, Effect([.tokenEndpoint: 2, .network: 2]) { $0.isAboutTokens && $0.ending == .timedOut }),
        (.noAnswerInTime, Effect([.network: 1, .service: 1]) { !$0.isAboutTokens && $0.ending == .timedOut }),
        (.inspected, Effect([.network: 4]) { $0.ending == .tls && $0.isInspected }),
        (
            .provisionalCertificate,
            Effect([.tokenEndpoint: 4, .gateway: 3]) { $0.isAboutTokens && $0.ending == .tls && $0.isProvisional }
        ),
        (
            .provisionalCertificate,
            Effect([.gateway: 3, .commandLine: 2]) { !$0.isAboutTokens && $0.ending == .tls && $0.isProvisional }
        ),
        (
            .certificate,
            Effect([.network: 2, .tokenEndpoint: 1]) {
                $0.isAboutTokens && $0.ending == .tls && !$0.isInspected && !$0.isProvisional
            }
        ),
        (
            .certificate,
            Effect([.network: 2]) { !$0.isAboutTokens && $0.ending == .tls && !$0.isInspected && !$0.isProvisional }
        ),
        (
            .connectionEnded,
            Effect([.network: 2, .tokenEndpoint: 2]) { $0.isAboutTokens && $0.ending == .connectionLost }
        ),

        // What happened before.
        // This history says more than the kind of the answer: its advice is the advice that helps.
        (
            .workedBefore,
            Effect([.tokenEndpoint: 4]) {
                $0.isAboutSettings && $0.history.tokens > 0 && $0.ending == nil && !$0.isChallenge && !$0.isSignIn
                    && !$0.isFromProxy && !$0.isFromFilter && !$0.isFromGateway && $0.status != 429
                    && !$0.isLoginRefused && !$0.isSigningRefused
            }
        ),
        (
            .stopped,
            Effect([.tokenEndpoint: 3]) { $0.isAboutTokens && $0.history.tokens > 0 && $0.ending == .refused }
        ),
        (
            .serviceStopped,
            Effect([.service: 3]) { !$0.isAboutTokens && $0.history.hasAnswer && $0.ending == .refused }
        ),
        (
            .acceptedBefore,
            Effect([.serviceAccount: 2]) {
                $0.history.hasAnswer && [.unauthorized, .forbidden, .tokenRejected].contains($0.failure.code)
            }
        ),
        // One request fails and the next one does not, so that nothing here can be the cause.
        (.alternates, Effect([.service: 7]) { !$0.isAboutTokens && $0.history.alternations >= 2 && $0.ending == nil }),

        // What the service says.
        (
            .serviceFailed,
            Effect([.service: 3]) {
                [.serviceUnavailable, .deadlineExceeded].contains($0.failure.code) && $0.isFromEndpoint
            }
        ),
        (.mayNotExist, Effect([.serviceConfiguration: 1]) { $0.failure.code == .notFound }),
        (
            .mayLackRole,
            Effect([.serviceAccount: 1]) { $0.failure.code == .forbidden && !$0.history.hasAnswer }
        ),
        (
            .otherProject,
            Effect([.commandLine: 2]) { $0.failure.code == .forbidden && !$0.history.hasAnswer }
        ),

        // Clocks.
        (.onlyTwoClocks, Effect([.endpointClock: 1, .clockHere: 2]) { $0.comparesTwoClocks }),
        (
            .aheadOfAnswer,
            Effect([.endpointClock: 2]) { $0.isAheadOfClock && !$0.comparesTwoClocks }
        ),
    ]

    /// What refutes a suspicion.
    static let exclusions: [(party: Party, holds: @Sendable (Observation) -> Bool)] = [
        // The same settings worked, and a login in them can't have expired.
        (.commandLine, { $0.isAboutSettings ? $0.history.tokens > 0 && !$0.isLoginRefused : $0.history.hasAnswer }),
        // Only the operator of the host can send an encrypted answer with its certificate, unless a proxy reads it on the way.
        (.network, { $0.isFromHost && $0.ending == nil && !$0.mayBeInspected && !$0.isFromFilter }),
        (.network, { $0.isLocal && $0.ending != .unknownHost }),
        // A body without bytes does not show who sent it; a member of it, a file or a command that is empty does.
        (.tokenEndpoint, { $0.failure.code == .sourceEmpty && $0.isBodiless }),
    ]
}
