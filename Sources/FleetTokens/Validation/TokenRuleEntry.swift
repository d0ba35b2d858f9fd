/// The rule table: for each rule, the possible findings about a token.
///
/// To add a rule, add a case to ``TokenRule``, an entry to a table, and the texts to `Assets/Strings`.
struct TokenRuleEntry: Sendable {
    let rule: TokenRule
    /// The possible findings; the first one that applies is the finding of the rule.
    let checks: [TokenCheck]

    init(_ rule: TokenRule, _ checks: [TokenCheck]) {
        self.rule = rule
        self.checks = checks
    }

    /// The same rule for tokens with an `authorization` claim only.
    var onlyWithAuthorization: TokenRuleEntry {
        TokenRuleEntry(rule, checks.map { check in check.with { $0.claims.hasAuthorization && check.applies($0) } })
    }

    /// All rules for the claims, in display order.
    static let all = header + account + times + authorization

    /// Returns the findings of all rules that apply to a token.
    static func findings(_ input: TokenCheckInput) -> [TokenFinding] {
        all.compactMap { entry in
            entry.checks.first { $0.applies(input) }?.finding(entry.rule, input)
        }
    }
}
