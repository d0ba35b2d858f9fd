import Canvas

/// The texts of the interface in every language.
package enum Catalogue {
    /// The texts of a language by ``Phrase/rawValue``, each looked up in a few nanoseconds.
    static func texts(in language: Language, isASCII: Bool) -> [String] {
        switch language {
        case .english: english
        case .german: isASCII ? germanInASCII : german
        case .korean: korean
        case .simplifiedChinese: simplifiedChinese
        case .traditionalChinese: traditionalChinese
        }
    }

    private static let english = list(englishTables)
    private static let german = list(germanTables)
    private static let germanInASCII = german.map(inASCII)
    private static let korean = list(koreanTables)
    private static let simplifiedChinese = list(simplifiedTables)
    private static let traditionalChinese = list(traditionalTables)

    /// For tests of layouts: for each phrase the widest text of all languages, half as long again.
    static let longest: [String] = Phrase.allCases.map { phrase in
        let all = [english, german, korean, simplifiedChinese, traditionalChinese].map { $0[phrase.rawValue] }
        let widest = all.max { TextWidth.of($0) < TextWidth.of($1) } ?? ""
        // The compass is a list and the point a single character: neither is a text that could be longer.
        guard phrase != .compass, phrase != .decimalPoint else { return widest }
        let tail = String(repeating: "Wörter ", count: TextWidth.of(widest) / 14)
        return widest.split(separator: "|").map { "\($0)\(tail)" }.joined(separator: "|")
    }

    private static func list(_ tables: [[Phrase: String]]) -> [String] {
        // A text that is missing is empty: a test looks for it.
        Phrase.allCases.map { phrase in tables.lazy.compactMap { $0[phrase] }.first ?? "" }
    }

    static func inASCII(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { $0 += letters[$1] ?? String(Character($1)) }
    }

    /// What German letters and signs become where there is only ASCII.
    private static let letters: [Unicode.Scalar: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "‚": "'", "‘": "'", "’": "'",
        "„": "\"", "“": "\"", "–": "-", "…": "...",
    ]

    /// Every text of a language by the name of its phrase, for whoever proofreads the catalogue.
    package static func all(in language: Language) -> [String: String] {
        let texts = texts(in: language, isASCII: false)
        return Dictionary(uniqueKeysWithValues: Phrase.allCases.map { ("\($0)", texts[$0.rawValue]) })
    }
}
