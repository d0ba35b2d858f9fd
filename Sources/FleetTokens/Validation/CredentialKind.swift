/// A credential that people hand out in place of a token for Fleet Engine.
public enum CredentialKind: String, Sendable, Hashable, CaseIterable {
    /// An access token of Google's OAuth, such as `gcloud auth print-access-token` prints.
    case oauthAccessToken = "oauth_access_token"
    /// An OpenID Connect ID token: a JWT about a person or an account, without scopes.
    case idToken = "id_token"
    /// A key of the Google Cloud console.
    case apiKey = "api_key"
    /// A cookie of a web session.
    case sessionCookie = "session_cookie"

    /// The kind of a text that is no JWT; `nil` for one that is not recognised.
    init?(_ text: String) {
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

    /// The kind of a JWT; `nil` for one that may be a token for Fleet Engine.
    init?(_ claims: TokenClaims) {
        guard !claims.hasAuthorization, let issuer = claims.issuer else { return nil }
        if issuer.hasPrefix("https://session.firebase.google.com/") {
            self = .sessionCookie
        } else if Self.idTokenIssuers.contains(where: issuer.hasPrefix) {
            self = .idToken
        } else {
            return nil
        }
    }

    private static let idTokenIssuers = [
        "https://accounts.google.com", "accounts.google.com", "https://securetoken.google.com/",
    ]

    /// Whether it is a cookie as a header has it, or one that Express has signed.
    private static func isCookie(_ text: String) -> Bool {
        if text.hasPrefix("s%3A") || text.hasPrefix("s:") { return true }
        // The padding of a JWT that is spelt wrong is no equals sign of a cookie.
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
