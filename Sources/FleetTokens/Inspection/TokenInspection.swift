public import Foundation

/// A rule for Fleet Engine tokens.
public enum TokenRule: String, Sendable, Hashable, CaseIterable {
    case shape
    case algorithm
    case keyID
    case signature
    case issuer
    case audience
    case issuedAt
    case expiry
    case lifetime
    case authorization
    case identity
    case scope
    case taskIDs
}

/// The result of one rule.
public struct TokenFinding: Sendable, Equatable {
    /// The verdict of a rule.
    public enum Verdict: String, Sendable {
        /// The rule is satisfied.
        case kept
        /// The rule is violated: the service will refuse the token, or the token is dangerous.
        case broken
        /// The result depends on what only the service knows, such as the roles of an account.
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

/// The results of all rules for one token.
public struct TokenInspection: Sendable {
    /// The expected properties of a token.
    public struct Expectations: Sendable {
        /// The expected trip or vehicle; `nil` skips the check.
        public var context: AuthorizationContext?
        /// The Google Cloud project whose service account should have signed it; `nil` skips the check.
        public var providerID: String?
        /// The expected `aud`.
        public var audience: String
        /// Whether wildcards are expected, as in a server's token.
        public var isForServer: Bool

        /// Creates expectations.
        public init(
            context: AuthorizationContext? = nil,
            providerID: String? = nil,
            audience: String = TokenExpectations.fleetEngineAudience,
            isForServer: Bool = false
        ) {
            // A server token is for no single trip or vehicle.
            self.context = context == .server ? nil : context
            self.providerID = providerID
            self.audience = audience
            self.isForServer = isForServer || context == .server
        }
    }

    /// The claims of the token; `nil` if it cannot be read.
    public let claims: TokenClaims?
    /// The findings of all applicable rules, in display order.
    public internal(set) var findings: [TokenFinding]
    /// The signed text, for the signature check only; never print it.
    package let text: SecretBytes

    /// Whether no rule is violated.
    public var isFaultless: Bool { !findings.contains { $0.verdict == .broken } }

    /// Returns the rule that explains why a service refused the token: the first violated one, else the first doubtful one.
    ///
    /// A 403 implies that the service could read the token and that its signature is valid.
    package func explanation(ofRefusalWith status: Int) -> TokenFinding? {
        func first(_ verdict: TokenFinding.Verdict, _ rules: Set<TokenRule>) -> TokenFinding? {
            findings.first { $0.verdict == verdict && rules.contains($0.rule) }
        }
        switch status {
        case 401: return first(.broken, Set(TokenRule.allCases))
        case 403:
            let scopes: Set<TokenRule> = [.authorization, .identity, .scope, .taskIDs]
            return first(.broken, scopes) ?? first(.doubtful, [.issuer])
        default: return nil
        }
    }

    /// Checks a text against all rules at a time.
    ///
    /// Surrounding white space and quotation marks and a leading `Authorization: Bearer` are removed, because they are often
    /// copied along.
    public static func inspect(_ text: String, _ expectations: Expectations, now: Date) -> TokenInspection {
        let token = bare(text)
        let shape = TokenShape(token)
        guard let claims = shape.claims else {
            return TokenInspection(claims: nil, findings: shape.findings, text: SecretBytes(token))
        }
        let input = TokenCheckInput(claims: claims, expectations: expectations, now: now)
        let findings = shape.findings + TokenRuleEntry.findings(input)
        return TokenInspection(claims: claims, findings: findings, text: SecretBytes(token))
    }

    private static func bare(_ text: String) -> String {
        let padding = CharacterSet.whitespacesAndNewlines.union(CharacterSet(charactersIn: "\"'\u{FEFF}"))
        var token = text.trimmingCharacters(in: padding)
        for prefix in ["authorization:", "bearer "] where token.lowercased().hasPrefix(prefix) {
            token = token.dropFirst(prefix.count).trimmingCharacters(in: padding)
        }
        return token
    }
}

extension TokenInspection: CustomStringConvertible, CustomReflectable {
    /// The number of checked and violated rules, without the token.
    public var description: String {
        "<inspection: \(findings.count) rules, \(findings.count { $0.verdict == .broken }) broken>"
    }
    /// A mirror with the description only.
    public var customMirror: Mirror { Mirror(self, children: ["inspection": description]) }
}
