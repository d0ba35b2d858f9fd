import Canvas

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
    package var wanted: Language
    /// What ways and speeds are told in.
    package var units: Units
    /// Whether only ASCII can be shown.
    package var isASCII: Bool
    /// For tests of layouts: every text is longer than in any language.
    package var isStretched = false

    /// English with metric units, as logs and most of the command line have it.
    package static let english = Wording(.english)

    /// Speaks a language, as far as that can be shown.
    package init(_ wanted: Language, units: Units = .metric, isASCII: Bool = false) {
        self.wanted = wanted
        self.units = units
        self.isASCII = isASCII
    }

    /// The language that is spoken: English where the wanted one needs more than ASCII.
    package var language: Language { isASCII && !wanted.hasASCIIForm ? .english : wanted }

    /// Why the wanted language is not spoken, in one sentence; `nil` where it is.
    package var fallback: String? {
        guard language != wanted else { return nil }
        return "\(wanted.englishName) needs a UTF-8 locale and more than ASCII, so the texts are English."
    }

    /// A text of the catalogue, with its placeholders filled in.
    func callAsFunction(_ phrase: Phrase, _ values: String...) -> String {
        Self.filled(text(phrase), values)
    }

    /// A text of the catalogue, with its placeholders filled in.
    func callAsFunction(_ phrase: Phrase, filling values: [String]) -> String {
        Self.filled(text(phrase), values)
    }

    /// A text with a number in it, which takes the place of `{0}`, and further values from `{1}` on.
    ///
    /// English and German texts have a form for one before a `|` and one for all other numbers behind it.
    func count(_ number: Int, _ phrase: Phrase, _ values: String...) -> String {
        let text = text(phrase)
        let forms = text.split(separator: "|", maxSplits: 1)
        let form = number == 1 || forms.count < 2 ? forms.first : forms.last
        return Self.filled(String(form ?? ""), [String(number)] + values)
    }

    /// A text as pieces: what is filled in keeps its role, the words around it have another.
    func spans(_ phrase: Phrase, _ values: [Canvas.Span], role: Role = .secondary) -> [Canvas.Span] {
        var spans: [Canvas.Span] = []
        Self.split(text(phrase)) { piece in
            switch piece {
            case .words(let words): spans.append(.init(String(words), role))
            case .place(let index): if values.indices.contains(index) { spans.append(values[index]) }
            }
        }
        return spans
    }

    /// An English number and its noun, for the command line: `1 poll`, `2 polls`.
    package static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(plural ?? noun + "s")"
    }

    private func text(_ phrase: Phrase) -> String {
        let texts = isStretched ? Catalogue.longest : Catalogue.texts(in: language, isASCII: isASCII)
        return texts[phrase.rawValue]
    }

    private enum Piece {
        case words(Substring)
        case place(Int)
    }

    static func filled(_ text: String, _ values: [String]) -> String {
        guard !values.isEmpty else { return text }
        var result = ""
        split(text) { piece in
            switch piece {
            case .words(let words): result += words
            case .place(let index): if values.indices.contains(index) { result += values[index] }
            }
        }
        return result
    }

    /// Takes a text apart at `{0}` to `{9}`; other braces are words.
    private static func split(_ text: String, _ take: (Piece) -> Void) {
        let bytes = text.utf8
        var words = bytes.startIndex
        var rest = bytes[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
            rest = bytes[open...].dropFirst()
            guard let digit = rest.first, (0x30...0x39).contains(digit), rest.dropFirst().first == UInt8(ascii: "}")
            else { continue }
            if words < open { take(.words(text[words..<open])) }
            take(.place(Int(digit) - 0x30))
            rest = rest.dropFirst(2)
            words = rest.startIndex
        }
        if words < text.endIndex { take(.words(text[words...])) }
    }
}
