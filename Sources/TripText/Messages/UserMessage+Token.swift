package import FleetTokens
package import TripModel

extension UserMessage {
    /// Describes why a trip has no token.
    package init(_ error: TokenError, trip: TripID, say: Localizer = .english) {
        self.init(error, for: say(.tripSubject, Reporter.sanitized(trip.rawValue, limit: 64)), say: say)
    }

    /// Describes why a trip has no token, with details from the token status: the endpoint's message, or the IDs in the
    /// rejected token.
    package init(_ error: TokenError, _ status: TokenStatus, trip: TripID, say: Localizer = .english) {
        self.init(error, trip: trip, say: say)
        switch error {
        case .missingData(.html, _), .unavailable(.html, _): break
        case .missingData, .unavailable(.refusedStatus, _), .denied:
            guard let message = status.lastAnswer?.message else { break }
            what += say(.saidDetail, Reporter.sanitized(message, limit: 160))
        case .unusable(.boundToAnother, _), .unusable(.wrongKind, _):
            guard let claims = status.lastRejected?.claims else { break }
            for (name, id) in [("tripid", claims.tripID), ("vehicleid", claims.vehicleID)] {
                if let id { what += say(.tokenNames, name, Reporter.sanitized(id, limit: 64)) }
            }
        default: break
        }
    }

    /// Describes why a token is missing; `subject` names its owner, such as `vehicle taxi-1`.
    package init(_ error: TokenError, for subject: String, say: Localizer = .english) {
        switch error {
        case .noAuthorizationContext: self.init(say, .noContext, .noContextWhat, .noContextAdvice)
        case .missingData(let cause, _), .unavailable(let cause, _):
            let sentence = UserMessage(cause, say: say)
            self.init(sentence.short, say(.noTokenFor, subject, sentence.what), adviceOf: sentence)
        case .denied(let status, _):
            self.init(say, .deniedToken, .deniedTokenWhat, .deniedTokenAdvice, String(status), subject)
        case .unusable(let fault, _):
            let sentence = UserMessage(fault, say: say)
            self.init(sentence.short, say(.unusableToken, subject, sentence.what), adviceOf: sentence)
        case .rejectedByService(let status, _):
            self.init(say, .newTokenRefused, .newTokenRefusedWhat, .newTokenRefusedAdvice, String(status), subject)
        case .tooShortLived(let left, let wanted):
            self.init(
                say,
                .livesTooShort,
                .livesTooShortWhat,
                .livesTooShortAdvice,
                subject,
                say.span(left),
                say.span(wanted)
            )
        case .tooManyKeys(let limit): self.init(say, .cacheFull, .cacheFullWhat, .cacheFullAdvice, String(limit))
        case .tooManyWaiters(let limit):
            self.init(say, .manyWaiters, .manyWaitersWhat, nil, String(limit), subject)
        case .cancelled: self.init(say, .cancelled, .waitCancelled, nil, subject)
        case .closed: self.init(say, .tokenClosed, .providerClosed)
        }
        setParty(error.party, say)
    }

    /// Describes why a token source returned no token.
    package init(_ error: TokenSourceError, say: Localizer = .english) {
        func sanitized(_ text: String) -> String { Reporter.sanitized(text, limit: 160) }
        switch error {
        case .unusableProxy(let reason), .unreachable(let reason, .proxy):
            self.init(say, .badProxy, .badProxyWhat, .badProxyAdvice, sanitized(reason))
        case .unreachable(let reason, _):
            self.init(say, .notReachable, .notReachableWhat, .notReachableAdvice, sanitized(reason))
        case .timedOut: self.init(say, .timedOut, .sourceTimedOutWhat, .retriedAlone)
        case .refusedStatus(let status, let delay):
            let wait = delay.map { say(.refusedStatusWait, say.span($0)) } ?? ""
            self.init(say, .httpStatus, .refusedStatusWhat, Self.advice(status), String(status), wait)
        case .redirected(let status):
            self.init(say, .redirected, .tokenRedirectedWhat, .tokenRedirectedAdvice, String(status))
        case .html(let status): self.init(say, .html, .htmlWhat, .htmlAdvice, String(status))
        case .notJSON: self.init(say, .notJSON, .notJSONWhat, .checkTokenSource)
        case .missingKey(let key, let known):
            let names = known.map { "‘\(Reporter.sanitized($0, limit: 60))’" }.joined(separator: say(.listComma))
            let what: StringKey = known.isEmpty ? .noKeyWhat : .noKeyKnownWhat
            self.init(say, .noKey, what, .noKeyAdvice, key, names)
        case .wrongType(let key): self.init(say, .wrongType, .wrongTypeWhat, .wrongTypeAdvice, key)
        case .empty: self.init(say, .emptyAnswer, .emptyAnswerWhat, .emptyAnswerAdvice)
        case .tooLarge(let limit):
            self.init(say, .tokenTooLarge, .tokenTooLargeWhat, .checkTokenSource, say.bytes(limit))
        case .invalidURL: self.init(say, .badURL, .badTokenURLWhat, .checkTokenURL)
        case .insecureURL: self.init(say, .notEncrypted, .insecureTokenWhat, .insecureAdvice)
        case .unsupportedContext: self.init(say, .wrongKind, .unsupportedContextWhat, .unsupportedContextAdvice)
        case .commandNotStarted(let reason):
            self.init(say, .commandNotStarted, .commandNotStartedWhat, .commandNotStartedAdvice, sanitized(reason))
        case .commandFailed(let status):
            self.init(say, .commandFailed, .commandFailedWhat, .runByHand, String(status))
        case .commandKilled(let signal):
            self.init(say, .commandKilled, .commandKilledWhat, .runByHand, String(signal))
        case .unreadableFile(let reason):
            self.init(say, .unreadableFile, .unreadableFileWhat, .unreadableFileAdvice, sanitized(reason))
        case .missingVariable(let name): self.init(say, .noVariable, .noVariableWhat, .noVariableAdvice, name)
        case .unusableHeader(let name, let reason):
            self.init(say, .badHeader, .badHeaderWhat, .badHeaderAdvice, name, sanitized(reason))
        case .badKey(let reason): self.init(say, .badKey, .badKeyWhat, .badKeyAdvice, sanitized(reason))
        case .cancelled: self.init(say, .cancelled, .fetchCancelled)
        }
        setParty(error.party, say)
    }

    private static func advice(_ status: Int) -> StringKey {
        switch status {
        case 401, 403: .statusLogin
        case 404, 410: .statusPath
        case 405: .statusMethod
        case 429: .statusQuota
        case 500...: .statusServer
        default: .checkTokenURL
        }
    }
}
