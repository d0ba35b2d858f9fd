package import Canvas

/// How the program speaks: its language, its units, and the forms of its numbers.
///
/// It comes from outside, so that no view asks for a locale.
package struct Wording: Sendable, Equatable {
    /// What ways and speeds are told in.
    package enum Units: String, Sendable, CaseIterable {
        /// Metres, kilometres, and kilometres an hour.
        case metric
        /// Feet, miles, and miles an hour.
        case imperial
    }

    /// The language that was asked for.
    package var wanted: Language { didSet { loadCatalogue() } }
    /// What ways and speeds are told in.
    package var units: Units
    /// Whether only ASCII can be shown.
    package var isASCII: Bool { didSet { loadCatalogue() } }
    /// For tests of layouts: every text is longer than in any language.
    package var isStretched = false { didSet { loadCatalogue() } }
    private var catalogue: Catalogue

    /// English with metric units, as logs and most of the command line have it.
    package static let english = Wording(.english)

    /// Speaks a language, as far as that can be shown.
    package init(_ wanted: Language, units: Units = .metric, isASCII: Bool = false) {
        self.wanted = wanted
        self.units = units
        self.isASCII = isASCII
        catalogue = .of(Self.language(wanted, isASCII), isASCII: isASCII)
    }

    package static func == (one: Wording, other: Wording) -> Bool {
        one.wanted == other.wanted && one.units == other.units && one.isASCII == other.isASCII
            && one.isStretched == other.isStretched
    }

    private mutating func loadCatalogue() {
        catalogue = isStretched ? .longest : .of(language, isASCII: isASCII)
    }

    /// The language that is spoken: English where the wanted one needs more than ASCII.
    package var language: Language { Self.language(wanted, isASCII) }

    private static func language(_ wanted: Language, _ isASCII: Bool) -> Language {
        isASCII && !wanted.hasASCIIForm ? .english : wanted
    }

    /// Why the wanted language is not spoken, in one sentence; `nil` where it is.
    package var fallback: String? {
        guard language != wanted else { return nil }
        let name = Catalogue.of(wanted, isASCII: false).text(StringKey.languageInEnglish.rawValue)
        return "\(name) needs a UTF-8 locale and more than ASCII, so the texts are English."
    }

    /// A text of the catalogue; the values are in the order of the key's parameters.
    package func callAsFunction(_ key: StringKey, _ values: String...) -> String {
        self(key, filling: values)
    }

    /// A text of the catalogue; the values are in the order of the key's parameters.
    package func callAsFunction(_ key: StringKey, filling values: [String]) -> String {
        let text = catalogue.text(key.rawValue)
        guard !values.isEmpty else { return text }
        let names = key.parameters
        return Self.filled(text) { name in
            guard let index = names.firstIndex(where: { $0 == name }) else { return nil }
            return values.indices.contains(index) ? values[index] : nil
        }
    }

    /// A text with a number in it, in the form that the language has for that number.
    package func count(_ number: Int, _ key: StringKey) -> String {
        Self.filled(catalogue.text(key.rawValue, count: number)) { $0 == "count" ? String(number) : nil }
    }

    /// A text whose values are found by the names of its placeholders.
    package func filled(_ key: String, _ value: (Substring) -> String?) -> String {
        Self.filled(catalogue.text(key), value)
    }

    /// A text as pieces: what is filled in keeps its role, the words around it have another.
    package func spans(_ key: StringKey, _ values: [Canvas.Span], role: Role = .secondary) -> [Canvas.Span] {
        let names = key.parameters
        var spans: [Canvas.Span] = []
        Self.split(catalogue.text(key.rawValue)) { words, name in
            if let words { spans.append(.init(String(words), role)) }
            if let name, let index = names.firstIndex(where: { $0 == name }), values.indices.contains(index) {
                spans.append(values[index])
            }
        }
        return spans
    }

    /// An English number and its noun, for the command line: `1 poll`, `2 polls`.
    package static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(plural ?? noun + "s")"
    }

    /// A text with its placeholders replaced; those without a value are left out.
    private static func filled(_ text: String, _ value: (Substring) -> String?) -> String {
        var result = ""
        split(text) { words, name in
            if let words { result += words }
            if let name, let value = value(name) { result += value }
        }
        return result
    }

    /// Splits a text at its placeholders, such as `{{time}}`: takes words or the name of a placeholder.
    private static func split(_ text: String, _ take: (_ words: Substring?, _ name: Substring?) -> Void) {
        let bytes = text.utf8
        var words = bytes.startIndex
        var rest = bytes[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
            rest = bytes[open...].dropFirst()
            // A single brace is a word.
            guard rest.first == UInt8(ascii: "{"), let close = rest.firstIndex(of: UInt8(ascii: "}")) else { continue }
            if words < open { take(text[words..<open], nil) }
            take(nil, text[bytes.index(after: rest.startIndex)..<close])
            rest = bytes[close...].dropFirst(2)
            words = rest.startIndex
        }
        if words < text.endIndex { take(text[words...], nil) }
    }
}
