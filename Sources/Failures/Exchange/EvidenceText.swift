import Runtime

/// Makes untrusted text safe to store: without secrets, without control characters, of bounded length.
package enum EvidenceText {
    /// A secret that begins within the limit is recognized by this many characters after it.
    static let margin = 512

    /// Returns at most `limit` characters of a text without secrets and control characters.
    package static func text(_ text: String, limit: Int) -> String {
        // Redact first: a truncated secret is harder to recognize.
        bounded(redacted(text.beginning(limit + margin)), limit: limit)
    }

    /// Returns a text without secrets, also without those that are hidden by escapes of JSON.
    private static func redacted(_ text: String) -> String {
        let plain = text.withoutSecrets
        guard plain.utf8.contains(UInt8(ascii: "\\")) else { return plain }
        let bare = plain.replacing(/\\u[0-9A-Fa-f]{4}/, with: "")
        return bare == plain || bare.withoutSecrets == bare ? plain : "<token>"
    }

    /// Returns at most `limit` characters of a text on one line, without surrounding white space.
    package static func line(_ text: String, limit: Int) -> String {
        let beginning = text.beginning(limit + margin)
        // Most texts are one line of ASCII already.
        guard !beginning.isSingleSpaced else { return self.text(beginning, limit: limit) }
        return self.text(beginning.split(whereSeparator: \.isWhitespace).joined(separator: " "), limit: limit)
    }

    /// The largest size in bytes that is stored.
    private static let largestSize = 1 << 50

    /// Returns a size within the allowed range.
    package static func size(_ bytes: Int) -> Int { min(max(bytes, 0), largestSize) }

    /// Returns a URL without user and fragment; of its query only the names remain.
    static func url(_ url: String) -> String {
        let whole = url.utf8.prefix { $0 != UInt8(ascii: "#") }
        let place = whole.prefix { $0 != UInt8(ascii: "?") }
        let shown = String(Substring(place)).withoutTokens
        guard place.endIndex < whole.endIndex else { return shown }
        let query = whole[whole.index(after: place.endIndex)...]
        let names = query.split(separator: UInt8(ascii: "&")).prefix(20).map { parameter in
            String(Substring(parameter.prefix { $0 != UInt8(ascii: "=") }))
        }
        return "\(shown)?\(names.joined(separator: "&"))"
    }

    /// Returns at most `limit` characters of a text without possible tokens, as a recording has it.
    static func recorded(_ text: String, limit: Int = 500) -> String {
        // Redact first: a truncated token is harder to recognize.
        String(String(text.prefix(limit * 8)).withoutTokens.prefix(limit))
    }

    /// Returns a number within the allowed range, so that sums can't overflow.
    static func number(_ number: Int) -> Int { min(max(number, -1_000_000_000), 1_000_000_000) }

    private static func bounded(_ text: String, limit: Int) -> String {
        let beginning = text.beginning(limit)
        return beginning.utf8.count < text.utf8.count ? beginning + "…" : text
    }
}

extension Duration {
    /// The duration in seconds, rounded to microseconds.
    var evidence: Double { (self / .seconds(1) * 1e6).rounded() / 1e6 }

    /// Creates a duration from seconds that were read.
    init(evidence seconds: Double) {
        self = .nanoseconds(Int64((Self.boundedSeconds(seconds) * 1e9).rounded()))
    }

    /// Returns a number of seconds within ±100 years.
    static func boundedSeconds(_ seconds: Double) -> Double {
        seconds.isNaN ? 0 : min(max(seconds, -3_155_760_000), 3_155_760_000)
    }
}

extension String {
    /// Returns the text, or its first characters if it has more.
    fileprivate func beginning(_ count: Int) -> String {
        // No character is shorter than a byte.
        utf8.count > count ? String(unicodeScalars.prefix(count)) : self
    }

    /// Whether the text is ASCII, with no white space but single spaces between words.
    fileprivate var isSingleSpaced: Bool {
        var isAfterSpace = true
        for byte in utf8 {
            switch byte {
            case 0x20 where isAfterSpace: return false
            case 0x09...0x0D, 0x80...: return false
            default: isAfterSpace = byte == 0x20
            }
        }
        return !isAfterSpace || isEmpty
    }
}
