/// A rule for Fleet Engine tokens.
public enum TokenRule: String, Sendable, Hashable, CaseIterable {
    case shape, algorithm, keyID, signature, issuer, audience, issuedAt, expiry, lifetime, authorization, identity
    case scope, taskIDs
}

/// The result of one rule.
public struct TokenFinding: Sendable, Equatable {
    /// The verdict of a rule.
    public enum Verdict: String, Sendable {
        /// The rule is satisfied.
        case kept
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
    typealias Key = TokenSentence.Key
    typealias Values = [String: TokenSentence.Value]

    static func kept(_ rule: TokenRule, _ evidence: Key, _ values: Values = [:], _ advice: Key? = nil) -> Self {
        Self(rule, .kept, TokenSentence(evidence, values), advice: advice.map { TokenSentence($0) })
    }

    static func unchecked(_ rule: TokenRule, _ evidence: Key, _ values: Values = [:], _ advice: Key? = nil) -> Self {
        Self(rule, .unchecked, TokenSentence(evidence, values), advice: advice.map { TokenSentence($0) })
    }

    static func doubtful(_ rule: TokenRule, _ evidence: Key, _ values: Values, _ advice: Key) -> Self {
        Self(rule, .doubtful, TokenSentence(evidence, values), advice: TokenSentence(advice))
    }

    static func broken(_ rule: TokenRule, _ evidence: Key, _ advice: Key, _ adviceValues: Values = [:]) -> Self {
        broken(rule, evidence, [:], advice, adviceValues)
    }

    static func broken(
        _ rule: TokenRule,
        _ evidence: Key,
        _ values: Values,
        _ advice: Key,
        _ adviceValues: Values = [:]
    ) -> Self {
        Self(rule, .broken, TokenSentence(evidence, values), advice: TokenSentence(advice, adviceValues))
    }
}
