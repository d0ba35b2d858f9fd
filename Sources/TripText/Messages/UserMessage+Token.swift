package import FleetTokens
package import TripModel

extension UserMessage {
    /// Describes why a trip has no token.
    package init(_ error: TokenError, trip: TripID, localizer: Localizer = .english) {
        self.init(
            error,
            for: localizer(.tripSubject, Reporter.sanitized(trip.rawValue, limit: 64)),
            localizer: localizer
        )
    }

    /// Describes why a trip has no token, with details from the token status.
    package init(_ error: TokenError, _ status: TokenStatus, trip: TripID, localizer: Localizer = .english) {
        let subject = localizer(.tripSubject, Reporter.sanitized(trip.rawValue, limit: 64))
        self.init(error, status, for: subject, localizer: localizer)
    }

    /// Describes why a token is missing, with details from its status: the endpoint's message, or the IDs in the rejected token.
    package init(_ error: TokenError, _ status: TokenStatus, for subject: String, localizer: Localizer = .english) {
        self.init(error, for: subject, localizer: localizer)
        switch error {
        case .missingData(.html, _), .unavailable(.html, _): break
        case .missingData, .unavailable(.refusedStatus, _), .denied:
            guard let message = status.lastAnswer?.message else { break }
            what += localizer(.saidDetail, Reporter.sanitized(message, limit: 160))
        case .unusable(.malformed, _):
            // The number of parts says no more than that it is not a JWT.
            let shape = status.lastRejected?.findings.first { $0.rule == .shape && $0.verdict == .broken }
            guard let shape, shape.sentence.key != .verdictPartCount else { break }
            let cause = localizer(shape.sentence).trimmingSuffix { ".。".contains($0) }
            what += localizer(.becauseDetail, Reporter.sanitized(cause, limit: 160))
            advice = shape.remedy.map { localizer($0) }
        case .unusable(.boundToAnother, _), .unusable(.wrongKind, _):
            guard let claims = status.lastRejected?.claims else { break }
            for (name, id) in [("tripid", claims.tripID), ("vehicleid", claims.vehicleID)] {
                if let id { what += localizer(.tokenNames, name, Reporter.sanitized(id, limit: 64)) }
            }
        default: break
        }
        if status.generation > 0, error.contradictsEarlierTokens {
            advice = localizer(.sourceChangedAdvice)
            setParty(.tokenEndpoint, localizer)
        }
    }

    /// Describes why a token is missing; `subject` names its owner, such as `vehicle taxi-1`.
    package init(_ error: TokenError, for subject: String, localizer: Localizer = .english) {
        switch error {
        case .noAuthorizationContext: self.init(localizer, .noContext, .noContextWhat, .noContextAdvice)
        case .missingData(let cause, _), .unavailable(let cause, _):
            let sentence = UserMessage(cause, localizer: localizer)
            self.init(sentence.short, localizer(.noTokenFor, subject, sentence.what), adviceOf: sentence)
        case .denied(let status, _):
            self.init(localizer, .deniedToken, .deniedTokenWhat, .deniedTokenAdvice, String(status), subject)
        case .unusable(let fault, _):
            let sentence = UserMessage(fault, localizer: localizer)
            self.init(sentence.short, localizer(.unusableToken, subject, sentence.what), adviceOf: sentence)
        case .rejectedByService(let status, _):
            self.init(
                localizer(.newTokenRefused, status.name, subject),
                localizer(.newTokenRefusedWhat, status.label, subject),
                localizer(.newTokenRefusedAdvice)
            )
        case .tooShortLived(let left, let wanted):
            self.init(
                localizer,
                .livesTooShort,
                .livesTooShortWhat,
                .livesTooShortAdvice,
                subject,
                localizer.span(left),
                localizer.span(wanted)
            )
        case .tooManyKeys(let limit): self.init(localizer, .cacheFull, .cacheFullWhat, .cacheFullAdvice, String(limit))
        case .tooManyWaiters(let limit):
            self.init(localizer, .manyWaiters, .manyWaitersWhat, nil, String(limit), subject)
        case .cancelled: self.init(localizer, .cancelled, .waitCancelled, nil, subject)
        case .closed: self.init(localizer, .tokenClosed, .providerClosed)
        }
        setParty(error.party, localizer)
    }

