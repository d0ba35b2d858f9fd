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
