import FleetEmulator
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Scenario captions", .ends(within: .quickTest))
struct CaptionTests {
    private func scenario(_ steps: String, events: String = "") throws(YAMLFileError) -> Scenario {
        try Scenario(
            yaml: """
                title: T
                about: A
                vehicles:
                  - id: v
                    at: [51.0, 3.7]
                    steps:
                \(steps)
                trips:
                  - {id: t, pickup: [51.01, 3.7], dropoff: [51.02, 3.7]}
                \(events)
                expect: []
                """,
            name: "t",
            file: "t.yaml"
        )
    }

    private func captions(_ scenario: Scenario) -> [String] {
        scenario.drivers.flatMap(\.steps).map { step in
            if case .caption(let caption) = step { caption.text } else { "-" }
        }
    }

    @Test func `a caption can be a key of a step, a step of its own, or an event`() throws {
        let scenario = try scenario(
            """
                  - wait: 5
                    caption: one
                  - caption: two
                  - wait: 1
            """,
            events: "events: [{at: 9, caption: later}, {at: 9, cancel: t, caption: gone}]"
        )
        #expect(captions(scenario) == ["one", "-", "two", "-"])
        let said = scenario.events.compactMap { event in
            if case .caption(let caption) = event.action { caption.text } else { nil }
        }
        #expect(said == ["later", "gone"] && scenario.events.count == 3)
    }

    @Test(arguments: ["''", "'\(String(repeating: "x", count: 201))'"])
    func `refuses an empty or too long caption with its line`(_ text: String) {
        #expect {
            _ = try scenario("      - caption: \(text)")
        } throws: { error in
            (error as? YAMLFileError).map { $0.line == 7 && $0.message.contains("caption") } ?? false
        }
    }

    @Test func `a caption may have several languages and needs English`() throws {
        let scenario = try scenario("      - caption: {en: one, de: eins}")
        #expect(captions(scenario) == ["one"])
        guard case .caption(let caption)? = scenario.drivers.first?.steps.first else {
            Issue.record("no caption")
            return
        }
        #expect(caption.translations == ["en": "one", "de": "eins"])
        #expect {
            _ = try self.scenario("      - caption: {de: eins}")
        } throws: { error in
            (error as? YAMLFileError).map { $0.line == 7 && $0.message.contains("caption") } ?? false
        }
    }

    @Test func `a caption says what ends it`() throws {
        let scenario = try scenario(
            """
                  - caption: one
                    while: {fault: latency, seconds: 20}
                  - caption: two
                    expect: {status: [ENROUTE_TO_PICKUP]}
                    while: {seconds: 30}
                  - caption: three
            """
        )
        let found = scenario.drivers.flatMap(\.steps).compactMap { step in
            if case .caption(let caption) = step { caption.validity } else { nil }
        }
        #expect(found.map(\.fault) == ["latency", nil, nil])
        #expect(found.map(\.seconds) == [20, 30, SceneCaption.duration])
        #expect(found.map(\.conditions.statuses) == [[], [.trip(.enrouteToPickup)], []])
    }

    @Test(arguments: [
        "{fault: slowness}", "{seconds: 0}", "{status: [GONE]}", "{position: old}",
    ])
    func `refuses an end of a caption that nothing can show, with its line`(_ text: String) {
        #expect {
            _ = try scenario("      - caption: one\n        while: \(text)")
        } throws: { error in
            (error as? YAMLFileError)?.line == 8
        }
    }

    @Test func `a late reader gets the latest caption`() async {
        let captions = SceneCaptions()
        for text in ["one", "two", "three"] { captions.show(SceneCaption(text)) }
        var seen: String?
        for await sentence in captions.sentences {
            seen = sentence.text
            break
        }
        #expect(seen == "three")
    }

    @Test func `captions name no trip and no vehicle`() throws {
        for name in Scenario.names + Scenario.deliveryNames {
            let scenario = try #require(try Scenario.named(name))
            let ids = scenario.drivers.flatMap { driver in
                [driver.vehicle.id] + driver.trips.map(\.id.rawValue) + driver.tasks.map(\.id.rawValue)
            }
            for caption in captions(scenario) { #expect(!ids.contains { caption.contains($0) }, "\(caption)") }
        }
    }
}
