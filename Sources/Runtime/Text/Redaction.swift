import Foundation

extension String {
    /// The text with known secrets (``KnownSecrets``) and everything that may be a token replaced by `<token>`.
    ///
    /// A server may repeat the request, including the token, in its error message. A JWT is recognized by its first letters
    /// `eyJ`, the encoded start of a JSON object. Other tokens are recognized by a preceding `Bearer`. A signature is
    /// recognized by its length: no ID or word has 200 letters.
    ///
    /// User and password in a URL are removed, too. They are between `//` and `@`, or the last `@` of a word if a password
    /// contains special characters. For a text that is a single URL, ``asShownURL`` is more precise.
    package var withoutTokens: String { KnownSecrets.ofProcess.redacted(self).withoutTokenShapes }

    private var withoutTokenShapes: String {
        guard SecretSigns(Array(utf8)).contains(.tokens) else { return self }
        // Regular expressions and words cost much more than a search for the character.
        let shown =
            utf8.contains(UInt8(ascii: "@")) ? replacing(/:\/\/[^\/\s]+@/, with: "://<user>@").withoutUsers : self
        return SecretWords.withoutTokens(Array(shown.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? shown
    }

    /// The text of a single URL without possible passwords and keys: removes everything up to the last `@` after the scheme,
    /// unless it is in the path, and the query.
    ///
    /// A text that is no URL may be a secret in the wrong place: it is hidden if it has line breaks or looks like a key.
    package var asShownURL: String {
        if !contains("://"), contains(where: \.isNewline) || withoutPossibleSecrets != self { return "<hidden>" }
        var shown = self
        if let at = lastIndex(of: "@"), !Self.isInPath(at, of: self[...]) {
            let scheme = prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\//)?.output ?? ""
            shown = scheme + "<hidden>" + self[at...]
        }
        guard let query = shown.firstIndex(of: "?") else { return shown }
        return shown[..<query] + "?…"
    }

    private var withoutUsers: String {
        var result = ""
        var rest = self[...]
        while let end = rest.firstIndex(where: { $0.isWhitespace || "\"<>".contains($0) }) {
            result += Self.withoutUser(rest[..<end])
            result.append(rest[end])
            rest = rest[rest.index(after: end)...]
        }
        return result + Self.withoutUser(rest)
    }

    private static func withoutUser(_ word: Substring) -> String {
        guard let scheme = word.firstRange(of: "://"), let at = word.lastIndex(of: "@"), at >= scheme.upperBound,
            !isInPath(at, of: word)
        else { return String(word) }
        // With a slash before the `@`, the text may be a host or part of a password, so it is hidden.
        let name = word[scheme.upperBound..<at].contains("/") ? "<hidden>" : "<user>"
        return word[..<scheme.upperBound] + name + word[at...]
    }
}

extension String {
    /// Returns whether an `@` belongs to the path of a URL, as in the name of a service account, and not to a login.
    ///
    /// The authority ends with the first slash (RFC 3986, section 3.2). A password may contain one by mistake, so that the part
    /// before it must be the name of a host: with a dot and without a port, or that of this machine.
    fileprivate static func isInPath(_ at: Index, of url: Substring) -> Bool {
        guard let scheme = url.firstRange(of: "://"), let slash = url[scheme.upperBound...].firstIndex(of: "/"),
            slash < at
        else { return false }
        let authority = url[scheme.upperBound..<slash]
        guard authority.utf8.count <= 255 else { return false }
        return authority.wholeMatch(of: /(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?/) != nil
            || authority.wholeMatch(of: /[A-Za-z0-9\-]+(\.[A-Za-z0-9\-]+)*\.[A-Za-z]{2,}/) != nil
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

/// Redaction of texts that are kept as evidence.
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
