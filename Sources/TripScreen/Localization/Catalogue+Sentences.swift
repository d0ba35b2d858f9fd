import Canvas

/// Whole sentences that come from elsewhere in English: the verdicts on a token (``TokenSentence/form``) and the captions
/// of the scenarios that come with the program. They are found by their English words.
extension Catalogue {
    /// What an English sentence is in a language; `nil` where the catalogue does not have it.
    static func sentence(_ english: String, in language: Language, isASCII: Bool) -> String? {
        let text = sentences(in: language)[english]
        return language == .german && isASCII ? text.map(inASCII) : text
    }

    /// The widest of all languages, half as long again, for tests of layouts.
    static func longestSentence(_ english: String) -> String {
        let all = [english] + Language.allCases.compactMap { sentences(in: $0)[english] }
        let widest = all.max { TextWidth.of($0) < TextWidth.of($1) } ?? english
        return widest + String(repeating: " Wörter", count: TextWidth.of(widest) / 14)
    }

    private static func sentences(in language: Language) -> [String: String] {
        switch language {
        case .english: [:]
        case .german: germanSentences
        case .korean: koreanSentences
        case .simplifiedChinese: simplifiedSentences
        case .traditionalChinese: traditionalSentences
        }
    }

    private static let germanSentences = both(germanVerdicts, germanCaptions)
    private static let koreanSentences = both(koreanVerdicts, koreanCaptions)
    private static let simplifiedSentences = both(simplifiedVerdicts, simplifiedCaptions)
    private static let traditionalSentences = both(traditionalVerdicts, traditionalCaptions)

    private static func both(_ verdicts: [String: String], _ captions: [String: String]) -> [String: String] {
        verdicts.merging(captions) { verdict, _ in verdict }
    }

    /// Every sentence of a language by its English words, for whoever proofreads the catalogue.
    package static func allSentences(in language: Language) -> [String: String] { sentences(in: language) }

    /// The captions that it has, in English.
    package static var captions: Set<String> { Set(germanCaptions.keys) }
}
