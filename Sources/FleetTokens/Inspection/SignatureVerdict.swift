/// The result of a signature check and its text.
package enum SignatureVerdict: Sendable, Equatable {
    /// The token has an invalid encoding, so its signature cannot be checked.
    case malformed
    /// The signature matches the given public key.
    case belongsToPublicKey
    /// The signature does not match the given public key.
    case anotherThanPublicKey
    /// The host provided no certificates.
    case notAvailable(host: String, reason: String)
    /// The host has no certificates of the issuer.
    case noSuchAccount(host: String, issuer: String)
    /// The signature matches a key of the issuer; it is the key in `kid` if there is a `kid`.
    case belongs(key: String, issuer: String)
    /// The signature matches a key of the issuer other than the one in `kid`.
    case anotherThanNamed(key: String, issuer: String)
    /// The signature matches no key of the issuer.
    case noneOfIssuer(named: String?, issuer: String)

    /// The finding about the signature.
    package var finding: TokenFinding {
        switch self {
        case .malformed: .unchecked(TokenSentence(.verdictMisspelt))
        case .belongsToPublicKey: .kept(TokenSentence(.verdictPublicKey))
        case .anotherThanPublicKey:
            .broken(
                TokenSentence(.verdictNotPublicKey),
                TokenSentence(.remedyPublicKey)
            )
        case .notAvailable(let host, let reason):
            .unchecked(TokenSentence(.verdictNoCertificates, ["host": .text(host), "reason": .text(reason)]))
        case .noSuchAccount(let host, let issuer):
            .unchecked(
                TokenSentence(.verdictNoAccount, ["host": .text(host), "issuer": .text(Self.quoted(issuer))]),
                TokenSentence(.remedyAccount)
            )
        case .belongs(let key, let issuer):
            .kept(
                TokenSentence(
                    .verdictKeyOfIssuer,
                    ["key": .text(Self.quoted(key)), "issuer": .text(Self.quoted(issuer))]
                )
            )
        case .anotherThanNamed(let key, let issuer):
            .broken(
                TokenSentence(
                    .verdictOtherKeyOfIssuer,
                    ["key": .text(Self.quoted(key)), "issuer": .text(Self.quoted(issuer))]
                ),
                TokenSentence(.remedyOwnKeyID)
            )
        case .noneOfIssuer(let named?, let issuer):
            .broken(
                TokenSentence(
                    .verdictNotNamedKey,
                    ["key": .text(Self.quoted(named)), "issuer": .text(Self.quoted(issuer))]
                ),
                Self.useNamedKey
            )
        case .noneOfIssuer(nil, let issuer):
            .broken(TokenSentence(.verdictNoKeyOfIssuer, ["issuer": .text(Self.quoted(issuer))]), Self.useNamedKey)
        }
    }

    /// The finding about a `kid` that matches no certificate of the issuer.
    package static func unknownKey(_ key: String, issuer: String, known: [String]) -> TokenFinding {
        let list = known.sorted().prefix(12).map(quoted).joined(separator: ", ")
        return TokenFinding(
            .keyID,
            .broken,
            TokenSentence(
                .verdictUnknownKey,
                ["key": .text(quoted(key)), "issuer": .text(quoted(issuer)), "known": .text(list)]
            ),
            advice: TokenSentence(.remedyKnownKey)
        )
    }

    private static let useNamedKey = TokenSentence(.remedyNamedKey)

    /// Returns untrusted text in quotation marks, truncated after 120 characters.
    private static func quoted(_ text: String) -> String { "“\(text.prefix(120))\(text.count > 120 ? "…" : "")”" }
}

extension TokenFinding {
    fileprivate static func kept(_ evidence: TokenSentence) -> Self { Self(.signature, .kept, evidence) }

    fileprivate static func broken(_ evidence: TokenSentence, _ advice: TokenSentence) -> Self {
        Self(.signature, .broken, evidence, advice: advice)
    }

    fileprivate static func unchecked(_ evidence: TokenSentence, _ advice: TokenSentence? = nil) -> Self {
        Self(.signature, .unchecked, evidence, advice: advice)
    }
}
