import JWTKit

extension TokenInspection {
    /// The same inspection with the signature held against an RSA public key or a certificate in PEM.
    ///
    /// One that is missing, cut or misspelt stays just that: no key could make it right.
    ///
    /// - Throws: ``TokenSourceError/badKey(reason:)`` if that is no such key.
    public func checkingSignature(publicKeyPEM pem: String) async throws(TokenSourceError) -> TokenInspection {
        func isBroken(_ rule: TokenRule) -> Bool { findings.contains { $0.rule == rule && $0.verdict == .broken } }
        guard claims != nil, !isBroken(.signature) else { return self }
        guard !isBroken(.shape) else {
            var inspection = self
            inspection.findings.removeAll { $0.rule == .signature }
            inspection.findings.append(
                TokenFinding(.signature, .unchecked, "There is a signature; a misspelt one can't be checked.")
            )
            return inspection
        }
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
        var inspection = self
        inspection.findings.removeAll { $0.rule == .signature }
        do {
            _ = try await keys.verify(text.text, as: AnyClaims.self)
            inspection.findings.append(TokenFinding(.signature, .kept, "The signature belongs to this public key."))
        } catch {
            inspection.findings.append(
                TokenFinding(
                    .signature,
                    .broken,
                    "The signature does not belong to this public key, or the token was changed after it was signed.",
                    advice: "Compare kid with the key's ID; sign with the key that belongs to it."
                )
            )
        }
        return inspection
    }

    /// Claims of any kind: they were judged already.
    private struct AnyClaims: JWTPayload {
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {}
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }
}
