package import FleetTokens

extension RecordedProblem {
    /// Converts a token error.
    package convenience init(_ error: TokenError) {
        switch error {
        case .noAuthorizationContext: self.init("no_authorization_context")
        case .missingData(let cause, let delay):
            self.init("missing_data", retryAfter: delay.recorded, cause: RecordedProblem(cause))
        case .unavailable(let cause, let delay):
            self.init("unavailable", retryAfter: delay.recorded, cause: RecordedProblem(cause))
        case .denied(let status, let delay): self.init("denied", number: status, retryAfter: delay.recorded)
        case .unusable(let fault, let delay):
            self.init("unusable", retryAfter: delay.recorded, cause: RecordedProblem(fault))
        case .rejectedByService(let status, let delay):
            self.init(
                "rejected_by_service",
                number: status.httpStatus,
                grpcStatus: status.grpcStatus,
                retryAfter: delay.recorded
            )
        case .tooShortLived(let left, let wanted):
            self.init("too_short_lived", seconds: left.recorded, ofSeconds: wanted.recorded)
        case .tooManyKeys(let limit): self.init("too_many_keys", number: limit)
        case .tooManyWaiters(let limit): self.init("too_many_waiters", number: limit)
        case .cancelled: self.init("cancelled")
        case .closed: self.init("closed")
        }
    }

    /// The token error; `nil` for an unknown code.
    package var tokenError: TokenError? {
        switch code {
        case "no_authorization_context": .noAuthorizationContext
        case "missing_data": cause?.sourceError.map { .missingData($0, retryAfter: delay) }
        case "unavailable": cause?.sourceError.map { .unavailable($0, retryAfter: delay) }
        case "denied": .denied(status: number ?? 403, retryAfter: delay)
        case "unusable": cause?.tokenFault.map { .unusable($0, retryAfter: delay) }
        case "rejected_by_service":
            .rejectedByService(
                status: AnswerStatus(httpStatus: number ?? 401, grpcStatus: grpcStatus),
                retryAfter: delay
            )
        case "too_short_lived": .tooShortLived(left: duration, wanted: Duration(recorded: ofSeconds ?? 0))
        case "too_many_keys": .tooManyKeys(limit: number ?? 0)
        case "too_many_waiters": .tooManyWaiters(limit: number ?? 0)
        case "cancelled": .cancelled
        case "closed": .closed
        default: nil
        }
    }

    /// Converts a fault of a token.
    package convenience init(_ fault: TokenFault) {
        switch fault {
        case .tooLong(let bytes): self.init(fault.code, number: bytes)
        case .expired(let duration), .tooShort(let duration), .tooLongLived(let duration),
            .endsTooFarAhead(let duration), .issuedInFuture(let duration):
            self.init(fault.code, seconds: duration.recorded)
        case .nearlyOver(let left, let lifetime):
            self.init(fault.code, seconds: left.recorded, ofSeconds: lifetime.recorded)
        case .misspelledClaim(let found, let meant): self.init(fault.code, reason: found, name: meant)
        case .mistypedTime(let claim), .beginInMilliseconds(let claim): self.init(fault.code, name: claim)
        case .unusableAuthorization(let form): self.init(fault.code, reason: form)
        case .wrapped(let form): self.init(fault.code, reason: form.rawValue)
        case .malformed, .opaque, .unsigned, .missingExpiry, .expiryInMilliseconds, .wrongAudience,
            .authorizationMissing, .boundToAnother, .wrongKind, .overBroad, .sameTokenAgain, .bearerPrefix,
            .wrongExpiryUnit, .otherCredential:
            self.init(fault.code)
        }
    }

    /// The fault of a token; `nil` for an unknown code.
    package var tokenFault: TokenFault? {
        switch code {
        case "too_long": .tooLong(bytes: number ?? 0)
        case "expired": .expired(ago: duration)
        case "too_short": .tooShort(left: duration)
        case "nearly_over": .nearlyOver(left: duration, lifetime: Duration(recorded: ofSeconds ?? 0))
        case "too_long_lived": .tooLongLived(duration)
        case "ends_too_far_ahead": .endsTooFarAhead(by: duration)
        case "issued_in_future": .issuedInFuture(by: duration)
        case "misspelt_claim": .misspelledClaim(reason ?? "", meant: name ?? "")
        case "mistyped_time": .mistypedTime(name ?? "")
        case "begin_in_milliseconds": .beginInMilliseconds(name ?? "")
        case "authorization_unusable": .unusableAuthorization(reason ?? "")
        case "wrapped": TokenForm(rawValue: reason ?? "").map(TokenFault.wrapped)
        default: Self.plainFaults[code] ?? CredentialKind(rawValue: code).map(TokenFault.otherCredential)
        }
    }

    /// The faults without values by their code.
    private static let plainFaults: [String: TokenFault] = {
        let faults: [TokenFault] = [
            .malformed, .opaque, .unsigned, .missingExpiry, .expiryInMilliseconds, .wrongAudience,
            .authorizationMissing, .boundToAnother, .wrongKind, .overBroad, .sameTokenAgain, .bearerPrefix,
            .wrongExpiryUnit,
        ]
        return Dictionary(uniqueKeysWithValues: faults.map { ($0.code, $0) })
    }()
}
