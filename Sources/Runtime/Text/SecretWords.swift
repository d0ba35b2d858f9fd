import Foundation

/// Replaces the words of a text that are tokens, or may be.
///
/// A word consists of the bytes that occur in tokens. Another character, also a combining mark, ends it and is no part of it.
enum SecretWords {
    /// The minimum length of a base64url sequence that counts as a signature; an RSA signature has 342 characters.
    static let signatureLength = 200
    /// The minimum length of a word that counts as base64 if it has a character of base64 only.
    static let longestWord = 340

    private static let replacement = Array("<token>".utf8)

    /// Returns the text without tokens: what has their shape, or follows `Bearer`; `nil` if there are none.
    static func withoutTokens(_ bytes: [UInt8]) -> [UInt8]? {
        var followsBearer = false
        return replacing(in: bytes, where: isOfToken) { word in
            defer { followsBearer = word.count == 6 && word.elementsEqual("bearer".utf8) { $0 | 0x20 == $1 } }
            return word.count >= 16 && word.contains(sequence: "eyJ") || followsBearer && word.count >= 8
                || word.count >= longestWord && isBase64(word) || hasPart(word, where: \.isSignature)
        }
    }

    /// Returns the text without words that may be secrets; `nil` if there are none.
    static func withoutPossibleSecrets(_ bytes: [UInt8]) -> [UInt8]? {
        replacing(in: bytes, where: { isOfToken($0) || $0 == UInt8(ascii: "%") }, isPossibleSecret)
    }

    /// Whether the letters of a token are in the text in their order, separated by other characters.
    ///
    /// The patterns are more specific than those for single words, because here all words are joined: header and payload of a
    /// JWT both begin with `eyJ`, and keys of Google have a fixed beginning and length.
    static func isScattered(in bytes: [UInt8]) -> Bool {
        let joined = bytes.filter { isOfToken($0) && !"~+/=".utf8.contains($0) }
        // Most texts end here: the library reads the pattern again at each use. The shortest match has 15 characters.
        guard joined.count >= 15, ["eyJ", "AIza", "ya29."].contains(where: joined[...].contains(sequence:)) else {
            return false
        }
        return String(decoding: joined, as: UTF8.self)
            .contains(/eyJ[A-Za-z0-9_\-]{8,}\.eyJ|AIza[A-Za-z0-9_\-]{35}|ya29\.[A-Za-z0-9_\-]{20}/)
    }

    private static func replacing(
        in bytes: [UInt8],
        where isOfWord: (UInt8) -> Bool,
        _ isSecret: (ArraySlice<UInt8>) -> Bool
    ) -> [UInt8]? {
        var result: [UInt8] = []
        var (position, copied) = (0, 0)
        while position < bytes.count {
            let start = position
            while position < bytes.count, isOfWord(bytes[position]) { position += 1 }
            if position == start {
                position += 1
            } else if isSecret(bytes[start..<position]) {
                result += bytes[copied..<start] + replacement
                copied = position
            }
        }
        return copied == 0 ? nil : result + bytes[copied...]
    }

    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        case UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): true
        default: false
        }
    }

    private static func isBase64(_ word: ArraySlice<UInt8>) -> Bool {
        !word.contains(UInt8(ascii: ".")) && (word.contains(UInt8(ascii: "+")) || word.last == UInt8(ascii: "="))
    }

    /// Whether a word is a JWT, a key of a known format, or a longer base64 sequence than any word or ID has.
    private static func isPossibleSecret(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count >= 16 else { return false }
        if word.contains(UInt8(ascii: "%")) {
            let text = String(decoding: word, as: UTF8.self)
            if let decoded = text.removingPercentEncoding, decoded != text {
                return decoded.withoutPossibleSecrets != decoded
            }
        }
        return ["eyJ", "ya29.", "AIza"].contains(where: word.contains(sequence:))
            || hasPart(word, where: \.isPossibleSecret)
    }

    private static func hasPart(_ word: ArraySlice<UInt8>, where matches: (TokenPart) -> Bool) -> Bool {
        var part = TokenPart()
        for byte in word where !part.append(byte) {
            if matches(part) { return true }
            part = TokenPart()
        }
        return matches(part)
    }
}

extension ArraySlice<UInt8> {
    /// Returns whether the bytes contain a text.
    func contains(sequence text: String) -> Bool {
        let sequence = text.utf8
        guard let first = sequence.first, count >= sequence.count else { return false }
        return indices.dropLast(sequence.count - 1).contains { self[$0] == first && self[$0...].starts(with: sequence) }
    }
}
