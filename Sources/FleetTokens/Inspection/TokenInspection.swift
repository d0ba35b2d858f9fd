package import Failures
package import Foundation
package import Runtime
import TripModel

/// The results of all rules for one token.
package struct TokenInspection: Sendable {
    /// The expected properties of a token.
    package struct Expectations: Sendable {
        /// The expected trip or vehicle; `nil` skips the check.
        package var context: AuthorizationContext?
        /// The Google Cloud project whose service account should have signed it; `nil` skips the check.
        package var providerID: String?
        /// The expected `aud`.
        package var audience: String
        /// Whether wildcards are expected, as in a server's token.
        package var isForServer: Bool
        /// Whether the source says that it is an OAuth access token, which Fleet Engine accepts from servers.
        package var isAccessToken = false
        /// The expiry of an access token; `nil` if it is unknown.
        package var accessTokenEnd: Date?

        /// Creates expectations.
        package init(
            context: AuthorizationContext? = nil,
            providerID: String? = nil,
            audience: String = TokenExpectations.fleetEngineAudience,
            isForServer: Bool = false
        ) {
            // A server token is for no single trip or vehicle.
            self.context = context == .server ? nil : context
            self.providerID = providerID
            self.audience = audience
            self.isForServer = isForServer || context == .server
        }
    }

    /// The claims of the token; `nil` if it cannot be read.
    package let claims: TokenClaims?
    /// The form around the token in which it can't be sent; `nil` for none.
    package let form: TokenForm?
    /// The findings of all applicable rules, in display order.
    package var findings: [TokenFinding]
    /// The URL of the certificates that were requested for the signature check, with `{email}`; `nil` if none were.
    package var certificatesURL: String?
    /// The signed text, for the signature check only; never print it.
    package let text: SecretBytes

    /// Whether no rule is violated.
    package var isFaultless: Bool { !findings.contains { $0.verdict == .broken } }

    /// Returns the rule that explains why a service refused the token.
    package func explanation(ofRefusalWith status: Int) -> TokenFinding? { findings.explanation(ofRefusalWith: status) }

    /// Checks a text against all rules at a time.
    ///
    /// Surrounding white space and quotation marks and a leading `Authorization: Bearer` are removed, because they are often
    /// copied along.
    package static func inspect(_ text: String, _ expectations: Expectations, now: Date) -> TokenInspection {
        let (token, form) = bare(text)
        if expectations.isAccessToken || expectations.isForServer && CredentialKind(token) == .oauthAccessToken {
            let findings = TokenFinding.ofAccessToken(until: expectations.accessTokenEnd, now: now)
            return TokenInspection(claims: nil, form: form, findings: findings, text: SecretBytes(token))
        }
        let (shape, claims) = shape(of: token)
        let others = claims.map { TokenRules(claims: $0, expectations: expectations, now: now).findings }
        let first = form == nil ? shape : .broken(.shape, .verdictWrapped, .remedyBareToken)
        return TokenInspection(
            claims: claims,
            form: form,
            findings: [first] + (others ?? []),
            text: SecretBytes(token)
        )
    }

    /// Checks a token of a provider against all rules at a time.
    package static func inspect(_ token: BearerToken, _ expectations: Expectations, now: Date) -> TokenInspection {
        var expectations = expectations
        expectations.isAccessToken = token.properties.isAccessToken
        expectations.accessTokenEnd = token.properties.isAccessToken ? token.expiresAt : nil
        return inspect(token.revealed, expectations, now: now)
    }

    /// Returns the token in a text, and the form in which it can't be sent; `nil` for none.
    private static func bare(_ text: String) -> (token: String, form: TokenForm?) {
        let padding = CharacterSet.whitespacesAndNewlines.union(CharacterSet(charactersIn: "\"'\u{FEFF}"))
        if let (forms, token) = TokenForm.unwrap(text.trimmingCharacters(in: padding)) {
            return (token, forms.first { $0 != .bearer })
        }
        var token = text.trimmingCharacters(in: padding)
        for prefix in ["authorization:", "bearer "] where token.lowercased().hasPrefix(prefix) {
            token = token.dropFirst(prefix.count).trimmingCharacters(in: padding)
        }
        return (token, nil)
    }
}

