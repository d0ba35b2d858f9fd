import FleetEmulator
import Testing
import TripTestSupport
import TripText

/// The built-in scenarios are translated into every language of the screen.
@Suite("Captions in every language", .ends(within: .minutes(10)))
struct ScenarioCaptionTests {
    private static func captions() throws -> [SceneCaption] {
        var captions: [SceneCaption] = []
        for name in ["ride"] + Scenario.names {
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

    @Test(arguments: Language.allCases)
    func `has every caption of every scenario`(_ language: Language) throws {
        for caption in try Self.captions() {
            let words = caption.translations[language.rawValue]
            #expect(words?.isEmpty == false && (words == caption.text) == (language == .english), "\(caption.text)")
        }
    }

    @Test func `has no captions in a language that the screen does not speak`() throws {
        let languages = Set(Language.allCases.map(\.rawValue))
        for caption in try Self.captions() {
            #expect(Set(caption.translations.keys).subtracting(languages) == [], "\(caption.text)")
        }
    }
}
