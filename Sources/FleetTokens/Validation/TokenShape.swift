/// Checks whether a text has the format of a JWT and reports encoding errors; reads as much as possible despite errors.
struct TokenShape {
    private(set) var claims: TokenClaims?
    private(set) var findings: [TokenFinding] = []

    init(_ token: String) {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard token.utf8.count <= TokenClaims.maximumBytes else {
            fail("It has \(token.utf8.count) bytes; no token is that long.", "Look at what was copied.")
            return
        }
        if let kind = CredentialKind(token) {
            switch kind {
            case .oauthAccessToken:
                fail(
                    "It is an OAuth access token (ya29.…), not a signed JWT.",
                    "Sign a JWT with a service account's key."
                )
            case .apiKey:
                fail("It is an API key (AIza…), not a signed JWT.", "Sign a JWT with a service account's key.")
            case .sessionCookie:
                fail("It is a session cookie, not a signed JWT.", "Sign a JWT with a service account's key.")
            case .idToken: break
            }
            if !findings.isEmpty { return }
        }
        guard parts.count == 3 else {
            fail(
                "It is not a JWT: that has three parts, and this has \(parts.count).",
                "Take the whole token, from eyJ to the end of the signature; an OAuth access token won't do."
            )
            return
        }
        for (part, name) in zip(parts, ["header", "payload", "signature"]) where findings.isEmpty {
            look(at: part, name)
        }
        do throws(TokenFault) {
            claims = try TokenClaims(token: Base64URL.respelt(token))
            if findings.isEmpty { findings = [TokenFinding(.shape, .kept, "It is a JWT of three parts.")] }
        } catch {
            guard findings.isEmpty else { return }
            fail("Header or payload is not a JSON object.", "Look for characters lost or added by copying.")
        }
    }

    private mutating func look(at part: Substring.UTF8View, _ name: String) {
        if part.contains(UInt8(ascii: "=")) {
            fail("The \(name) is padded with “=”.", "Encode with base64url without padding.")
        } else if part.contains(UInt8(ascii: "+")) || part.contains(UInt8(ascii: "/")) {
            fail("The \(name) is plain base64 with + or /.", "Encode with base64url, which has - and _.")
        } else if Base64URL.decode(part) == nil {
            fail("The \(name) is not base64url.", "Look for characters lost or added by copying.")
        }
    }

    private mutating func fail(_ evidence: TokenSentence, _ advice: TokenSentence) {
        findings = [TokenFinding(.shape, .broken, evidence, advice: advice)]
    }
}
