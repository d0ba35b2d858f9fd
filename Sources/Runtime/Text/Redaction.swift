import Foundation

extension String {
    /// The text with known secrets (``KnownSecrets``) and everything that may be a token replaced by `<token>`.
    ///
    /// A server may repeat the request, including the token, in its error message. A JWT is recognized by its first letters
    /// `eyJ`, the encoded start of a JSON object. Other tokens are recognized by a preceding `Bearer`. A signature is
    /// recognized by its length: no ID or word has 200 letters.
    ///
    /// User and password in a URL are removed, too, see `URLLogins`. For a text that is a single URL, ``asShownURL`` is more
    /// precise.
    package var withoutTokens: String { KnownSecrets.ofProcess.redacted(self).withoutTokenShapes }

    private var withoutTokenShapes: String {
        let bytes = Array(utf8)
        guard SecretSigns(bytes).contains(.tokens) else { return self }
        let shown = URLLogins.removed(from: bytes)
        let redacted = SecretWords.withoutTokens(shown ?? bytes) ?? shown
        return redacted.map { String(decoding: $0, as: UTF8.self) } ?? self
    }

    /// The text of a single URL without possible passwords and keys: removes everything up to the last `@` after the scheme,
    /// unless it is in the path or the query, and the query.
    ///
    /// A text that is no URL may be a secret in the wrong place: it is hidden if it has line breaks or resembles a key.
    package var asShownURL: String {
        if !contains("://"), contains(where: \.isNewline) || withoutPossibleSecrets != self { return "<hidden>" }
        var shown = self
        if let at = lastIndex(of: "@"), !URLLogins.isInPath(utf8.distance(from: startIndex, to: at), of: Array(utf8)) {
            let scheme = prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\//)?.output ?? ""
            shown = scheme + "<hidden>" + self[at...]
        }
        guard let query = shown.firstIndex(of: "?") else { return shown }
        return shown[..<query] + "?…"
    }
}

/// Redaction of answers of token endpoints, which contain tokens that this process has not stored yet.
extension String {
    /// The text with every word that may be a token or a key replaced by `<token>`; stricter than ``withoutTokens``.
    ///
    /// NUL characters are removed: in UTF-16 that was decoded as UTF-8, they are between the letters. If a token was split by
    /// other characters, such as line breaks, `<token>` replaces the whole text.
    package var withoutPossibleSecrets: String {
        let bytes = Array(utf8)
        guard SecretSigns(bytes).contains(.possibleSecrets) else { return self }
        guard !bytes.contains(0) else {
            return String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self).withoutPossibleSecrets
        }
        let redacted = SecretWords.withoutPossibleSecrets(bytes)
        if SecretWords.isScattered(in: redacted ?? bytes) { return "<token>" }
        return redacted.map { String(decoding: $0, as: UTF8.self) } ?? self
    }
}

/// Redaction of texts that are stored as evidence.
extension String {
    /// The text without secret values, tokens and possible secrets, and with visible control characters.
    ///
    /// Most texts have none of them. They are recognized in one pass over their bytes and a search for known secrets.
    package var withoutSecrets: String {
        let bytes = Array(utf8)
        let signs = SecretSigns(bytes)
        if signs.isSubset(of: .values), !KnownSecrets.ofProcess.occur(in: bytes),
            signs.isEmpty || SecretValues.removed(from: bytes) == nil
        {
            return self
        }
        return withoutSecretValues.withoutTokens.withoutPossibleSecrets.withVisibleControls
    }
}
