package import Canvas
package import Failures
package import TripModel

/// The language, the units and the number formats of texts.
///
/// Views receive it as a parameter, so that they do not access the system's locale.
package struct Localizer: Sendable, Equatable {
    /// The units of distances and speeds.
    package enum Units: String, Sendable, CaseIterable {
        /// Meters, kilometers, and kilometers per hour.
        case metric
        /// Feet, miles, and miles per hour.
        case imperial
    }

    /// The requested language.
    package var wanted: Language { didSet { loadCatalogue() } }
    /// The units of distances and speeds.
    package var units: Units
    /// Whether the terminal shows only ASCII.
    package var isASCII: Bool { didSet { loadCatalogue() } }
    /// For layout tests: whether every text is longer than in any language.
    package var isStretched = false { didSet { loadCatalogue() } }
    /// Whether texts do not mention injected faults, because an audience must not know of them.
    package var hidesFaults = false
    /// What the texts are about: if a shipment has a text of its own, the text for trips is wrong for it.
    private var subject = JourneyKind.trip
    private var catalogue: Catalogue

    /// English with metric units, for logs and JSON.
    package static let english = Localizer(.english)

    /// Creates texts in a language; in English if the language needs more than ASCII and only ASCII is available.
    package init(_ wanted: Language, units: Units = .metric, isASCII: Bool = false) {
        self.wanted = wanted
        self.units = units
        self.isASCII = isASCII
        catalogue = .of(Self.language(wanted, isASCII), isASCII: isASCII)
    }

    package static func == (one: Localizer, other: Localizer) -> Bool {
        one.wanted == other.wanted && one.units == other.units && one.isASCII == other.isASCII
            && one.isStretched == other.isStretched && one.subject == other.subject
            && one.hidesFaults == other.hidesFaults
    }

    /// Returns the same with the texts about a trip or a shipment.
    package func about(_ subject: JourneyKind) -> Localizer {
        var localizer = self
        localizer.subject = subject
        return localizer
    }

    /// Returns the text of a key in a context, else as it is for the subject, and in the plural form for a number.
    private func found(_ key: TextKey, context: String? = nil, count: Int? = nil) -> String {
        let contexts = [context, subject == .shipment ? "shipment" : nil].compactMap(\.self)
        return catalogue.text(key.rawValue, contexts: contexts, count: count)
    }

    private mutating func loadCatalogue() {
        catalogue = isStretched ? .longest : .of(language, isASCII: isASCII)
    }

    /// The language of the texts: English if the requested one cannot be shown in ASCII.
    package var language: Language { Self.language(wanted, isASCII) }

    private static func language(_ wanted: Language, _ isASCII: Bool) -> Language {
        isASCII && !wanted.hasASCIIForm ? .english : wanted
    }

    /// Why the requested language is not used, in one English sentence; `nil` if it is used.
    package var fallback: String? {
        guard language != wanted else { return nil }
        let name = Catalogue.of(wanted, isASCII: false).text(TextKey.languageInEnglish.rawValue)
        return "\(name) needs a UTF-8 locale and more than ASCII, so the texts are English: set LC_ALL=C.UTF-8."
    }

    /// Returns a text of the catalogue with its placeholders replaced by values, in the plural form for its number.
    package func callAsFunction(_ text: Text) -> String {
        Self.filled(found(text.key, count: text.count)) { text[$0] }
    }

    /// Returns the text of a key that a table names; its placeholders are replaced by values that are looked up by their names.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - place: The context of the text, such as `pickup`; `nil` if it has none.
    ///   - value: Returns the value of a placeholder; `nil` omits it.
    /// - Returns: The text.
    package func text(
        _ key: TextKey,
        at place: String? = nil,
        _ value: (Substring) -> String? = { _ in nil }
    ) -> String {
        Self.filled(found(key, context: place), value)
    }

    /// Returns a text as spans: its words and the inserted values have roles of their own.
    package func spans(_ text: Text, role: Role = .secondary, values: Role = .text) -> [Canvas.Span] {
        var spans: [Canvas.Span] = []
        Self.split(found(text.key, count: text.count)) { words, name in
            if let words { spans.append(.init(String(words), role)) }
            if let name, let value = text[name] { spans.append(.init(value, values)) }
        }
        return spans
    }

    /// Returns a text with its placeholders replaced; those without a value are omitted.
    private static func filled(_ text: String, _ value: (Substring) -> String?) -> String {
        var result = ""
        split(text) { words, name in
            if let words { result += words }
            if let name, let value = value(name) { result += value }
        }
        return result
    }

    /// Splits a text at its placeholders, such as `{{time}}`; calls `part` with either words or the name of a placeholder.
    private static func split(_ text: String, _ part: (_ words: Substring?, _ name: Substring?) -> Void) {
        let bytes = text.utf8
        var words = bytes.startIndex
        var rest = bytes[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
            rest = bytes[open...].dropFirst()
            // A single brace is plain text.
            guard rest.first == UInt8(ascii: "{"), let close = rest.firstIndex(of: UInt8(ascii: "}")) else { continue }
            if words < open { part(text[words..<open], nil) }
            part(nil, text[bytes.index(after: rest.startIndex)..<close])
            rest = bytes[close...].dropFirst(2)
            words = rest.startIndex
        }
        if words < text.endIndex { part(text[words...], nil) }
    }
}
