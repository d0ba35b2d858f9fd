/// Captions and what must be visible while they are shown.
extension ScenarioFile {
    /// A caption: a text, or its translations by language, of which the English one is needed.
    struct CaptionEntry: Decodable {
        var text: String
        var translations: [String: String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            // Anything but a text must be a mapping of translations.
            if let text = try? container.decode(String.self) {
                (self.text, translations) = (text, [:])
                return
            }
            translations = try container.decode([String: String].self)
            guard let english = translations["en"] else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "caption: a text or `en` is expected")
                )
            }
            text = english
        }
    }
}
