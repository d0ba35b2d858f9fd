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
    /// The party that must fix a violation of the rule; none if the token obeys it.
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
