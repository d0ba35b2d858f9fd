package import FleetTokens

extension Wording {
    /// A verdict on a token, or what to do about it; the claims in it are not yet printable.
    package func callAsFunction(_ sentence: TokenSentence) -> String {
        let values = sentence.values.map { value in
            switch value {
            case .text(let text): text
            case .span(let seconds): span(.seconds(min(max(seconds, 0), 1e9)))
            }
        }
        return Self.filled(translated(sentence.form), values)
    }

    /// What a scenario says to those who watch; the words of somebody's own scenario stay as they are.
    package func caption(_ text: String) -> String { translated(text) }

    private func translated(_ english: String) -> String {
        guard !isStretched else { return Catalogue.longestSentence(english) }
        return Catalogue.sentence(english, in: language, isASCII: isASCII) ?? english
    }
}
