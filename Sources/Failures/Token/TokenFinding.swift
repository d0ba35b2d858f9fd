import Runtime

/// A rule for Fleet Engine tokens.
public enum TokenRule: String, Sendable, Hashable, CaseIterable, Codable {
    case shape, algorithm, keyID, signature, issuer, audience, issuedAt, expiry, lifetime, authorization, identity
    case scope, taskIDs
}

/// The result of one rule.
public struct TokenFinding: Sendable, Equatable, Codable {
    /// The verdict of a rule.
    public enum Verdict: String, Sendable, Codable {
        /// The rule is satisfied.
        case satisfied = "kept"
        /// The rule is violated: the service will refuse the token, or the token is dangerous.
        case broken
        /// The result depends on data that only the service has, such as the roles of an account.
        case doubtful
        /// Not checked, for example because there is no public key.
        case unchecked
    }

    /// The rule.
    public var rule: TokenRule
    /// The verdict.
    public var verdict: Verdict
    /// What was found.
    public var sentence: TokenSentence
    /// What to change; `nil` if no change is needed.
    public var remedy: TokenSentence?

    private enum CodingKeys: String, CodingKey {
        case rule, verdict
        case sentence = "evidence"
        case remedy = "advice"
    }

    /// Creates a finding.
    public init(_ rule: TokenRule, _ verdict: Verdict, _ evidence: TokenSentence, advice: TokenSentence? = nil) {
        self.rule = rule
        self.verdict = verdict
        sentence = evidence
        remedy = advice
    }
}

/// Findings from the keys of their texts, with the values of the placeholders.
extension TokenFinding {
    package typealias Key = TextKey
    package typealias Values = [String: TokenSentence.Value]

    package static func satisfied(
        _ rule: TokenRule,
        _ evidence: Key,
        _ values: Values = [:],
        _ advice: Key? = nil
    ) -> Self {
        Self(rule, .satisfied, TokenSentence(evidence, values), advice: advice.map { TokenSentence($0) })
    }

    package static func unchecked(
        _ rule: TokenRule,
        _ evidence: Key,
        _ values: Values = [:],
        _ advice: Key? = nil
    ) -> Self {
        Self(rule, .unchecked, TokenSentence(evidence, values), advice: advice.map { TokenSentence($0) })
    }

    package static func doubtful(_ rule: TokenRule, _ evidence: Key, _ values: Values, _ advice: Key) -> Self {
        Self(rule, .doubtful, TokenSentence(evidence, values), advice: TokenSentence(advice))
    }

    package static func broken(_ rule: TokenRule, _ evidence: Key, _ advice: Key, _ adviceValues: Values = [:]) -> Self
    {
        broken(rule, evidence, [:], advice, adviceValues)
    }

    package static func broken(
        _ rule: TokenRule,
        _ evidence: Key,
        _ values: Values,
        _ advice: Key,
        _ adviceValues: Values = [:]
    ) -> Self {
        Self(rule, .broken, TokenSentence(evidence, values), advice: TokenSentence(advice, adviceValues))
    }
}

extension TokenFinding {
    /// Whether it says that the token is an access token, whose content can't be checked.
    package var isOfAccessToken: Bool { sentence.key == .verdictAccessToken }

    /// Returns the finding as the explanation of a refusal, with what may be wrong.
    fileprivate var explainingRefusal: TokenFinding {
        TokenFinding(rule, .doubtful, sentence, advice: TokenSentence(.remedyAccessToken))
    }
}

extension Sequence<TokenFinding> {
    /// The rules that the token obeys.
    package var satisfiedRules: Set<TokenRule> { Set(lazy.filter { $0.verdict == .satisfied }.map(\.rule)) }

    /// Returns the rule that explains why a service refused the token: the first violated one, else the first doubtful one.
    ///
    /// An access token shows nothing but its expiry, so that several causes are possible.
    ///
    /// A 403 implies that the service could read the token and that its signature is valid.
    package func explanation(ofRefusalWith status: Int) -> TokenFinding? {
        func one(_ verdict: TokenFinding.Verdict, of rules: Set<TokenRule>) -> TokenFinding? {
            first { $0.verdict == verdict && rules.contains($0.rule) }
        }
        switch status {
        case 401:
            return one(.broken, of: Set(TokenRule.allCases)) ?? first(where: \.isOfAccessToken)?.explainingRefusal
        case 403:
            return one(.broken, of: [.authorization, .identity, .scope, .taskIDs]) ?? one(.doubtful, of: [.issuer])
        default: return nil
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
    /// The party that must fix a violation of the rule; none if the token obeys it.
    package var diagnosis: Diagnosis {
        switch (verdict, wrongClock) {
        case (.satisfied, _), (.unchecked, _): Diagnosis([])
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

extension TokenFinding {
    /// A clock that makes the service refuse a token although its source did nothing wrong.
    package enum Clock: Sendable {
        case service, here
    }

    /// The service refused a token by a rule about times because a clock is wrong.
    ///
    /// The offset is the service's clock minus the local clock.
    package static func wrongClock(_ clock: Clock, breaking rule: TokenRule, offset: Duration) -> Self {
        let (isBehind, values) = (offset < .zero, ["duration": TokenSentence.Value.span(abs(offset.seconds))])
        return switch clock {
        case .service:
            broken(rule, isBehind ? .verdictServiceClockBehind : .verdictServiceClockAhead, values, .remedyServiceClock)
        case .here: broken(rule, isBehind ? .verdictClockHereAhead : .verdictClockHereBehind, values, .remedyClockHere)
        }
    }

    /// The clock that is the cause; `nil` if the token breaks the rule by itself.
    package var wrongClock: Clock? {
        switch sentence.key {
        case .verdictServiceClockAhead, .verdictServiceClockBehind: .service
        case .verdictClockHereAhead, .verdictClockHereBehind: .here
        default: nil
        }
    }
}
