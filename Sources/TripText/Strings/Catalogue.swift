import Canvas
import EmbeddedAssets
import Foundation
import Synchronization

/// The texts of one language: the file `Assets/Strings/<language>.json`, in the form of i18next (JSON v4).
///
/// Placeholders are written `{{name}}`. A text that depends on a number has the keys `key_one` and `key_other`, or only
/// `key_other` in languages whose words do not change.
package final class Catalogue: Sendable {
    private let texts: [String: String]

    private init(_ texts: [String: String]) { self.texts = texts }

    /// The text of a key, in English where this language has none.
    func text(_ key: String) -> String {
        if let text = texts[key] { return text }
        return self === Self.english ? key : Self.english.text(key)
    }

    /// The text of a key for a number.
    func text(_ key: String, count: Int) -> String {
        if count == 1, let text = texts[key + "_one"] { return text }
        return text(key + "_other")
    }

    // MARK: Files

    /// The texts of a language; read at the first use.
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

    /// The texts of a language by the keys of its file.
    package static func file(_ language: Language) -> [String: String] {
        let path = "Strings/\(language.rawValue).json"
        guard let asset = unsafe embedded_asset_named(path) else { fatalError("\(path) is not embedded") }
        let data = unsafe Data(bytes: asset.pointee.bytes, count: asset.pointee.count)
        do {
            return try JSONDecoder().decode([String: String].self, from: data)
        } catch {
            // The file is a part of the program, and tests read it.
            fatalError("\(path): \(error)")
        }
    }

    // MARK: Other forms

    /// For tests of layouts: for each key the widest text of all languages, half as long again.
    static let longest: Catalogue = {
        let files = Language.allCases.map(file)
        var longest: [String: String] = [:]
        for key in file(.english).keys {
            let all = files.compactMap { $0[key] }
            let widest = all.max { TextWidth.of($0) < TextWidth.of($1) } ?? ""
            // The compass is a list and the point a single character: neither is a text that could be longer.
            let isText = key != StringKey.compass.rawValue && key != StringKey.decimalPoint.rawValue
            longest[key] = widest + (isText ? String(repeating: "Wörter ", count: TextWidth.of(widest) / 14) : "")
        }
        return Catalogue(longest)
    }()

    static func inASCII(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { $0 += letters[$1] ?? String(Character($1)) }
    }

    /// What German letters and signs become where there is only ASCII.
    private static let letters: [Unicode.Scalar: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "‚": "'", "‘": "'", "’": "'",
        "„": "\"", "“": "\"", "–": "-", "…": "...",
    ]
}
