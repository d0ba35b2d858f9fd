package import Failures
package import FleetTokens
import FleetWire
package import TripFeed

extension Party {
    /// The name in a sentence.
    package var phrase: StringKey {
        switch self {
        case .tokenEndpoint: .partyTokenEndpoint
        case .serviceAccount: .partyServiceAccount
        case .clockHere: .partyClockHere
        case .endpointClock: .partyEndpointClock
        case .serviceClock: .partyServiceClock
        case .serviceConfiguration: .partyServiceConfiguration
        case .service: .partyService
        case .gateway: .partyGateway
        case .network: .partyNetwork
        case .commandLine: .partyCommandLine
        case .injectedFault: .partyInjectedFault
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

extension TokenFinding {
    /// The party that must fix a violation of the rule; none if the token keeps it.
    package var diagnosis: Diagnosis {
        switch (verdict, wrongClock) {
        case (.kept, _), (.unchecked, _): Diagnosis([])
        // An access token shows nothing: its login may have ended, or its account may have lost its rights.
        case (.doubtful, _) where isOfAccessToken:
            Diagnosis([Diagnosis.Suspect(.commandLine, .possible), Diagnosis.Suspect(.serviceAccount, .possible)])
        case (_, .service?): Diagnosis([Diagnosis.Suspect(.serviceClock, .likely, .othersAgree)])
        case (_, .here?): Diagnosis([Diagnosis.Suspect(.clockHere, .likely, .rarelyWrong)])
        // A rule about times is judged by a clock, which may be wrong itself.
        case (.broken, nil) where ![.issuedAt, .expiry].contains(rule):
            Diagnosis([Diagnosis.Suspect(rule.party, .proven)])
        case (.broken, nil), (.doubtful, nil): Diagnosis([Diagnosis.Suspect(rule.party, .likely)])
        }
    }
}

extension PollFailure {
    /// The parties that may have caused it; none if there is nothing to fix, for example if the poll was cancelled.
    package var diagnosis: Diagnosis {
        // The fault is certain, and what it has caused says nothing about anyone else.
        if injected != nil { return .injected }
        // A proxy's refusal says nothing about the token.
        if let brokenRule, failure.proxyAnswer != .marked { return brokenRule.diagnosis }
        if let cause = cause?.diagnosis, !cause.suspects.isEmpty { return cause }
        return Diagnosis(failure, history)
    }

    /// The party that most likely must fix it; `nil` if there is none.
    package var party: Party? { diagnosis.first?.party }
}
