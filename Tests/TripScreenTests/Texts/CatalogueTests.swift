import Canvas
import Failures
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport

@testable import TripText

@Suite("Catalogue", .ends(within: .longTest))
struct CatalogueTests {
    /// Texts that are intentionally the same in English and in another language.
    private static let sameOnPurpose: Set<String> = [
        // Signs and units.
        "decimalPoint", "quotationMarks", "seconds", "minutes", "minutesSeconds", "kilometers", "meters", "miles",
        "feet", "kilometersPerHour", "milesPerHour", "latencies", "serviceShort", "httpStatus", "saidDetail",
        "listComma",
        "clauseComma", "fullStop", "sentenceAndAdvice", "becauseDetail", "checkTLS", "quotedName", "labelled",
        "callsService", "captionSentence",
    ]

    /// Words that German shares with English.
    private static let sameInGerman: Set<String> = [
        "viewToken", "tokens", "position", "countdownAhead", "connectionLive", "tookTime", "maximum", "columnStatus",
        "callsStatus", "callsBytes", "orderStatus", "checkName", "checkToken", "checkPosition", "reportClaims",
        "receiptTokens", "receiptError",
    ]

    /// The keys of the texts that the program has, without suffixes.
    private static let order = TextKey.all.map(\.rawValue)
    private static let keys = Set(order)
    /// The keys of texts that depend on a number.
    private static let counted = Set(
        Catalogue.file(.english).filter { placeholders($0.value) == ["count"] || $0.key.hasSuffix("_other") }
            .map { base($0.key) }
    )
    /// The keys of texts that differ for places of a trip.
    private static let placed = Set(FindingRule.all.filter { !$0.places.isEmpty }.map(\.sentence.rawValue))

    static func placeholders(_ text: String) -> Set<String> {
        Set(text.matches(of: /\{\{(\w+)\}\}/).map { String($0.1) })
    }

    /// The key of the program for a key of a file.
    private static func base(_ key: String) -> String { String(key.prefix { $0 != "_" }) }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `has generated members for the keys and the placeholders of the English file`() async throws {
        _ = try await PythonProgram.run(".ci/generate-texts", ["--check"])
    }

