/// Checks whether a text has the format of a JWT and reports encoding errors; reads as much as possible despite errors.
struct TokenShape {
    private(set) var claims: TokenClaims?
    private(set) var findings: [TokenFinding] = []

    init(_ token: String) {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard token.utf8.count <= TokenClaims.maximumBytes else {
            fail(
                TokenSentence(.verdictTooLong, ["bytes": .text(String(token.utf8.count))]),
                TokenSentence(.remedyLookAtCopy)
            )
            return
        }
        if let kind = CredentialKind(token) {
            switch kind {
            case .oauthAccessToken:
                fail(
                    TokenSentence(.verdictOAuthToken),
                    TokenSentence(.remedySignJWT)
                )
            case .apiKey:
                fail(TokenSentence(.verdictAPIKey), TokenSentence(.remedySignJWT))
            case .sessionCookie:
                fail(TokenSentence(.verdictSessionCookie), TokenSentence(.remedySignJWT))
            case .idToken: break
            }
            if !findings.isEmpty { return }
        }
        guard parts.count == 3 else {
            fail(
                TokenSentence(.verdictPartCount, ["parts": .text(String(parts.count))]),
                TokenSentence(.remedyWholeToken)
            )
            return
        }
        for (part, name) in zip(parts, ["header", "payload", "signature"]) where findings.isEmpty {
            look(at: part, name)
        }
        do throws(TokenFault) {
            claims = try TokenClaims(token: Base64URL.normalized(token))
            if findings.isEmpty { findings = [TokenFinding(.shape, .kept, TokenSentence(.verdictThreeParts))] }
        } catch {
            guard findings.isEmpty else { return }
            fail(TokenSentence(.verdictNotJSON), TokenSentence(.remedyLostCharacters))
        }
    }

    private mutating func look(at part: Substring.UTF8View, _ name: String) {
        if part.contains(UInt8(ascii: "=")) {
            fail(TokenSentence(.verdictPadded, ["part": .text(name)]), TokenSentence(.remedyNoPadding))
        } else if part.contains(UInt8(ascii: "+")) || part.contains(UInt8(ascii: "/")) {
            fail(TokenSentence(.verdictPlainBase64, ["part": .text(name)]), TokenSentence(.remedyBase64URL))
        } else if Base64URL.decode(part) == nil {
            fail(TokenSentence(.verdictNotBase64URL, ["part": .text(name)]), TokenSentence(.remedyLostCharacters))
        }
    }

    private mutating func fail(_ evidence: TokenSentence, _ advice: TokenSentence) {
        findings = [TokenFinding(.shape, .broken, evidence, advice: advice)]
    }
}
