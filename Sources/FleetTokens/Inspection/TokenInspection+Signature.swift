import JWTKit

extension TokenInspection {
    /// The same inspection with the signature held against an RSA public key or a certificate in PEM.
    ///
    /// One that is missing, cut or misspelt stays just that: no key could make it right.
    ///
    /// - Throws: ``TokenSourceError/badKey(reason:)`` if that is no such key.
    public func checkingSignature(publicKeyPEM pem: String) async throws(TokenSourceError) -> TokenInspection {
        guard hasSignature else { return self }
        guard !isBroken(.shape) else { return replacing(SignatureVerdict.misspelt.finding) }
        let verdict: SignatureVerdict = try await isSigned(by: pem) ? .belongsToPublicKey : .anotherThanPublicKey
        return replacing(verdict.finding)
    }

    /// The same inspection with the signature held against the certificates that are published for the issuer.
    ///
    /// Where these can't be had the signature stays unchecked, with the reason: that is no fault of the token.
    public func checkingSignature(_ certificates: IssuerCertificates) async -> TokenInspection {
        guard hasSignature, let claims, let issuer = claims.issuer, claims.algorithm?.hasPrefix("RS") == true else {
            return self
        }
        guard !isBroken(.shape) else { return replacing(SignatureVerdict.misspelt.finding) }
        switch await certificates.certificates(of: issuer) {
        case .notAnAccount: return self
        case .notAvailable(let reason):
            return replacing(SignatureVerdict.notAvailable(host: certificates.host, reason: reason).finding)
        case .noSuchAccount:
            return replacing(SignatureVerdict.noSuchAccount(host: certificates.host, issuer: issuer).finding)
        case .published(let keys):
            return await checking(claims.keyID, against: keys, of: issuer)
        }
    }

    private func checking(
        _ keyID: String?,
        against keys: [String: String],
        of issuer: String
    ) async -> TokenInspection {
        var owner: String?
        // The key that is named comes first; whether another one signed it tells what to change.
        let others = keys.keys.filter { $0 != keyID }.sorted()
        for id in [keyID].compactMap(\.self) + others where owner == nil {
            guard let pem = keys[id] else { continue }
            do { if try await isSigned(by: pem) { owner = id } } catch {
                // A certificate of another kind of key signed no token of ours.
                continue
            }
        }
        var inspection = self
        if let keyID, keys[keyID] == nil {
            inspection = replacing(SignatureVerdict.unknownKey(keyID, issuer: issuer, known: Array(keys.keys)))
        }
        guard let owner else {
            return inspection.replacing(SignatureVerdict.noneOfIssuer(named: keyID, issuer: issuer).finding)
        }
        let isNamed = keyID == nil || keyID == owner
        let verdict: SignatureVerdict =
            isNamed ? .belongs(key: owner, issuer: issuer) : .anotherThanNamed(key: owner, issuer: issuer)
        return inspection.replacing(verdict.finding)
    }

    /// Whether there is a whole signature of a token that can be read.
    private var hasSignature: Bool { claims != nil && !isBroken(.signature) }

    private func isBroken(_ rule: TokenRule) -> Bool {
        findings.contains { $0.rule == rule && $0.verdict == .broken }
    }

    /// The same inspection with another finding in the place of the one about its rule.
    private func replacing(_ finding: TokenFinding) -> TokenInspection {
        var inspection = self
        if let index = inspection.findings.firstIndex(where: { $0.rule == finding.rule }) {
            inspection.findings[index] = finding
        } else {
            inspection.findings.append(finding)
        }
        return inspection
    }

    /// Whether the signature belongs to a public key or a certificate in PEM.
    private func isSigned(by pem: String) async throws(TokenSourceError) -> Bool {
        let key: Insecure.RSA.PublicKey
        do {
            let isCertificate = pem.contains("BEGIN CERTIFICATE")
            key = try isCertificate ? .init(certificatePEM: pem) : .init(pem: pem)
        } catch {
            throw .badKey(reason: "this is no RSA public key or certificate in PEM")
        }
        let keys = JWTKeyCollection()
        // Its own digest, so that a right signature of the wrong kind is not taken for a wrong one.
        let digests = ["RS384": DigestAlgorithm.sha384, "RS512": .sha512]
        await keys.add(rsa: key, digestAlgorithm: digests[claims?.algorithm ?? ""] ?? .sha256)
        do {
            _ = try await keys.verify(text.text, as: AnyClaims.self)
            return true
        } catch {
            // Claims were read before, and all that is left to fail is the signature.
            return false
        }
    }

    /// Claims of any kind: they were judged already.
    private struct AnyClaims: JWTPayload {
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {}
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }
}
