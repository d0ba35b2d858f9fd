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
        guard contains("eyJ") || contains("@") || utf8.count >= Self.signatureLength || lowercased().contains("bearer")
        else { return self }
        return replacing(/:\/\/[^\/\s]+@/, with: "://<user>@").withoutUsers.withoutBearers
    }

    /// The text of a single URL without possible passwords and keys: removes everything up to the last `@` after the scheme,
    /// and the query.
    ///
    /// A text that is no URL may be a secret in the wrong place: it is hidden if it has line breaks or looks like a key.
    package var asShownURL: String {
        if !contains("://"), contains(where: \.isNewline) || withoutPossibleSecrets != self { return "<hidden>" }
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
        // With a slash before the `@`, the text may be a host or part of a password, so it is hidden.
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

    /// The minimum length of a base64url sequence that counts as a signature; an RSA signature has 342 characters.
    private static var signatureLength: Int { 200 }

    private static func isTokenCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-._~+/=".contains(character))
    }
}

/// Redaction of answers of token endpoints, which contain tokens that this process has not stored yet.
extension String {
    /// The text with every word that may be a token or a key replaced by `<token>`; stricter than ``withoutTokens``.
    ///
    /// NUL characters are removed: in UTF-16 that was decoded as UTF-8, they are between the letters. If a token was split by
    /// other characters, such as line breaks, `<token>` replaces the whole text.
    package var withoutPossibleSecrets: String {
        guard !utf8.contains(0) else { return replacing("\0", with: "").withoutPossibleSecrets }
        let redacted = withoutSecretWords
        return redacted.hasScatteredSecret ? "<token>" : redacted
    }

    private var withoutSecretWords: String {
        var result = ""
        var word = ""
        for character in self {
            if character.isASCII, character.isLetter || character.isNumber || "-._~+/=%".contains(character) {
                word.append(character)
            } else {
                result += word.isPossibleSecret ? "<token>" : word
                result.append(character)
                word = ""
            }
        }
        return result + (word.isPossibleSecret ? "<token>" : word)
    }

    /// Whether a word is a JWT, a key of a known format, or a longer base64 sequence than any word or ID has.
    private var isPossibleSecret: Bool {
        guard utf8.count >= 16 else { return false }
        if utf8.contains(UInt8(ascii: "%")), let decoded = removingPercentEncoding, decoded != self {
            return decoded.withoutPossibleSecrets != decoded
        }
        if contains("eyJ") || contains("ya29.") || contains("AIza") { return true }
        return split { "./+=~%".contains($0) }.contains { part in
            let hasBothCases = part.contains(where: \.isUppercase) && part.contains(where: \.isLowercase)
            return part.utf8.count >= 80 || (part.utf8.count >= 40 && part.contains(where: \.isNumber) && hasBothCases)
        }
    }

    /// Whether the letters of a token are in the text in their order, separated by other characters.
    ///
    /// The patterns are more specific than those for single words, because here all words are joined: header and payload of a
    /// JWT both begin with `eyJ`, and keys of Google have a fixed beginning and length.
    private var hasScatteredSecret: Bool {
        let joined = String(decoding: utf8.filter(Self.isTokenByte), as: UTF8.self)
        // Most texts end here: the library reads the pattern again at each use. The shortest match has 15 characters.
        guard joined.utf8.count >= 15, ["eyJ", "AIza", "ya29."].contains(where: { joined.firstRange(of: $0) != nil })
        else {
            return false
        }
        return joined.contains(/eyJ[A-Za-z0-9_\-]{8,}\.eyJ|AIza[A-Za-z0-9_\-]{35}|ya29\.[A-Za-z0-9_\-]{20}/)
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }
}
