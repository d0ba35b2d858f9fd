public import Foundation

/// A rule that a token for Fleet Engine has to keep.
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

/// What one rule says about a token.
public struct TokenFinding: Sendable, Equatable {
    /// Whether the rule is kept.
    public enum Verdict: String, Sendable {
        /// It is.
        case kept
        /// It is not, and the service will refuse the token or worse.
        case broken
        /// It depends on what only the service knows, such as the roles of an account.
        case doubtful
        /// There was nothing to judge it by, such as no public key.
        case unchecked
    }

    /// The rule.
    public var rule: TokenRule
    /// Whether it is kept.
    public var verdict: Verdict
    /// What was found.
    public var sentence: TokenSentence
    /// What to change; `nil` where nothing has to.
    public var remedy: TokenSentence?

    /// A finding of these parts.
    public init(_ rule: TokenRule, _ verdict: Verdict, _ evidence: TokenSentence, advice: TokenSentence? = nil) {
        self.rule = rule
        self.verdict = verdict
        sentence = evidence
        remedy = advice
    }
}

/// A token held against every rule: what it says, what is right and what is wrong about it.
public struct TokenInspection: Sendable {
    /// What a token is held against.
    public struct Expectations: Sendable {
        /// The trip or vehicle that it should be for; `nil` leaves that unchecked.
        public var context: AuthorizationContext?
        /// The Google Cloud project whose service account should have signed it; `nil` leaves that unchecked.
        public var providerID: String?
        /// What `aud` has to be.
        public var audience: String
        /// Whether wildcards are right, as for a server.
        public var isForServer: Bool

        /// What is known about how the token should be.
        public init(
            context: AuthorizationContext? = nil,
            providerID: String? = nil,
            audience: String = TokenExpectations.fleetEngineAudience,
            isForServer: Bool = false
        ) {
            self.context = context
            self.providerID = providerID
            self.audience = audience
            self.isForServer = isForServer
        }
    }

    /// What the token says; `nil` if it can't be read.
    public let claims: TokenClaims?
    /// Every rule that could be looked at, in the order in which they are best read.
    public internal(set) var findings: [TokenFinding]
    /// The signed text, for the check of the signature; never shown.
    package let text: SecretBytes

    /// Whether no rule is broken.
    public var isFaultless: Bool { !findings.contains { $0.verdict == .broken } }

    /// The rule that explains why a service refused the token with a status: the first broken one, else the first in doubt.
    ///
    /// A 403 comes from a token that the service could read and whose signature is right.
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

    /// Holds a text against the rules at a time.
    ///
    /// White space and quotes around it and `Authorization: Bearer` in front are taken off, as they come with copying.
    public static func inspect(_ text: String, _ expectations: Expectations, now: Date) -> TokenInspection {
        let token = bare(text)
        let shape = TokenShape(token)
        guard let claims = shape.claims else {
            return TokenInspection(claims: nil, findings: shape.findings, text: SecretBytes(token))
        }
        let words = TokenRuleBook(claims: claims, expectations: expectations, now: now)
        return TokenInspection(claims: claims, findings: shape.findings + words.findings, text: SecretBytes(token))
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
    /// How many rules were looked at and how many are broken; never the token.
    public var description: String {
        "<inspection: \(findings.count) rules, \(findings.count { $0.verdict == .broken }) broken>"
    }
    /// The description, and nothing behind it.
    public var customMirror: Mirror { Mirror(self, children: ["inspection": description]) }
}
