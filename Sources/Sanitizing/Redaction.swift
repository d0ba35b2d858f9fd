extension String {
    /// The text without the secrets of this process (``KnownSecrets``), and with everything that could be a token replaced by
    /// `<token>`.
    ///
    /// A server may repeat the request in its error message, the token included; a JWT is known by its first letters,
    /// `eyJ`, which are the opening of a JSON object, and any other token by the word `Bearer` before it. A signature is known
    /// by its length: no ID and no word has two hundred letters.
    ///
    /// User and password in a URL go too: they stand between `//` and `@`, or the last `@` of a word where a password has
    /// marks that belong to URLs or sentences. Of a text that is one URL, ``asShownURL`` knows more.
    package var withoutTokens: String { KnownSecrets.ofProcess.redacted(self).withoutTokenShapes }

    private var withoutTokenShapes: String {
        guard contains("eyJ") || contains("@") || utf8.count >= Self.signatureLength || lowercased().contains("bearer")
        else { return self }
        return replacing(/:\/\/[^\/\s]+@/, with: "://<user>@").withoutUsers.withoutBearers
    }

    /// A text that was meant to be one URL, without what may be a password or a key: nothing between its scheme and the last
    /// `@`, and no query.
    package var asShownURL: String {
        var shown = self
        if let at = lastIndex(of: "@") {
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
        guard let scheme = word.firstRange(of: "://"), let at = word.lastIndex(of: "@"), at >= scheme.upperBound else {
            return String(word)
        }
        // With a slash in between it may be a host, or half of a password: what it is can't be told.
        let name = word[scheme.upperBound..<at].contains("/") ? "<hidden>" : "<user>"
        return word[..<scheme.upperBound] + name + word[at...]
    }

    private var withoutBearers: String {
        var result = ""
        var word = ""
        var followsBearer = false
        func flushed() -> String {
            let isToken =
                (word.contains("eyJ") && word.count >= 16) || (followsBearer && word.count >= 8)
                || (word.count >= 340 && !word.contains(".") && (word.contains("+") || word.hasSuffix("=")))
                || word.split(whereSeparator: { "./~+=".contains($0) }).contains { $0.count >= Self.signatureLength }
            return isToken ? "<token>" : word
        }
        for character in self {
            if Self.isTokenCharacter(character) {
                word.append(character)
                continue
            }
            result += flushed()
            if !word.isEmpty { followsBearer = word.lowercased() == "bearer" }
            word = ""
            result.append(character)
        }
        return result + flushed()
    }

    /// The letters of base64url that are too many for anything else; an RSA signature has 342.
    private static var signatureLength: Int { 200 }

    private static func isTokenCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-._~+/=".contains(character))
    }
}
