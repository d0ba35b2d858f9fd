import Canvas
import Foundation
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport

/// The check list of expectations on the screen.
@Suite("Expectations on the screen", .ends(within: .quickTest))
struct ExpectationTests {
    private static func expectations() -> [TripExpectation] {
        var complete = ExpectedConditions()
        complete.reached = .trip(.complete)
        var offRoute = ExpectedConditions()
        offRoute.finding = "offRoute"
        return [
            TripExpectation(name: "Arrives", kind: .must(complete, .once), within: 600),
            TripExpectation(name: "Stays on the route", kind: .mustNot(offRoute)),
            TripExpectation(
                name: "Same arrival",
                kind: .manual(question: "Does the app show the same arrival?", journey: nil)
            ),
        ]
    }

    private static func scene(width: Int = 80, height: Int = 24) throws -> (State, ExpectationChecker) {
        var state = try Ride().screen(at: 65, width: width, height: height)
        let id = try #require(state.trip?.id)
        let checker = ExpectationChecker(
            expectations(),
            first: id,
            begins: state.now,
            tolerance: .init(lateness: 6, transition: 5)
        )
        _ = state.update(.expectations(checker.results, changed: []))
        return (state, checker)
    }

    @Test func `a manual step asks in every view until it is answered with a note`() throws {
        var (state, checker) = try Self.scene()
        for kind in ViewKind.allCases {
            _ = state.update(.key(.character(Character(String(kind.number)))))
            #expect(view(state).text.contains("Test step (E to answer): Does the app show the same arrival?"))
        }
        _ = state.update(.key(.character("P")))
        #expect(view(state).text.contains("Test step (E to answer)"))
        _ = state.update(.key(.character("P")))
        _ = state.update(.key(.character("E")))
        #expect(state.overlay == .expectations && state.panels.expectations.chosen == 2)
        _ = state.update(.key(.character("n")))
        #expect(view(state).text.contains("failed, note:"))
        for character in "1 min off" { _ = state.update(.key(.character(character))) }
        let effects = state.update(.key(.enter))
        #expect(effects == [.answer(2, .fail, note: "1 min off")])
        let changed = checker.answer(2, .fail, note: "1 min off", at: state.now)
        _ = state.update(.expectations(checker.results, changed: changed))
        _ = state.update(.key(.escape))
        #expect(!view(state).text.contains("Test step"))
        #expect(state.log.entries.last?.text.contains("Expectation failed: Same arrival") == true)
    }

    @Test func `the list shows outcomes with evidence, and keys and mouse move in it`() throws {
        var (state, _) = try Self.scene(width: 120, height: 40)
        _ = state.update(.key(.character("E")))
        let text = view(state).text
        #expect(text.contains("Expectations") && text.contains("0 passed, 0 failed, 0 skipped, 3 open"))
        #expect(text.contains("Arrives") && text.contains("the trip was not polled yet"))
        #expect(text.contains("true so far") && text.contains("no answer from the tester"))
        _ = state.update(.key(.home))
        #expect(state.panels.expectations.chosen == 0)
        // Only manual steps are answered.
        #expect(state.update(.key(.character("y"))) == [] && state.prompt == nil)
        _ = state.update(.pointer(Pointer(.wheelDown, x: 60, y: 20)))
        #expect(state.panels.expectations.chosen == 1)
        _ = state.update(.key(.character("E")))
        #expect(state.overlay == nil)
    }

    @Test func `key and command exist only with expectations`() throws {
        var state = try Ride().screen(at: 65)
        _ = state.update(.key(.character("E")))
        #expect(state.overlay == nil)
        (state, _) = try Self.scene()
        for key: Key in [.character(":")] + "expectations".map(Key.character) + [.enter] {
            _ = state.update(.key(key))
        }
        #expect(state.overlay == .expectations)
    }

    @Test(arguments: [(30, 6), (45, 12), (80, 24), (200, 60)])
    func `the list fits every size`(_ size: (Int, Int)) throws {
        var (state, _) = try Self.scene(width: size.0, height: size.1)
        _ = state.update(.key(.character("E")))
        #expect(view(state).text.contains("Same arrival"))
    }
}
