import Canvas
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

/// Lists have columns with headings where there is room.
@Suite("Columns of lists", .ends(within: .quickTest))
struct ListColumnTests {
    private func text(_ scene: ViewPictureTests.Scene, _ width: Int, _ height: Int) throws -> [String] {
        try view(scene.screen(width, height)).text.split(separator: "\n").map(String.init)
    }

    @Test(arguments: [(120, 40), (200, 60)])
    func `the log has time, trip and event`(_ size: (Int, Int)) throws {
        let lines = try text(.log, size.0, size.1)
        let heading = try #require(lines.first { $0.contains(/│ Time +Trip +Event/) })
        #expect(!heading.contains("What to do"), "no event has an advice")
        let row = try #require(lines.first { $0.contains("Waiting for a driver") })
        for (name, value) in [("Time", "17:"), ("Trip", "trip-7f3a"), ("Event", "Waiting for")] {
            let columns = [heading.range(of: name), row.range(of: value)].compactMap { $0?.lowerBound }
            try #require(columns.count == 2)
            let places = [
                heading.distance(from: heading.startIndex, to: columns[0]),
                row.distance(from: row.startIndex, to: columns[1]),
            ]
            #expect(places[0] == places[1], "\(name)")
        }
    }

    @Test func `the log names each trip once in its row`() throws {
        var state = try Fleet.screen(width: 200, height: 60)
        _ = state.update(.key(.character("7")))
        let text = view(state).text
        #expect(text.contains(Fleet.names[3]) && !text.contains("\(Fleet.names[3]):"))
    }

    @Test func `an advice is beside its event where both fit, and below it elsewhere`() throws {
        for (width, isBeside) in [(400, true), (120, false)] {
            var state = try ViewPictureTests.Scene.networkErrors.screen(width, 40)
            _ = state.update(.key(.character("7")))
            let entry = try #require(state.log.entries.first { $0.advice != nil })
            let canvas = view(state)
            #expect(canvas.text.contains("What to do") == isBeside, "\(canvas.text)")
            let first = String(try #require(entry.advice).prefix(30))
            let lines = canvas.text.split(separator: "\n").filter { $0.contains(first) }
            #expect(!lines.isEmpty && lines.allSatisfy { $0.contains("17:0") == isBeside }, "\(canvas.text)")
        }
    }

    @Test func `a narrow log has lines without columns`() throws {
        #expect(try !text(.log, 80, 24).contains { $0.contains("Time  ") })
    }

    @Test func `the findings have how often, first and last`() throws {
        let lines = try text(.findings, 120, 40)
        #expect(lines.contains { $0.contains(/Finding +Times +First +Last/) })
        // Two findings of the rule, at 30 and at 60 s.
        #expect(lines.contains { $0.contains("  2 17:00:30 17:01:00") })
    }

    @Test func `the expectations have name, result and evidence`() throws {
        var state = try Ride().screen(at: 65, width: 120, height: 40)
        var complete = ExpectedConditions()
        complete.reached = .trip(.complete)
        let checker = ExpectationChecker(
            [TripExpectation(name: "Arrives", kind: .must(complete, .once), within: 600)],
            first: try #require(state.trip?.id),
            begins: state.now,
            tolerance: .init(lateness: 6, transition: 5)
        )
        _ = state.update(.expectations(checker.results, changed: []))
        _ = state.update(.key(.character("E")))
        let text = view(state).text
        #expect(text.contains(/Expectation +Result +Evidence/) && text.contains(/Arrives +open/), "\(text)")
    }

    @Test(arguments: Language.allCases, [72, 80, 100, 120, 160, 200])
    func `the column of the last poll cuts nothing`(_ language: Language, _ width: Int) throws {
        var state = try Fleet.screen(width: width, height: 40, localizer: Localizer(language))
        _ = state.update(.key(.character("2")))
        let canvas = view(state, recordsTexts: true)
        let cross = state.settings.glyphs.cross
        let failed = (canvas.drawnTexts ?? []).filter { $0.wanted.hasPrefix("\(cross) ") }
        #expect(!failed.isEmpty && failed.allSatisfy { !$0.isCut }, "\(canvas.text)")
    }
}
