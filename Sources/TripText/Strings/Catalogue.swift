package import Canvas
import EmbeddedAssets
package import Failures
import Foundation
import Runtime
import Synchronization

/// The texts of one language: the file `Assets/Strings/<language>.json` in i18next format (JSON v4).
///
/// Placeholders are written `{{name}}`. A text that depends on a number has the keys `key_one` and `key_other`, or only
/// `key_other` in languages without plural forms. A text that differs for shipments has the key `key_shipment`
/// besides, and advice that promises a retry has `key_last` for a program that ends.
package final class Catalogue: Sendable {
    private let texts: [String: String]

    private init(_ texts: [String: String]) { self.texts = texts }

    /// Returns the text of a key; the English text if the translation is missing.
    func text(_ key: String) -> String {
        if let text = texts[key] { return text }
        return self === Self.english ? key : Self.english.text(key)
    }

    /// Returns the text of a key in the first context that has one, such as `key_shipment`, and in the plural form for a number;
    /// the text of the key alone if no context has one.
    func text(_ key: String, contexts: [String], count: Int?) -> String {
        let other = count == nil ? "" : "_other"
        let key = contexts.lazy.map { "\(key)_\($0)" }.first { self.texts[$0 + other] != nil } ?? key
        if count == 1, let text = texts[key + "_one"] { return text }
        return text(key + other)
    }

    // MARK: Files

    /// Returns the texts of a language, which are loaded on first use.
    static func of(_ language: Language, isASCII: Bool) -> Catalogue {
        if language == .english { return english }
        return cache.withLock { catalogues in
            let name = language.rawValue + (isASCII ? "-ASCII" : "")
            if let known = catalogues[name] { return known }
            let texts = file(language)
            let catalogue = Catalogue(isASCII ? texts.mapValues(inASCII) : texts)
            catalogues[name] = catalogue
            return catalogue
        }
    }

    static let english = Catalogue(file(.english))
    private static let cache = Mutex<[String: Catalogue]>([:])

    /// Returns the texts of a language's file by key.
    package static func file(_ language: Language) -> [String: String] {
        embedded("Strings/\(language.rawValue).json")
    }

    /// Returns the translations of the built-in scenarios' and the tour's texts by the English text; none for English.
    ///
    /// They are in the files `Assets/Strings/captions.<language>.json`, which are loaded on first use.
    package static func captions(_ language: Language) -> [String: String] {
        guard language != .english else { return [:] }
        return captionCache.withLock { captions in
            if let known = captions[language] { return known }
            let texts = embedded("Strings/captions.\(language.rawValue).json")
            captions[language] = texts
            return texts
        }
    }

    private static let captionCache = Mutex<[Language: [String: String]]>([:])

    /// Returns the content of an embedded file, an object of texts.
    private static func embedded(_ path: String) -> [String: String] {
        do {
            return try JSONDecoder().decode([String: String].self, from: Data(EmbeddedText.text(of: path).utf8))
        } catch {
            // The file is embedded in the program and decoded by tests.
            fatalError("\(path): \(error)")
        }
    }

    // MARK: Variants

    /// For layout tests: for each key the widest text of all languages, lengthened by about 50 %.
    static let longest: Catalogue = {
        let files = Language.allCases.map(file)
        var longest: [String: String] = [:]
        for key in file(.english).keys {
            let all = files.compactMap { $0[key] }
            let widest = all.max { TextWidth.of($0) < TextWidth.of($1) } ?? ""
            // The compass must stay a list of 8 names, and the decimal point a single character.
            let isText = key != TextKey.compass.rawValue && key != TextKey.decimalPoint.rawValue
            longest[key] = widest + (isText ? String(repeating: "Wörter ", count: TextWidth.of(widest) / 14) : "")
        }
        return Catalogue(longest)
    }()

    static func inASCII(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { $0 += letters[$1] ?? String(Character($1)) }
    }

    /// The ASCII replacements of German letters and punctuation.
    private static let letters: [Unicode.Scalar: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "‚": "'", "‘": "'", "’": "'",
        "„": "\"", "“": "\"", "–": "-", "…": "...",
    ]
}

/// The files of `Assets` that are part of the program.
enum EmbeddedText {
    /// Returns the text of a file; the path is one of the program's own.
    static func text(of path: String) -> String {
        guard let asset = unsafe embedded_asset_named(path) else { fatalError("\(path) is not embedded") }
        let bytes = unsafe UnsafeBufferPointer(start: asset.pointee.bytes, count: asset.pointee.count)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }
}

extension BigFace {
    /// The faces of `Assets/Faces/bold.txt` with the characters of `wide.txt`, the largest first.
    package static let embedded: [BigFace] = {
        // The files are embedded in the program and read by tests.
        guard var faces = BigFace.faces(in: EmbeddedText.text(of: "Faces/bold.txt")) else {
            fatalError("Faces/bold.txt is malformed")
        }
        let wide = EmbeddedText.text(of: "Faces/wide.txt")
        for index in faces.indices { faces[index].addWide(wide) }
        return faces.sorted { $0.size > $1.size }
    }()

    /// The smallest Korean and Chinese letters: those of 16 dots, drawn with the dots of braille.
    package static let fine = embedded.last { $0.width(of: "上") == 16 }?.fine

    /// Returns the largest face in which texts fit beside each other, with `gap` columns between them.
    ///
    /// `nil` if none does or a character has no large form. The available columns and rows are given; a tight face has no
    /// rows for letters below the baseline that the texts do not have.
    package static func largest(
        for texts: [String],
        gap: Int = 4,
        width: Int,
        height: Int,
        isTight: Bool = false
    ) -> BigFace? {
        embedded.first { face in
            let below = isTight ? texts.map { face.rowsBelow($0) }.max() ?? 0 : face.rowsBelow
            guard (texts.map(face.rowsAbove).max() ?? 0) + below <= height else { return false }
            var columns = gap * max(0, texts.count - 1)
            for text in texts {
                guard let width = face.width(of: text) else { return false }
                columns += width
            }
            return columns <= width
        }
    }
}

/// A text in no language yet: its key and the values of its placeholders.
///
/// Its members are generated from the English file, so that the compiler checks keys and placeholders: `.hours(hours: "2")`.
package struct Text: Sendable, Equatable {
    /// The key.
    package let key: TextKey
    /// The number that decides the plural form; `nil` if the text depends on none.
    let count: Int?
    private let values: [(name: String, value: String)]

    /// Creates a text with the values of its placeholders, for the generated members.
    init(_ key: TextKey, count: Int? = nil, _ values: (name: String, value: String)...) {
        (self.key, self.count, self.values) = (key, count, values)
    }

    /// Returns the value of a placeholder; `nil` if there is none.
    subscript(name: Substring) -> String? {
        // A text has at most a handful of values.
        values.first { $0.name == name }?.value ?? (name == "count" ? count.map(String.init) : nil)
    }

    package static func == (one: Text, other: Text) -> Bool {
        one.key == other.key && one.count == other.count && one.values.elementsEqual(other.values, by: ==)
    }
}
