/// The result of a signature check and its text.
package enum SignatureVerdict: Sendable, Equatable {
    /// The token has an invalid encoding, so its signature cannot be checked.
    case misspelt
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
        case .misspelt: .unchecked("There is a signature; a misspelt one can't be checked.")
        case .belongsToPublicKey: .kept("The signature belongs to this public key.")
        case .anotherThanPublicKey:
            .broken(
                "It is signed by another key: the signature does not belong to this public key, or the token was changed after it was signed.",
                "Compare kid with the key's ID; sign with the key that belongs to it."
            )
        case .notAvailable(let host, let reason):
            .unchecked("The signature was not checked: \(host) gave no certificates (\(reason)).")
        case .noSuchAccount(let host, let issuer):
            .unchecked(
                "The signature was not checked: \(host) has no certificates of \(Self.quoted(issuer)).",
                "Compare iss with the service account's e-mail address; the account may have been deleted."
            )
        case .belongs(let key, let issuer):
            .kept("The signature belongs to key \(Self.quoted(key)) of \(Self.quoted(issuer)).")
        case .anotherThanNamed(let key, let issuer):
            .broken(
                "It is signed by another key than kid says: by \(Self.quoted(key)) of \(Self.quoted(issuer)).",
                "Write the ID of the key that signs as kid."
            )
        case .noneOfIssuer(let named?, let issuer):
            .broken(
                "It is signed by another key than \(Self.quoted(named)) of \(Self.quoted(issuer)).",
                Self.useNamedKey
            )
        case .noneOfIssuer(nil, let issuer):
            .broken("It is signed by another key than those of \(Self.quoted(issuer)).", Self.useNamedKey)
        }
    }

    /// The finding about a `kid` that matches no certificate of the issuer.
    package static func unknownKey(_ key: String, issuer: String, known: [String]) -> TokenFinding {
        let list = known.sorted().prefix(12).map(quoted).joined(separator: ", ")
        return TokenFinding(
            .keyID,
            .broken,
            "kid is \(quoted(key)), and \(quoted(issuer)) has no such key; it has \(list).",
            advice: "Sign with one of these keys and write its ID as kid; a key that was deleted needs a successor."
        )
    }

    private static let useNamedKey: TokenSentence =
        "Sign with the private key that kid and iss name, and hand the token on as it was signed."

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
