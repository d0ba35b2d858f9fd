import Runtime

/// Makes untrusted text safe to keep: without secrets, without control characters, of bounded length.
enum Evidence {
    /// A secret that begins within the limit is recognized by this many characters after it.
    static let margin = 512

    /// Returns at most `limit` characters of a text without secrets and control characters.
    static func text(_ text: String, limit: Int) -> String {
        // Redact first: a truncated secret is harder to recognize.
        let beginning = text.utf8.count > limit + margin ? String(text.unicodeScalars.prefix(limit + margin)) : text
        let redacted = beginning.withoutSecretValues.withoutTokens.withoutPossibleSecrets
        return bounded(redacted.withVisibleControls, limit: limit)
    }

    /// Returns at most `limit` characters of a text on one line, without surrounding white space.
    static func line(_ text: String, limit: Int) -> String {
        let beginning = text.unicodeScalars.prefix(limit + margin)
        let words = String(beginning).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return self.text(words, limit: limit)
    }

    /// The largest size in bytes that is kept.
    private static let largestSize = 1 << 50

    /// Returns a size within the kept range.
    static func size(_ bytes: Int) -> Int { min(max(bytes, 0), largestSize) }

    /// Returns a URL without user and fragment; of its query only the names remain.
    static func url(_ url: String) -> String {
        let parts = url.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let place = parts.first.map { String($0) }?.withoutTokens ?? ""
        guard parts.count > 1 else { return place }
        let names = parts[1].split(separator: "&").prefix(20).map { $0.prefix { $0 != "=" } }
        return "\(place)?\(names.joined(separator: "&"))"
    }

    private static func bounded(_ text: String, limit: Int) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }
}
