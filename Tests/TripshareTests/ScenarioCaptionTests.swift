import FleetEmulator
import Testing
import TripScreen
import TripTestSupport

/// The built-in scenarios are translated into every language of the screen.
@Suite("Captions in every language", .ends(within: .minutes(10)))
struct ScenarioCaptionTests {
    private static func captions() throws -> Set<String> {
        var captions: Set<String> = []
        for name in Scenario.names {
            let scenario = try #require(try Scenario.named(name))
            let own = scenario.drivers.flatMap(\.steps).compactMap {
                if case .caption(let caption) = $0 { caption.text } else { nil }
            }
            let told = scenario.events.compactMap {
                if case .caption(let caption) = $0.action { caption.text } else { nil }
            }
            #expect(own.count + told.count >= 2, "\(name) tells too little")
            captions.formUnion(own + told)
        }
        return captions
    }

    @Test(arguments: Language.allCases.filter { $0 != .english })
    func `has a translation for every caption`(_ language: Language) throws {
        for caption in try Self.captions() {
            #expect(Wording(language).caption(caption) != caption, "\(caption)")
        }
    }

    @Test func `has no translation without a caption`() throws {
        let captions = try Self.captions()
        let texts = Catalogue.captions
        #expect(texts.subtracting(captions) == [])
    }
}
