import Foundation
import TripTestSupport
import TripText
import Yams

/// The file of `Assets/Glossary` for a language: one word for each concept.
struct Glossary: Decodable {
    struct Term: Decodable {
        let concept: String
        /// The word of the language.
        let term: String
        /// A pattern that finds the word in a text; the term itself if there is none.
        let found: String?
        /// Patterns of other words for the same thing.
        let never: [String]?
        let note: String?
        /// The keys, or English captions, of texts that are right without the word, with the reasons.
        let except: [String: String]?
    }

    let language: String
    let terms: [Term]

    static func of(_ language: Language) throws -> Glossary { try read(language.rawValue) }

    static func read<File: Decodable>(_ name: String) throws -> File {
        let file = Checkout.assets.appending(path: "Glossary/\(name).yaml")
        return try YAMLDecoder().decode(File.self, from: String(contentsOf: file, encoding: .utf8))
    }
}

/// The concepts, and the English words that stay in every language.
struct GlossaryConcepts: Decodable {
    struct Concept: Decodable {
        let concept: String
        let meaning: String
        /// A pattern that finds the concept in an English text; none where English has no word for it.
        let pattern: String?
    }

    struct Kept: Decodable {
        let term: String
        let kind: String
    }

    /// Patterns of the parts of a text that are no sentence.
    let ignored: [String]
    let concepts: [Concept]
    let stays: [Kept]
}

/// A regular expression that is used for many texts.
struct GlossaryPattern {
    private let expression: NSRegularExpression

    init(_ pattern: String, ignoresCase: Bool = false) throws {
        expression = try NSRegularExpression(pattern: pattern, options: ignoresCase ? .caseInsensitive : [])
    }

    func isIn(_ text: String) -> Bool {
        expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }

    func removed(from text: String) -> String {
        let range = NSRange(text.startIndex..., in: text)
        return expression.stringByReplacingMatches(in: text, range: range, withTemplate: " ")
    }
}