extension TokenInspection {
    /// Checks whether a text has the format of a JWT; reads the claims despite encoding errors, if possible.
    private static func shape(of token: String) -> (TokenFinding, TokenClaims?) {
        guard token.utf8.count <= TokenClaims.maximumBytes else {
            let values = ["bytes": TokenSentence.Value.text(String(token.utf8.count))]
            return (.broken(.shape, .verdictTooLong, values, .remedyLookAtCopy), nil)
        }
        switch CredentialKind(token) {
        case .oauthAccessToken: return (.broken(.shape, .verdictOAuthToken, .remedySignJWT), nil)
        case .apiKey: return (.broken(.shape, .verdictAPIKey, .remedySignJWT), nil)
        case .sessionCookie: return (.broken(.shape, .verdictSessionCookie, .remedySignJWT), nil)
        case .idToken, .firebaseCustomToken, .oauthAssertion, nil: break
        }
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            let values = ["parts": TokenSentence.Value.text(String(parts.count))]
            return (.broken(.shape, .verdictPartCount, values, .remedyWholeToken), nil)
        }
        var finding: TokenFinding?
        for (part, name) in zip(parts, ["header", "payload", "signature"]) where finding == nil {
            let values = ["part": TokenSentence.Value.text(name)]
            if part.contains(UInt8(ascii: "=")) {
                finding = .broken(.shape, .verdictPadded, values, .remedyNoPadding)
            } else if part.contains(UInt8(ascii: "+")) || part.contains(UInt8(ascii: "/")) {
                finding = .broken(.shape, .verdictPlainBase64, values, .remedyBase64URL)
            } else if Base64URL.decode(part) == nil {
                finding = .broken(.shape, .verdictNotBase64URL, values, .remedyLostCharacters)
            }
        }
        do throws(Failure) {
            let claims = try TokenClaims(token: Base64URL.normalized(token))
            return (finding ?? .satisfied(.shape, .verdictThreeParts), claims)
        } catch {
            return (finding ?? .broken(.shape, .verdictNotJSON, .remedyLostCharacters), nil)
        }
    }

    /// The header, if it is a JSON object in base64 or base64url.
    package var header: JSONValue? { part(0) }

    /// The claims, if they are a JSON object in base64 or base64url.
    package var payload: JSONValue? { part(1) }

    /// The first eight hexadecimal digits of the token's SHA-256.
    package var fingerprint: String { tokenFingerprint(of: text.text) }

    /// Returns one of the first two parts; the third part, the signature, is never exposed.
    private func part(_ index: Int) -> JSONValue? {
        let token = Base64URL.normalized(text.text).utf8
        let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, text.count <= TokenClaims.maximumBytes else { return nil }
        return Base64URL.object(in: parts[index])
    }
}

extension TokenInspection {
    /// Returns why a provider would reject the token for a trip or vehicle; `nil` if it would accept it.
    ///
    /// Without a context, the first subject in the token is used.
    package func fault(for context: AuthorizationContext?, at now: Moment) -> Failure? {
        if let form { return .tokenWrapped(form) }
        // A claim that is not a valid ID names nothing that a token could be for.
        let own = claims?.ids.lazy.compactMap { try? AuthorizationContext($0.kind, $0.id) }.first
        let admission = TokenAdmission(expectations: TokenExpectations(), policy: .standard)
        // A token without such a claim is rejected for that reason, whatever the context is. "x" is a valid ID.
        guard let context = context ?? own ?? (try? AuthorizationContext.trip(TripID("x"))) else { return nil }
        do throws(Failure) {
            _ = try admission.admit(IssuedToken(text.text), for: context, sentAt: now, receivedAt: now)
            return nil
        } catch {
            return error
        }
    }
}

extension TokenInspection: Redacted {
    /// The number of checked and violated rules, without the token.
    package var description: String {
        "<inspection: \(findings.count) rules, \(findings.count { $0.verdict == .broken }) broken>"
    }
}

/// What can be said about an OAuth access token: it has no claims, and only its issuer knows whether it is still valid.
extension TokenFinding {
    /// Returns the findings about an access token with an expiry; `nil` if that is unknown.
    static func ofAccessToken(until end: Date?, now: Date) -> [TokenFinding] {
        let kind = unchecked(.shape, .verdictAccessToken)
        guard let end else { return [kind] }
        let left = end.timeIntervalSince(now)
        let expiry: TokenFinding =
            left > 0
            ? .satisfied(.expiry, .verdictValid, ["duration": .span(left)])
            : .broken(.expiry, .verdictExpired, ["duration": .span(-left)], .remedyNewerToken)
        return [kind, expiry]
    }
}
