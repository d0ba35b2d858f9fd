import Foundation
import Testing
import TripScreen
import TripTestSupport

@Suite("Catalogue", .ends(within: .minutes(10)))
struct CatalogueTests {
    /// Texts that are intentionally the same in English and in another language.
    private static let sameOnPurpose: Set<String> = [
        // Signs and units.
        "decimalPoint", "seconds", "minutes", "minutesSeconds", "kilometers", "meters", "miles", "feet",
        "kilometersPerHour", "milesPerHour", "latencies", "serviceShort", "httpStatus", "saidDetail", "listComma",
        "clauseComma", "fullStop", "sentenceAndAdvice", "becauseDetail",
    ]

    /// Words that German shares with English.
    private static let sameInGerman: Set<String> = [
        "viewToken", "tokens", "position", "countdownAhead", "connectionLive", "tookTime", "maximum", "columnStatus",
        "callsStatus", "callsBytes", "orderStatus",
    ]

    private static func places(_ text: String) -> Set<String> {
        Set(text.matches(of: /\{\d\}/).map { String($0.output) })
    }

    @Test(arguments: Language.allCases)
    func `has every text in every language`(_ language: Language) {
        let texts = Catalogue.all(in: language)
        #expect(texts.count == Catalogue.all(in: .english).count)
        for (name, text) in texts { #expect(!text.isEmpty, "\(name) is missing in \(language)") }
    }

    @Test(arguments: Language.allCases)
    func `has the same placeholders in every language`(_ language: Language) {
        let texts = Catalogue.all(in: language)
        for (name, english) in Catalogue.all(in: .english) {
            let text = texts[name] ?? ""
            // The singular form may omit the number.
            let wanted = Self.places(english.split(separator: "|").last.map(String.init) ?? "")
            for form in text.split(separator: "|").suffix(1) {
                #expect(Self.places(String(form)) == wanted, "\(name) in \(language)")
            }
        }
    }

    @Test(arguments: Language.allCases)
    func `has singular and plural forms in languages with a plural`(_ language: Language) {
        let texts = Catalogue.all(in: language)
        let hasPlural = language == .english || language == .german
        for (name, english) in Catalogue.all(in: .english) {
            let forms = (texts[name] ?? "").split(separator: "|", omittingEmptySubsequences: false).count
            #expect(forms == (english.contains("|") && hasPlural ? 2 : 1), "\(name) in \(language)")
        }
    }

    @Test(arguments: Language.allCases.filter { $0 != .english })
    func `leaves no text untranslated`(_ language: Language) {
        let texts = Catalogue.all(in: language)
        let same = language == .german ? Self.sameOnPurpose.union(Self.sameInGerman) : Self.sameOnPurpose
        for (name, english) in Catalogue.all(in: .english) where !same.contains(name) {
            #expect(texts[name] != english, "\(name) in \(language)")
        }
    }

    @Test func `writes German in ASCII on ASCII terminals`() {
        let words = Wording(.german, isASCII: true)
        #expect(words.language == .german && words.fallback == nil)
        #expect(words.countdown(.seconds(-65)) == "1:05 zu spaet")
    }

    @Test(arguments: [Language.korean, .simplifiedChinese, .traditionalChinese])
    func `falls back to English in ASCII with a message`(_ language: Language) throws {
        let words = Wording(language, isASCII: true)
        #expect(words.language == .english)
        #expect(words.countdown(.zero) == "now")
        #expect(try #require(words.fallback).contains("UTF-8"))
        #expect(Wording(language).fallback == nil)
    }
}
