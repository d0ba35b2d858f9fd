import JWTKit

extension TokenInspection {
    /// Returns the inspection with the signature checked against an RSA public key or a certificate in PEM.
    ///
    /// A missing, truncated or misspelled signature keeps its finding, because it cannot match any key.
    ///
    /// - Throws: ``TokenSourceError/badKey(reason:)`` for an invalid key.
    public func checkingSignature(publicKeyPEM pem: String) async throws(TokenSourceError) -> TokenInspection {
        guard hasSignature else { return self }
        guard !isBroken(.shape) else { return replacing(.malformed) }
        return replacing(try await isSigned(by: pem) ? .belongsToPublicKey : .anotherThanPublicKey)
    }

    /// Returns the inspection with the signature checked against the issuer's published certificates.
    ///
    /// If they are not available, the signature remains unchecked with the reason, because that is not a fault of the token.
    public func checkingSignature(_ certificates: IssuerCertificates) async -> TokenInspection {
        guard hasSignature, let claims, let issuer = claims.issuer, claims.algorithm?.hasPrefix("RS") == true else {
            return self
        }
        guard !isBroken(.shape) else { return replacing(.malformed) }
        let host = certificates.host
        switch await certificates.certificates(of: issuer) {
        case .notAnAccount: return self
        case .notAvailable(let reason): return replacing(.notAvailable(host: host, reason: reason))
        case .noSuchAccount: return replacing(.noSuchAccount(host: host, issuer: issuer))
        case .published(let keys): return await checking(claims.keyID, against: keys, of: issuer)
        }
    }

    private func checking(
        _ keyID: String?,
        against keys: [String: String],
        of issuer: String
    ) async -> TokenInspection {
        var owner: String?
        // Try the key in `kid` first. A match with another key shows what to change.
        let others = keys.keys.filter { $0 != keyID }.sorted()
        for id in [keyID].compactMap(\.self) + others where owner == nil {
            // Certificates with other types of keys cannot have signed this token.
            if let pem = keys[id], (try? await isSigned(by: pem)) == true { owner = id }
        }
        var inspection = self
        if let keyID, keys[keyID] == nil {
            inspection = replacing(SignatureVerdict.unknownKey(keyID, issuer: issuer, known: Array(keys.keys)))
        }
        guard let owner else { return inspection.replacing(.noneOfIssuer(named: keyID, issuer: issuer)) }
        return keyID == nil || keyID == owner
            ? inspection.replacing(.belongs(key: owner, issuer: issuer))
            : inspection.replacing(.anotherThanNamed(key: owner, issuer: issuer))
    }

    /// Whether the token is readable and has a complete signature.
    private var hasSignature: Bool { claims != nil && !isBroken(.signature) }

    private func isBroken(_ rule: TokenRule) -> Bool {
        findings.contains { $0.rule == rule && $0.verdict == .broken }
    }

    private func replacing(_ verdict: SignatureVerdict) -> TokenInspection { replacing(verdict.finding) }

    /// Returns the inspection with the finding of one rule replaced; a readable token has one of each.
    private func replacing(_ finding: TokenFinding) -> TokenInspection {
        var inspection = self
        inspection.findings = findings.map { $0.rule == finding.rule ? finding : $0 }
        return inspection
    }

    /// Returns whether the signature matches a public key or a certificate in PEM.
    private func isSigned(by pem: String) async throws(TokenSourceError) -> Bool {
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
