import Canvas
import Runtime
import Testing
import TripTestSupport

@testable import TripScreen

@Suite("Lock of the keys", .ends(within: .quickTest))
struct KeyLockTests {
    private static let notice = "Locked: type ‘unlock’ to use the keys again"

    private func type(_ text: String, _ state: inout State) -> [Effect] {
        text.flatMap { state.update(.key(.character($0))) }
    }

    private func locked(_ change: (inout State.Settings) -> Void = { _ in }) throws -> State {
        var state = try Ride().screen(at: 60, change)
        #expect(type(":lock", &state).isEmpty && state.update(.key(.enter)).isEmpty)
        #expect(state.prompt == nil && state.input.lock != nil)
        return state
    }

    @Test func `keys, clicks and pastes change nothing but the notice`() throws {
        var state = try locked()
        let before = view(state)
        #expect(before.rows.last?.contains(Self.notice) == true)
        #expect(type("qP3 rt]M:q", &state).isEmpty)
        for key in [Key.enter, .escape, .tab, .function(1), .up, .control("l")] {
            #expect(state.update(.key(key)).isEmpty)
        }
        for action in Pointer.Action.allCases { #expect(state.update(.pointer(Pointer(action, x: 20, y: 1))).isEmpty) }
        #expect(state.update(.paste("unlock")).isEmpty)
        #expect(state.input.lock != nil && view(state).text == before.text)
    }

    @Test(arguments: ["unlock", "UNLOCK", "qqununlock", "unlunlock"])
    func `the word unlocks, whatever was typed before`(text: String) throws {
        var state = try locked()
        #expect(type(text, &state).isEmpty)
        #expect(state.input.lock == nil && state.message == "The keys work again")
        #expect(type("q", &state) == [.quit])
    }

    @Test(arguments: ["unloc", "unlokc", "lock", "unloc k"])
    func `another text does not`(text: String) throws {
        var state = try locked()
        #expect(type(text, &state).isEmpty && state.input.lock != nil)
    }

    @Test func `a key that is no letter interrupts the word, and Ctrl-C quits`() throws {
        var state = try locked()
        _ = type("unl", &state)
        _ = state.update(.key(.backspace))
        _ = type("ock", &state)
        #expect(state.input.lock != nil)
        #expect(state.update(.key(.control("c"))) == [.quit])
    }

    @Test func `the screen goes on`() throws {
        var state = try locked()
        let before = view(state).text
        for message in try Ride().messages(until: 75) { _ = state.update(message) }
        _ = state.update(.tick(Ride.moment(75)))
        #expect(view(state).text != before && state.input.lock != nil)
    }

    @Test func `an audience sees the notice for five seconds after a key`() throws {
        var state = try locked { $0.isPresenter = true }
        func isNoticed() -> Bool { view(state).text.contains("Locked") }
        #expect(isNoticed())
        // The lock is two seconds younger than the ride.
        _ = state.update(.tick(Ride.moment(68)))
        #expect(!isNoticed())
        #expect(type("q", &state).isEmpty && isNoticed())
        _ = state.update(.tick(Ride.moment(74)))
        #expect(!isNoticed() && state.input.lock != nil)
    }
}
