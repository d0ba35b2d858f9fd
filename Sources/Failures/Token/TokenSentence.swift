/// A text about a token: its key and the values of its placeholders.
///
/// The texts are in `Assets/Strings`, one file for each language.
public struct TokenSentence: Sendable, Equatable {
    /// A value of a placeholder.
    public enum Value: Sendable, Equatable {
        /// A text that is the same in every language, such as a claim; it comes from outside and is not yet printable.
        case text(String)
        /// A length of time in seconds.
        case span(Double)

        /// Claims in quotation marks.
        package static func quoted(_ claims: String...) -> Self { quoted(claims) }

        /// Claims in quotation marks, separated by commas.
        package static func quoted(_ claims: some Sequence<String>) -> Self {
            .text(claims.map(TokenSentence.quoted).joined(separator: ", "))
        }
    }

    /// The key of the text: `verdict…` for what was found, `remedy…` for what to change.
    public let key: TextKey
    /// The values by the names of their placeholders.
    public let values: [String: Value]

    /// A text with the values of its placeholders.
    public init(_ key: TextKey, _ values: [String: Value] = [:]) {
        self.key = key
        self.values = values
    }

    /// Returns a claim in English quotation marks, truncated after 120 characters; other languages replace the marks.
    package static func quoted(_ claim: String) -> String { "“\(claim.prefix(120))\(claim.count > 120 ? "…" : "")”" }
}

/// Texts about tokens in recordings; what is read is bounded.
extension TokenSentence: Codable {
    private enum Key: String, CodingKey {
        case key, texts, spans
    }

    /// The maximum number of values of one kind that are read.
    private static let mostValues = 20

    /// Reads a text; throws for a key that this program does not have.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        guard let key = TextKey(rawValue: try members.decode(String.self, forKey: .key)) else {
            throw DecodingError.dataCorruptedError(forKey: .key, in: members, debugDescription: "an unknown text")
        }
        let texts = try members.decode([String: String].self, forKey: .texts).prefix(Self.mostValues)
            .map { ($0, Value.text(EvidenceText.recorded($1))) }
        let spans = try members.decode([String: Double].self, forKey: .spans).prefix(Self.mostValues)
            .map { ($0, Value.span(Duration.boundedSeconds($1))) }
        self.init(key, Dictionary(texts + spans) { $1 })
    }

    /// Writes the text without possible tokens.
    public func encode(to encoder: any Encoder) throws {
        var (texts, spans): ([String: String], [String: Double]) = ([:], [:])
        for (name, value) in values {
            switch value {
            case .text(let text): texts[name] = EvidenceText.recorded(text)
            case .span(let seconds): spans[name] = seconds
            }
        }
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(key.rawValue, forKey: .key)
        try members.encode(texts, forKey: .texts)
        try members.encode(spans, forKey: .spans)
    }
}

/// A finding that was read; `nil` for one with a rule, a verdict or a text of a newer program.
package struct KnownFinding: Decodable {
    /// The finding.
    package let finding: TokenFinding?

    package init(from decoder: any Decoder) throws {
        do {
            finding = try TokenFinding(from: decoder)
        } catch DecodingError.dataCorrupted {
            finding = nil
        }
    }
}
