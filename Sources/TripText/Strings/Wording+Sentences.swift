package import FleetTokens

extension Wording {
    /// A verdict on a token, or what to do about it; the claims in it are not yet printable.
    package func callAsFunction(_ sentence: TokenSentence) -> String {
        filled(sentence.key.rawValue) { name in
            switch sentence.values[String(name)] {
            case .text(let text)?: text
            case .span(let seconds)?: span(.seconds(min(max(seconds, 0), 1e12)))
            case nil: nil
            }
        }
    }

    /// What a scenario says: its translation into this language, otherwise `text`.
    package func caption(_ text: String, translations: [String: String]) -> String {
        let words = translations[language.rawValue] ?? text
        return isASCII && language == .german ? Catalogue.inASCII(words) : words
    }
}

extension TokenFinding {
    /// What was found, in one English sentence; claims in it come from outside and are not yet printable.
    package var evidence: String { Wording.english(sentence.inWholeSeconds) }
    /// What to change, in English; `nil` where nothing has to.
    package var advice: String? { remedy.map { Wording.english($0.inWholeSeconds) } }
}

extension TokenSentence {
    fileprivate var inWholeSeconds: TokenSentence {
        let rounded = values.mapValues { value in
            if case .span(let seconds) = value { Value.span(seconds.rounded()) } else { value }
        }
        return TokenSentence(key, rounded)
    }
}