    @Test(arguments: Language.allCases)
    func `has every text in every language, and none that the program does not use`(_ language: Language) {
        let texts = Catalogue.file(language)
        #expect(Self.keys.subtracting(texts.keys.map(Self.base)) == [])
        #expect(Set(texts.keys.map(Self.base)).subtracting(Self.keys) == [])
        for (key, text) in texts { #expect(!text.isEmpty, "\(key) is empty in \(language)") }
    }

    @Test(arguments: Language.allCases)
    func `has a text of its own for shipments where those of trips do not fit`(_ language: Language) {
        func keys(_ language: Language) -> Set<String> {
            Set(Catalogue.file(language).keys.filter { $0.contains("_shipment") && !$0.hasSuffix("_one") })
        }
        #expect(keys(language) == keys(.english) && !keys(.english).isEmpty)
        let localizer = Localizer(language)
        for key in keys(language).compactMap({ TextKey(rawValue: Self.base($0)) }) {
            for text in Self.counted.contains(key.rawValue) ? [Text(key, count: 1), Text(key, count: 2)] : [Text(key)] {
                #expect(localizer.about(.shipment)(text) != localizer(text), "\(text)")
            }
        }
    }

    @Test(arguments: Language.allCases)
    func `is embedded as it lies in Assets, one key to a line and each key once`(_ language: Language) throws {
        let url = Checkout.assets.appending(path: "Strings/\(language.rawValue).json")
        let file = try String(contentsOf: url, encoding: .utf8)
        let texts = Catalogue.file(language)
        #expect(try JSONDecoder().decode([String: String].self, from: Data(file.utf8)) == texts)
        let keys = file.split(separator: "\n").compactMap { $0.firstMatch(of: /^\s+"(\w+)":/).map { String($0.1) } }
        #expect(keys.count == texts.count && Set(keys).count == keys.count)
        // In the same order in each language, so that two files can be read side by side.
        var order: [String] = []
        for key in keys.map(Self.base) where order.last != key { order.append(key) }
        #expect(order == Self.order && Self.order.count == Self.keys.count)
    }

    @Test(arguments: Language.allCases)
    func `has the same placeholders in every language`(_ language: Language) {
        let texts = Catalogue.file(language)
        let english = Catalogue.file(.english)
        for (key, text) in texts {
            let name = Self.base(key)
            let wanted = Self.placeholders(english[key] ?? english[name + "_other"] ?? "")
            // The form for one may leave the number out.
            let found = Self.placeholders(text).union(key.hasSuffix("_one") ? ["count"] : [])
            #expect(found == wanted.union(key.hasSuffix("_one") ? ["count"] : []), "\(key) in \(language)")
            #expect(!text.replacing(/\{\{\w+\}\}/, with: "").contains("{{"), "\(key) in \(language)")
        }
    }

    @Test func `has no placeholders without evidence in the texts about findings`() {
        let english = Catalogue.file(.english)
        for rule in FindingRule.all {
            let sentence = rule.sentence.rawValue
            #expect(Self.placeholders(english[rule.title.rawValue] ?? "") == [], "\(rule.id)")
            for key in rule.places.isEmpty ? [sentence] : rule.places.map({ "\(sentence)_\($0)" }) {
                #expect(Self.placeholders(english[key] ?? "{{\(key)}}").subtracting(rule.placeholders) == [], "\(key)")
            }
        }
    }

    @Test(arguments: Language.allCases)
    func `has all plural forms of every counted text`(_ language: Language) {
        let texts = Catalogue.file(language)
        let hasPlural = language == .english || language == .german
        for key in Self.keys.subtracting(Self.placed) {
            let isCounted = Self.counted.contains(key)
            #expect((texts[key] == nil) == isCounted, "\(key) in \(language)")
            #expect((texts[key + "_other"] != nil) == isCounted, "\(key) in \(language)")
            #expect((texts[key + "_one"] != nil) == (isCounted && hasPlural), "\(key) in \(language)")
        }
    }

    @Test(arguments: Language.allCases.filter { $0 != .english })
    func `leaves no text untranslated`(_ language: Language) {
        let texts = Catalogue.file(language)
        let same = language == .german ? Self.sameOnPurpose.union(Self.sameInGerman) : Self.sameOnPurpose
        for (key, english) in Catalogue.file(.english) where !same.contains(Self.base(key)) {
            #expect(texts[key] != english, "\(key) in \(language)")
        }
    }

    @Test(arguments: Language.allCases)
    func `has no text that is too long for its place`(_ language: Language) {
        // The columns that there are for a text, by how its key begins.
        let places: [(prefix: String, columns: Int)] = [
            ("key", 20), ("view", 10), ("column", 12), ("big", 16), ("diagram", 12), ("why", 11), ("order", 14),
        ]
        for (key, text) in Catalogue.file(language) {
            for (prefix, columns) in places {
                guard key.hasPrefix(prefix), key.dropFirst(prefix.count).first?.isUppercase == true,
                    Self.placeholders(text).isEmpty
                else { continue }
                #expect(TextWidth.of(text) <= columns, "\(key) in \(language)")
            }
        }
    }

    @Test func `has one form for all numbers in a language without a plural`() {
        #expect(Localizer(.korean)(.polls(count: 1)) == Localizer(.korean)(.polls(count: 2)).replacing("2", with: "1"))
        #expect(Catalogue.file(.korean)["polls_one"] == nil)
    }

    @Test func `writes German in ASCII on ASCII terminals`() {
        let words = Localizer(.german, isASCII: true)
        #expect(words.language == .german && words.fallback == nil)
        #expect(words(.countdownOverdue(duration: "1:05")) == "1:05 ueberfaellig")
    }

    @Test(arguments: [Language.korean, .simplifiedChinese, .traditionalChinese])
    func `falls back to English in ASCII with a message`(_ language: Language) throws {
        let words = Localizer(language, isASCII: true)
        #expect(words.language == .english)
        #expect(words.countdown(.zero) == "now")
        #expect(try #require(words.fallback).contains("UTF-8"))
        #expect(Localizer(language).fallback == nil)
    }
}
