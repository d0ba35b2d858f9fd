package import Failures
import FleetTokens
import Runtime

extension TokenFinding {
    /// The token has an invalid encoding, so its signature cannot be checked.
    package static let malformedSignature = unchecked(.signature, .verdictMisspelt)

    /// The signature matches the given public key, or it does not.
    package static func signature(matchesPublicKey: Bool) -> Self {
        matchesPublicKey
            ? kept(.signature, .verdictPublicKey) : broken(.signature, .verdictNotPublicKey, .remedyPublicKey)
    }

    /// The host provided no certificates.
    package static func noCertificates(host: String, reason: String) -> Self {
        unchecked(.signature, .verdictNoCertificates, ["host": .text(host), "reason": .text(reason)])
    }

    /// The host has no certificates of the issuer.
    package static func noSuchAccount(host: String, issuer: String) -> Self {
        unchecked(.signature, .verdictNoAccount, ["host": .text(host), "issuer": .quoted(issuer)], .remedyAccount)
    }

    /// The signature matches a key of the issuer, or none of them (`nil`); `named` is the key in `kid`.
    package static func signature(of key: String?, named: String?, issuer: String) -> Self {
        var values: Values = ["issuer": .quoted(issuer)]
        values["key"] = (key ?? named).map { .quoted($0) }
        guard key != nil else {
            let verdict: Key = named == nil ? .verdictNoKeyOfIssuer : .verdictNotNamedKey
            return broken(.signature, verdict, values, .remedyNamedKey)
        }
        return named == nil || named == key
            ? kept(.signature, .verdictKeyOfIssuer, values)
            : broken(.signature, .verdictOtherKeyOfIssuer, values, .remedyOwnKeyID)
    }

    /// The key in `kid` matches no certificate of the issuer.
    package static func unknownKey(_ key: String, issuer: String, known: some Sequence<String>) -> Self {
        let known = TokenSentence.Value.quoted(known.sorted().prefix(12))
        return broken(
            .keyID,
            .verdictUnknownKey,
            ["key": .quoted(key), "issuer": .quoted(issuer), "known": known],
            .remedyKnownKey
        )
    }
}
