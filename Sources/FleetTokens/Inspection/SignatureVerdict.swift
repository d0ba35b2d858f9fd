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
        func key(_ key: String, _ issuer: String) -> TokenFinding.Values {
            ["key": .quoted(key), "issuer": .quoted(issuer)]
        }
        return switch self {
        case .malformed: .unchecked(.signature, .verdictMisspelt)
        case .belongsToPublicKey: .kept(.signature, .verdictPublicKey)
        case .anotherThanPublicKey: .broken(.signature, .verdictNotPublicKey, .remedyPublicKey)
        case .notAvailable(let host, let reason):
            .unchecked(.signature, .verdictNoCertificates, ["host": .text(host), "reason": .text(reason)])
        case .noSuchAccount(let host, let issuer):
            .unchecked(
                .signature,
                .verdictNoAccount,
                ["host": .text(host), "issuer": .quoted(issuer)],
                .remedyAccount
            )
        case .belongs(let id, let issuer): .kept(.signature, .verdictKeyOfIssuer, key(id, issuer))
        case .anotherThanNamed(let id, let issuer):
            .broken(.signature, .verdictOtherKeyOfIssuer, key(id, issuer), .remedyOwnKeyID)
        case .noneOfIssuer(let id?, let issuer):
            .broken(.signature, .verdictNotNamedKey, key(id, issuer), .remedyNamedKey)
        case .noneOfIssuer(nil, let issuer):
            .broken(.signature, .verdictNoKeyOfIssuer, ["issuer": .quoted(issuer)], .remedyNamedKey)
        }
    }

    /// The finding about a `kid` that matches no certificate of the issuer.
    package static func unknownKey(_ key: String, issuer: String, known: [String]) -> TokenFinding {
        let known = TokenSentence.Value.quoted(known.sorted().prefix(12))
        let values = ["key": .quoted(key), "issuer": .quoted(issuer), "known": known]
        return .broken(.keyID, .verdictUnknownKey, values, .remedyKnownKey)
    }
}
