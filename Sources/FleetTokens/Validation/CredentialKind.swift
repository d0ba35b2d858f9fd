/// A credential that is often confused with a Fleet Engine token.
package enum CredentialKind: String, Sendable, Hashable, CaseIterable {
    /// A Google OAuth access token, such as `gcloud auth print-access-token` prints.
    case oauthAccessToken = "oauth_access_token"
    /// An OpenID Connect ID token: a JWT about a user or an account, without scopes.
    case idToken = "id_token"
    /// An API key of the Google Cloud console.
    case apiKey = "api_key"
    /// A session cookie.
    case sessionCookie = "session_cookie"
    /// A Firebase custom token: a JWT of a service account with which an app signs in.
    case firebaseCustomToken = "firebase_custom_token"
    /// A JWT of a service account that Google's token endpoint exchanges for an access token.
    case oauthAssertion = "oauth_assertion"

    /// Classifies a text that is not a JWT; `nil` if it is unknown.
    package init?(_ text: String) {
        if text.hasPrefix("ya29.") {
            self = .oauthAccessToken
        } else if text.hasPrefix("AIza"), text.utf8.count == 39 {
            self = .apiKey
        } else if Self.isCookie(text) {
            self = .sessionCookie
        } else {
            return nil
        }
    }

    /// Classifies a JWT; `nil` if it may be a Fleet Engine token.
    package init?(_ claims: TokenClaims) {
        guard !claims.hasAuthorization, let issuer = claims.issuer else { return nil }
        if let kind = claims.audiences.lazy.compactMap({ Self.audiences[$0] }).first {
            self = kind
            return
        }
        if issuer.hasPrefix("https://session.firebase.google.com/") {
            self = .sessionCookie
        } else if Self.idTokenIssuers.contains(where: issuer.hasPrefix) {
            self = .idToken
        } else {
            return nil
        }
    }

    /// Providers of identities have URLs as names, service accounts have addresses.
    private static let idTokenIssuers = ["https://", "accounts.google.com"]

    /// The audiences of other JWTs that a service account signs.
    private static let audiences: [String: CredentialKind] = [
        "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit":
            .firebaseCustomToken,
        "https://oauth2.googleapis.com/token": .oauthAssertion,
        "https://www.googleapis.com/oauth2/v4/token": .oauthAssertion,
        "https://accounts.google.com/o/oauth2/token": .oauthAssertion,
    ]

    /// Returns whether it is a cookie in header syntax or one signed by Express.
    private static func isCookie(_ text: String) -> Bool {
        if text.hasPrefix("s%3A") || text.hasPrefix("s:") { return true }
        // The padding of an incorrectly encoded JWT must not count as the equals sign of a cookie.
        guard !text.hasPrefix("eyJ"), let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            return false
        }
        let name = text[..<equals].lowercased()
        guard name.utf8.count <= 40 else { return false }
        let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        return isName && (text.contains(";") || cookieNames.contains(where: name.contains))
    }

    private static let cookieNames = ["session", "sid", "cookie"]
}