    /// Describes why a token source returned no token.
    package init(_ error: TokenSourceError, localizer: Localizer = .english) {
        func sanitized(_ text: String) -> String { Reporter.sanitized(text, limit: 160) }
        switch error {
        case .unusableProxy(let reason), .unreachable(let reason, .proxy):
            self.init(localizer, .badProxy, .badProxyWhat, .badProxyAdvice, sanitized(reason))
        case .unreachable(let reason, .wrongPort):
            self.init(localizer, .notReachable, .notReachableWhat, .checkTokenURL, sanitized(reason))
        case .unreachable(let reason, .tls):
            self.init(localizer, .notReachable, .notReachableWhat, .tlsAdvice, sanitized(reason))
        case .unreachable(let reason, .unknownHost), .unreachable(let reason, .noRoute):
            self.init(localizer, .notReachable, .notReachableWhat, .tokenNetworkAdvice, sanitized(reason))
        case .unreachable(let reason, _):
            self.init(localizer, .notReachable, .notReachableWhat, .notReachableAdvice, sanitized(reason))
        case .timedOut: self.init(localizer, .timedOut, .sourceTimedOutWhat, .retriedAlone)
        case .refusedStatus(let status, let delay):
            let wait = delay.map { localizer(.refusedStatusWait, localizer.span($0)) } ?? ""
            self.init(localizer, .httpStatus, .refusedStatusWhat, Self.advice(status), String(status), wait)
        case .redirected(let status):
            self.init(localizer, .redirected, .tokenRedirectedWhat, .tokenRedirectedAdvice, String(status))
        case .html(let status): self.init(localizer, .html, .htmlWhat, .htmlAdvice, String(status))
        case .notJSON: self.init(localizer, .notJSON, .notJSONWhat, .checkTokenSource)
        case .missingKey(let key, let known):
            let names = known.map { "‘\(Reporter.sanitized($0, limit: 60))’" }.joined(separator: localizer(.listComma))
            let what: StringKey = known.isEmpty ? .noKeyWhat : .noKeyKnownWhat
            // An answer with an error instead of a token has the right keys.
            let advice: StringKey = error.party == .tokenEndpoint ? .checkTokenSource : .noKeyAdvice
            self.init(localizer, .noKey, what, advice, key, names)
        case .encodedJSON(let key):
            let what: StringKey = key == nil ? .encodedJSONWhat : .encodedKeyWhat
            self.init(localizer, .encodedJSON, what, .encodedJSONAdvice, sanitized(key ?? ""))
        case .wrongType(let key): self.init(localizer, .wrongType, .wrongTypeWhat, .wrongTypeAdvice, key)
        case .empty: self.init(localizer, .emptyAnswer, .emptyAnswerWhat, .emptyAnswerAdvice)
        case .tooLarge(let limit):
            self.init(localizer, .tokenTooLarge, .tokenTooLargeWhat, .checkTokenSource, localizer.bytes(limit))
        case .invalidURL: self.init(localizer, .badURL, .badTokenURLWhat, .checkTokenURL)
        case .insecureURL: self.init(localizer, .notEncrypted, .insecureTokenWhat, .insecureAdvice)
        case .unsupportedContext: self.init(localizer, .wrongKind, .unsupportedContextWhat, .unsupportedContextAdvice)
        case .commandNotStarted(let reason):
            self.init(
                localizer,
                .commandNotStarted,
                .commandNotStartedWhat,
                .commandNotStartedAdvice,
                sanitized(reason)
            )
        case .commandFailed(let status):
            self.init(localizer, .commandFailed, .commandFailedWhat, .runByHand, String(status))
        case .commandKilled(let signal):
            self.init(localizer, .commandKilled, .commandKilledWhat, .runByHand, String(signal))
        case .unreadableFile(let reason):
            self.init(localizer, .unreadableFile, .unreadableFileWhat, .unreadableFileAdvice, sanitized(reason))
        case .missingVariable(let name): self.init(localizer, .noVariable, .noVariableWhat, .noVariableAdvice, name)
        case .unusableHeader(let name, let reason):
            self.init(localizer, .badHeader, .badHeaderWhat, .badHeaderAdvice, name, sanitized(reason))
        case .badKey(let reason): self.init(localizer, .badKey, .badKeyWhat, .badKeyAdvice, sanitized(reason))
        case .cancelled: self.init(localizer, .cancelled, .fetchCancelled)
        }
        setParty(error.party, localizer)
    }

    private static func advice(_ status: Int) -> StringKey {
        switch status {
        case 304: .notModifiedAdvice
        case 401, 403: .statusLogin
        case 404, 410: .statusPath
        case 405: .statusMethod
        case 429: .statusQuota
        case 500...: .statusServer
        default: .checkTokenURL
        }
    }
}
