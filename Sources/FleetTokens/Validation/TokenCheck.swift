/// One possible finding: its verdict, its text, the advice, and when it applies.
struct TokenCheck: Sendable {
    /// The values of a text by the names of their placeholders.
    typealias Values = [String: any KeyPath<TokenCheckInput, TokenSentence.Value> & Sendable]
    typealias Condition = @Sendable (TokenCheckInput) -> Bool

    let verdict: TokenFinding.Verdict
    let evidence: TokenSentence.Key
    let values: Values
    let advice: TokenSentence.Key?
    let adviceValues: Values
    var applies: Condition

    /// The rule is satisfied.
    static func kept(
        _ evidence: TokenSentence.Key,
        _ values: Values = [:],
        if applies: @escaping Condition = always
    ) -> Self {
        Self(verdict: .kept, evidence: evidence, values: values, advice: nil, adviceValues: [:], applies: applies)
    }

    /// It cannot be decided here whether the rule is satisfied.
    static func unchecked(
        _ evidence: TokenSentence.Key,
        _ values: Values = [:],
        if applies: @escaping Condition = always
    ) -> Self {
        Self(verdict: .unchecked, evidence: evidence, values: values, advice: nil, adviceValues: [:], applies: applies)
    }

    /// The rule is violated; the texts have no values.
    static func broken(
        _ evidence: TokenSentence.Key,
        _ advice: TokenSentence.Key,
        if applies: @escaping Condition = always
    ) -> Self { broken(evidence, [:], advice, if: applies) }

    /// The rule is violated, unless another verdict is given.
    static func broken(
        _ evidence: TokenSentence.Key,
        _ values: Values,
        _ advice: TokenSentence.Key,
        _ adviceValues: Values = [:],
        verdict: TokenFinding.Verdict = .broken,
        if applies: @escaping Condition = always
    ) -> Self {
        Self(
            verdict: verdict,
            evidence: evidence,
            values: values,
            advice: advice,
            adviceValues: adviceValues,
            applies: applies
        )
    }

    static let always: Condition = { _ in true }

    func with(_ condition: @escaping Condition) -> TokenCheck {
        var check = self
        check.applies = condition
        return check
    }

    func finding(_ rule: TokenRule, _ input: TokenCheckInput) -> TokenFinding {
        func text(_ key: TokenSentence.Key, _ values: Values) -> TokenSentence {
            TokenSentence(key, values.mapValues { input[keyPath: $0] })
        }
        return TokenFinding(rule, verdict, text(evidence, values), advice: advice.map { text($0, adviceValues) })
    }
}
