import FleetEmulator
import Foundation
import Testing
import TripTestSupport
import TripText

/// The built-in scenarios and the tour are translated into every language of the screen.
@Suite("Captions in every language", .ends(within: .longTest))
struct ScenarioCaptionTests {
    private static let translated = Language.allCases.filter { $0 != .english }

    private static func captions() throws -> [SceneCaption] {
        var captions: [SceneCaption] = []
        for name in ["ride"] + Scenario.names + Scenario.deliveryNames {
            let scenario = try #require(name == "ride" ? Scenario.plainRide(seed: 1) : Scenario.named(name))
            let own = scenario.drivers.flatMap(\.steps).compactMap {
                if case .caption(let caption) = $0 { caption } else { nil }
            }
            let reported = scenario.events.compactMap {
                if case .caption(let caption) = $0.action { caption } else { nil }
            }
            #expect(own.count + reported.count >= 2, "\(name) has too few captions")
            captions += own + reported
        }
        return captions
    }

    /// The captions, the texts of the tour, and what each scenario shows.
    private static func texts() throws -> Set<String> {
        let tour = Tour.embedded
        let pages = tour.stages.map(\.page) + [tour.last]
        let summaries = try Scenario.summaries().values
        return Set(try captions().map(\.text) + pages.flatMap { [$0.title, $0.about] } + summaries)
    }

    @Test func `are English in the files of the scenarios`() throws {
        for caption in try Self.captions() { #expect(caption.translations == [:], "\(caption.text)") }
    }

    @Test(arguments: translated)
    func `have a translation for each text, and none for others`(_ language: Language) throws {
        let translations = Catalogue.captions(language)
        let texts = try Self.texts()
        #expect(texts.subtracting(translations.keys) == [])
        #expect(Set(translations.keys).subtracting(texts) == [])
        for (text, words) in translations {
            #expect(!words.isEmpty && words != text && words.count <= 200, "\(text)")
            #expect(Localizer(language).caption(text) == words)
        }
    }

    @Test(arguments: translated)
    func `lie in Assets as they are embedded, each text once and in the same order`(_ language: Language) throws {
        func keys(_ language: Language) throws -> [String] {
            let url = Checkout.assets.appending(path: "Strings/captions.\(language.rawValue).json")
            let file = try String(contentsOf: url, encoding: .utf8)
            #expect(
                try JSONDecoder().decode([String: String].self, from: Data(file.utf8)) == Catalogue.captions(language)
            )
            return file.split(separator: "\n").compactMap { line in
                line.contains("\": \"") ? line.components(separatedBy: "\": \"").first : nil
            }
        }
        let texts = try keys(language)
        #expect(try texts.count == Catalogue.captions(language).count && texts == keys(.german))
    }
}
