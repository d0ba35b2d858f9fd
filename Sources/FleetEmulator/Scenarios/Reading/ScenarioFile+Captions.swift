/// Captions and what must be visible while they are shown.
extension ScenarioFile {
    /// A caption: a text, or its translations by language; the English translation is required.
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

    /// What must be so while a caption is shown; it ends the caption.
    struct WhileEntry: Decodable {
        var status: [String]?
        var failing: Bool?
        var fault: String?
        var seconds: Double?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case status
            case failing
            case fault
            case seconds
        }
    }
}
