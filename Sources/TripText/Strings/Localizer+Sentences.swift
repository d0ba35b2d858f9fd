package import Failures
import FleetTokens

extension Localizer {
    /// Returns a verdict on a token, or the advice about it; the claims in it are not sanitized.
    package func callAsFunction(_ sentence: TokenSentence) -> String {
        text(sentence.key) { name in
            switch sentence.values[String(name)] {
            case .text(let text)?: withOwnQuotationMarks(text)
            case .span(let seconds)?: span(.seconds(min(max(seconds, 0), 1e12)))
            case nil: nil
            }
        }
    }

    /// Returns a text with the English quotation marks around its claims replaced by the quotation marks of the language.
    private func withOwnQuotationMarks(_ text: String) -> String {
        let marks = Array(self(.quotationMarks))
        guard let opening = marks.first, let closing = marks.last else { return text }
        return String(text.map { $0 == "“" ? opening : $0 == "”" ? closing : $0 })
    }

    /// Returns the attribution of a base map; the attribution of the demo's town is in the current language.
    package func attribution(_ text: String) -> String {
        text == Localizer.english(.demoTown) ? self(.demoTown) : text
    }

    /// Returns a text of a scenario or of the tour: its translation into the current language, else `text`.
    ///
    /// A scenario has its own `translations`, or none if its texts are the texts of built-in scenarios.
    package func caption(_ text: String, translations: [String: String] = [:]) -> String {
        let own = translations.isEmpty ? Catalogue.captions(language)[text] : translations[language.rawValue]
        let words = own ?? text
        return isASCII && language != .english ? Catalogue.inASCII(words) : words
    }
}

extension TokenFinding {
    /// Returns the finding as one sentence with times in whole seconds; the claims in it are not sanitized.
    package func evidence(_ localizer: Localizer) -> String { localizer(sentence.inWholeSeconds) }
    /// Returns what to change; `nil` if no change is needed.
    package func advice(_ localizer: Localizer) -> String? { remedy.map { localizer($0.inWholeSeconds) } }
    /// The finding in English.
    package var evidence: String { evidence(.english) }
    /// What to change, in English; `nil` if no change is needed.
    package var advice: String? { advice(.english) }
}

extension TokenSentence {
    fileprivate var inWholeSeconds: TokenSentence {
        let rounded = values.mapValues { value in
            if case .span(let seconds) = value { Value.span(seconds.rounded()) } else { value }
        }
        return TokenSentence(key, rounded)
    }
}

extension [String] {
    /// Returns sentences as one text; after a Chinese full stop there is no space.
    package func joinedAsSentences() -> String {
        dropFirst().reduce(first ?? "") { text, next in text + (text.last == "。" ? "" : " ") + next }
    }
}
