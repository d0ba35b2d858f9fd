import Foundation
import Testing
import TripTestSupport
import TripText

/// One term for one thing: the texts, the captions and the titles of the tour use the words of `Assets/Glossary`.
@Suite("Glossaries", .ends(within: .longTest))
struct GlossaryTests {
    private static let translated = Language.allCases.filter { $0 != .english }

    /// A text with its key, or with its English caption.
    private struct Entry {
        let key: String
        let english: String
        let text: String
    }

    private static func concepts() throws -> GlossaryConcepts { try Glossary.read("en") }

    private static func entries(_ language: Language) -> [Entry] {
        let english = Catalogue.file(.english)
        let texts = Catalogue.file(language).map { key, text in
            let plural = key.hasSuffix("_one") ? String(key.dropLast("_one".count)) + "_other" : key + "_other"
            return Entry(key: key, english: english[key] ?? english[plural] ?? "", text: text)
        }
        return texts + Catalogue.captions(language).map { Entry(key: $0.key, english: $0.key, text: $0.value) }
    }

    /// Returns a function that leaves only the sentences of a text.
    private static func sentences() throws -> (String) -> String {
        let patterns = try concepts().ignored.map { try GlossaryPattern($0) }
        return { text in patterns.reduce(text) { $1.removed(from: $0) } }
    }

    @Test(arguments: translated)
    func `have a word for each concept, and for no other`(_ language: Language) throws {
        let glossary = try Glossary.of(language)
        #expect(glossary.language == language.rawValue)
        #expect(glossary.terms.map(\.concept) == (try Self.concepts().concepts.map(\.concept)))
        for term in glossary.terms {
            #expect(!term.term.isEmpty && term.found != term.term, "\(term.concept)")
            for other in term.never ?? [] {
                #expect(!(try GlossaryPattern(other).isIn(term.term)), "\(term.concept): \(other)")
            }
        }
    }

    @Test(arguments: translated)
    func `have no other word for the same thing in a text`(_ language: Language) throws {
        let sentences = try Self.sentences()
        let entries = Self.entries(language).map { (key: $0.key, text: sentences($0.text)) }
        for term in try Glossary.of(language).terms {
            for other in term.never ?? [] {
                let pattern = try GlossaryPattern(other)
                for entry in entries where pattern.isIn(entry.text) {
                    Issue.record("\(entry.key): \(entry.text) has \(other); the word is \(term.term)")
                }
            }
        }
    }

    @Test(arguments: translated)
    func `have their word in each text whose English form names the concept`(_ language: Language) throws {
        let sentences = try Self.sentences()
        let entries = Self.entries(language).map { (entry: $0, english: sentences($0.english)) }
        for (concept, term) in zip(try Self.concepts().concepts, try Glossary.of(language).terms) {
            guard let english = try concept.pattern.map({ try GlossaryPattern($0, ignoresCase: true) }) else {
                continue
            }
            let escaped = NSRegularExpression.escapedPattern(for: term.term)
            let word = try GlossaryPattern(term.found ?? escaped)
            var unneeded = Set((term.except ?? [:]).keys)
            for (entry, sentence) in entries where english.isIn(sentence) && !word.isIn(entry.text) {
                let isExcepted = unneeded.remove(entry.key) != nil
                #expect(isExcepted, "\(entry.key): \(entry.text) lacks \(term.term) for \(concept.concept)")
            }
            #expect(unneeded.isEmpty, "\(concept.concept): exceptions that are not needed")
        }
    }

    @Test(arguments: translated)
    func `keep the names that stay English`(_ language: Language) throws {
        let placeholder = try GlossaryPattern(#"\{\{\w+\}\}"#)
        let entries = Self.entries(language).map { (entry: $0, english: placeholder.removed(from: $0.english)) }
        for kept in try Self.concepts().stays {
            let name = try GlossaryPattern(#"(?<![\w-])\#(NSRegularExpression.escapedPattern(for: kept.term))(?!\w)"#)
            for (entry, english) in entries where name.isIn(english) {
                // German joins the words of a name with hyphens.
                let isKept = entry.text.contains(kept.term) || entry.text.replacing("-", with: " ").contains(kept.term)
                #expect(isKept, "\(entry.key): \(entry.text) lacks \(kept.term)")
            }
        }
    }

    @Test(arguments: [
        (Language.german, "stop", "Noch zwei Stopps vor Ihrem"), (.german, "you", "Jetzt bist du dran"),
        (.german, "token", "Das Token ist abgelaufen"), (.korean, "driver", "운전자가 도착했습니다"),
        (.korean, "poll", "폴링을 계속합니다"), (.simplifiedChinese, "answer", "没有应答"),
        (.simplifiedChinese, "refresh", "令牌已更新"), (.traditionalChinese, "poll", "輪詢失敗"),
    ])
    func `find another word in a sentence`(_ language: Language, _ concept: String, _ sentence: String) throws {
        let term = try #require(try Glossary.of(language).terms.first { $0.concept == concept })
        let found = try (term.never ?? []).contains { try GlossaryPattern($0).isIn(sentence) }
        #expect(found, "\(concept)")
    }
}
