package import Failures
package import FleetTokens
import JWTKit
import Runtime

extension TokenInspection {
    /// Returns the inspection with the signature checked against an RSA public key or a certificate in PEM.
    ///
    /// A missing, truncated or misspelled signature retains its finding, because it cannot match any key.
    ///
    /// - Throws: ``Failures/Failure/badKey(reason:)`` for an invalid key.
    package func checkingSignature(publicKeyPEM pem: String) async throws(Failure) -> TokenInspection {
        guard hasSignature else { return self }
        guard !isBroken(.shape) else { return replacing(.malformedSignature) }
        return replacing(.signature(matchesPublicKey: try await isSigned(by: pem)))
    }

    /// Returns the inspection with the signature checked against the issuer's published certificates.
    ///
    /// If they are not available, the signature remains unchecked with the reason, because that is not a fault of the token.
    package func checkingSignature(_ certificates: IssuerCertificates) async -> TokenInspection {
        guard hasSignature, let claims, let issuer = claims.issuer, claims.algorithm?.hasPrefix("RS") == true else {
            return self
        }
        guard !isBroken(.shape) else { return replacing(.malformedSignature) }
        var inspection = self
        inspection.certificatesURL = certificates.template
        let keys: [String: String]
        do throws(IssuerCertificates.Unavailable) {
            keys = try await certificates.certificates(of: issuer)
        } catch {
            return error.finding.map(inspection.replacing) ?? inspection
        }
        var owner: String?
        // Try the key in `kid` first. A match with another key shows what to change.
        let others = keys.keys.filter { $0 != claims.keyID }.sorted()
        for id in [claims.keyID].compactMap(\.self) + others where owner == nil {
            // Certificates with other types of keys cannot have signed this token.
            if let pem = keys[id], (try? await isSigned(by: pem)) == true { owner = id }
        }
        if let keyID = claims.keyID, keys[keyID] == nil {
            inspection = inspection.replacing(.unknownKey(keyID, issuer: issuer, known: keys.keys))
        }
        return inspection.replacing(.signature(of: owner, named: claims.keyID, issuer: issuer))
    }

    /// Whether the token is readable and has a complete signature.
    private var hasSignature: Bool { claims != nil && !isBroken(.signature) }

    private func isBroken(_ rule: TokenRule) -> Bool {
        findings.contains { $0.rule == rule && $0.verdict == .broken }
    }

    /// Returns the inspection with the finding of one rule replaced; a readable token has one of each.
    private func replacing(_ finding: TokenFinding) -> TokenInspection {
        var inspection = self
        inspection.findings = findings.map { $0.rule == finding.rule ? finding : $0 }
        return inspection
    }

    /// Returns whether the signature matches a public key or a certificate in PEM.
    private func isSigned(by pem: String) async throws(Failure) -> Bool {
        let key: Insecure.RSA.PublicKey
        do {
            let isCertificate = pem.contains("BEGIN CERTIFICATE")
            key = try isCertificate ? .init(certificatePEM: pem) : .init(pem: pem)
        } catch {
            throw .badKey(reason: "this is no RSA public key or certificate in PEM")
        }
        let keys = JWTKeyCollection()
        // Use the algorithm's digest, so that a valid signature of an unsupported algorithm is not reported as invalid.
        let digests = ["RS384": DigestAlgorithm.sha384, "RS512": .sha512]
        await keys.add(rsa: key, digestAlgorithm: digests[claims?.algorithm ?? ""] ?? .sha256)
        do {
            _ = try await keys.verify(text.text, as: AnyClaims.self)
            return true
        } catch {
            // The claims were already parsed, so the only possible error is the signature.
            return false
        }
    }

    /// Accepts all claims, because they are checked separately.
    private struct AnyClaims: JWTPayload {
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {}
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }
}

extension TokenFinding {
    /// The token has an invalid encoding, so its signature cannot be checked.
    package static let malformedSignature = unchecked(.signature, .verdictMisspelt)

    /// The signature matches the given public key, or it does not.
    package static func signature(matchesPublicKey: Bool) -> Self {
        matchesPublicKey
            ? satisfied(.signature, .verdictPublicKey) : broken(.signature, .verdictNotPublicKey, .remedyPublicKey)
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
            ? satisfied(.signature, .verdictKeyOfIssuer, values)
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
