package import FleetTokens
import HTTPTransport
package import TripFeed

/// The party that must fix a failure.
package enum Party: String, Sendable, Hashable, CaseIterable {
    /// The token endpoint, or another source of tokens.
    case tokenEndpoint = "token endpoint"
    /// The service account: its keys, its project, its roles.
    case serviceAccount = "service account"
    /// The clock of this machine.
    case clockHere = "clock here"
    /// The clock of the token endpoint, or of the machine that signs the tokens.
    case endpointClock = "clock of the endpoint"
    /// The clock of the service.
    case serviceClock = "clock of the service"
    /// The configuration of the service: its API, its quota, its trips.
    case serviceConfiguration = "service configuration"
    /// The service itself, for example during an outage.
    case service = "service"
    /// The network between this machine and the service or the endpoint.
    case network
    /// The flags, the environment and the configuration of this program.
    case commandLine = "this command line"

    package var phrase: StringKey {
        switch self {
        case .tokenEndpoint: .partyTokenEndpoint
        case .serviceAccount: .partyServiceAccount
        case .clockHere: .partyClockHere
        case .endpointClock: .partyEndpointClock
        case .serviceClock: .partyServiceClock
        case .serviceConfiguration: .partyServiceConfiguration
        case .service: .partyService
        case .network: .partyNetwork
        case .commandLine: .partyCommandLine
        }
    }
}

extension TokenSourceError {
    /// The party that must fix it; `nil` if the fetch was cancelled.
    package var party: Party? {
        switch self {
        case .unreachable(_, let cause): cause.party
        case .timedOut, .html, .notJSON, .encodedJSON, .empty, .tooLarge, .commandFailed, .commandKilled: .tokenEndpoint
        case .missingKey(_, let known) where Self.isError(known): .tokenEndpoint
        case .refusedStatus(304, _): .network
        case .refusedStatus(let status, _): status == 429 || status >= 500 ? .tokenEndpoint : .commandLine
        case .unusableProxy, .redirected, .missingKey, .wrongType, .invalidURL, .insecureURL, .unsupportedContext,
            .commandNotStarted, .unreadableFile, .missingVariable, .unusableHeader:
            .commandLine
        case .badKey: .serviceAccount
        case .cancelled: nil
        }
    }

    /// Whether an answer without the token is an error in the form of an endpoint, by the keys of its texts.
    ///
    /// A message alone is one if no other key may be that of the token.
    private static func isError(_ keys: [String]) -> Bool {
        if keys.contains(where: { ["error", "errorMessage", "errorType"].contains($0) || $0.hasPrefix("error.") }) {
            return true
        }
        let mayHaveToken = keys.contains { key in
            ["token", "jwt"].contains { key.lowercased().contains($0) }
        }
        return !mayHaveToken && keys.contains { ["message", "msg"].contains($0) }
    }
}

extension UnreachableCause {
    fileprivate var party: Party {
        switch self {
        // A port comes from the flags, the environment or the configuration.
        case .wrongPort: .commandLine
        case .unknownHost, .noRoute, .interrupted, .proxy, .tls: .network
        case .other: .tokenEndpoint
        }
    }
}

extension TokenFault {
    /// The party that must fix it.
    package var party: Party {
        switch self {
        case .issuedInFuture, .endsTooFarAhead: .endpointClock
        case .wrongExpiryUnit: .commandLine
        case .malformed, .tooLong, .opaque, .unsigned, .missingExpiry, .expiryInMilliseconds, .expired, .tooShort,
            .nearlyOver, .tooLongLived, .wrongAudience, .authorizationMissing, .boundToAnother, .wrongKind, .overBroad,
            .sameTokenAgain, .bearerPrefix, .otherCredential, .misspelledClaim, .mistypedTime:
            .tokenEndpoint
        }
    }
}

extension TokenWarning {
    /// The party that must fix it; `nil` if there is none.
    package var party: Party? {
        switch self {
        case .wrongExpiryUnit, .noExpirationKey, .readableByOthers: .commandLine
        case .shortLived, .opaque, .unusualAlgorithm, .surroundedBySpace: .tokenEndpoint
        case .clockDiffers: .endpointClock
        case .expiryDisagreement, .assumedLifetime, .wildcard: nil
        }
    }
}

extension TokenError {
    /// The party that must fix it; `nil` if there is none.
    package var party: Party? {
        switch self {
        case .missingData(let cause, _), .unavailable(let cause, _): cause.party
        case .unusable(let fault, _): fault.party
        case .denied: .commandLine
        case .rejectedByService: .serviceAccount
        case .tooShortLived: .tokenEndpoint
        case .noAuthorizationContext, .tooManyKeys, .tooManyWaiters, .cancelled, .closed: nil
        }
    }

    /// Whether a source that has returned a token with the same settings must have changed: the settings were right for it.
    ///
    /// A 401 or 403 is none of these errors: the login in a header may have expired.
    var contradictsEarlierTokens: Bool {
        switch self {
        case .missingData(.missingKey, _), .missingData(.wrongType, _), .unavailable(.redirected, _),
            .unusable(.wrongExpiryUnit, _):
            true
        case .unavailable(.refusedStatus(let status, _), _), .denied(let status, _):
            party == .commandLine && status != 401 && status != 403
        default: false
        }
    }
}

extension TokenRule {
    /// The party that must fix a violation of the rule.
    package var party: Party {
        switch self {
        case .keyID, .signature, .issuer: .serviceAccount
        case .issuedAt: .endpointClock
        case .shape, .algorithm, .audience, .expiry, .lifetime, .authorization, .identity, .scope, .taskIDs:
            .tokenEndpoint
        }
    }
}

extension PollFailure {
    /// The party that must fix it; `nil` if there is none, for example if the poll was cancelled.
    package var party: Party? {
        switch self {
        case .token(let error, let refusal): refusal?.party ?? error.party
        case .transport(let error): error.party
        case .refusedToken(_, let finding, _):
            switch finding.wrongClock {
            case .service: .serviceClock
            case .here: .clockHere
            case nil: finding.rule.party
            }
        case .service where isForeignRefusal: .network
        case .service:
            switch httpStatus ?? 0 {
            case 304: .network
            case 401: .serviceAccount
            case 403: projectProblem == nil ? .serviceAccount : .serviceConfiguration
            case 429: .serviceConfiguration
            default: isTemporary ? .service : .commandLine
            }
        case .webPage: .network
        case .redirected, .unreadable: .commandLine
        case .afterAnswer(.service): nil
        case .anotherTrip, .afterAnswer(.unreadable), .afterAnswer(.transport(.tooLarge)): .service
        case .afterAnswer: .network
        }
    }
}

extension HTTPTransportError {
    /// The party that must fix it; `nil` if the request was cancelled.
    fileprivate var party: Party? {
        switch self {
        case .invalidURL, .wrongPort, .unusableProxy, .malformed, .tooLarge: .commandLine
        case .refused, .unknownHost, .tls, .timedOut, .connectionLost, .cutOff, .proxyFailed, .other: .network
        case .cancelled: nil
        }
    }
}
