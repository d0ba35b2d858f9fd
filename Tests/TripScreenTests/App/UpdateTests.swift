import Canvas
import Foundation
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import TripScreen

@Suite("Screen update", .ends(within: .quickTest))
struct UpdateTests {
    private func following(_ names: [String] = ["a", "b"], interval: Double = 5) throws -> State {
        var state = State(
            trips: try names.map { try .trip(TripID($0)) },
            settings: State.Settings(host: "host"),
            now: Ride.moment(0),
            width: 80,
            height: 24
        )
        for trip in state.trips {
            let schedule = PollSchedule(interval: .seconds(interval), next: .seconds(1005))
            #expect(state.update(.feed(.scheduled(trip.id, schedule))).isEmpty)
        }
        return state
    }

    private func pause(_ state: inout State) throws {
        for trip in state.trips {
            var schedule = try #require(trip.schedule)
            schedule.isPaused.toggle()
            #expect(state.update(.feed(.scheduled(trip.id, schedule))).isEmpty)
        }
    }

    @Test(arguments: [Key.character("q"), .control("c")])
    func `quits`(_ key: Key) throws {
        var state = try following()
        #expect(state.update(.key(key)) == [.quit])
    }

    @Test func `shows and hides the help, which blocks other keys except q`() throws {
        var state = try following()
        #expect(state.update(.key(.character("?"))).isEmpty)
        #expect(state.overlay == .help(row: 0))
        #expect(state.update(.key(.character(" "))).isEmpty)
        #expect(state.update(.key(.character("q"))) == [.quit])
        #expect(state.update(.key(.escape)).isEmpty)
        #expect(state.overlay == nil)
    }

    @Test func `space pauses all trips and resumes them`() throws {
        var state = try following()
        let all = state.trips.map(\.id)
        #expect(state.update(.key(.character(" "))) == all.map { .feed(.pause, $0) })
        try pause(&state)
        #expect(state.isPaused)
        #expect(state.update(.key(.character(" "))) == all.map { .feed(.resume, $0) })
        try pause(&state)
        #expect(!state.isPaused)
    }

    @Test func `space resumes even if the polls have not paused yet`() throws {
        var state = try following()
        let all = state.trips.map(\.id)
        #expect(state.update(.key(.character(" "))) == all.map { .feed(.pause, $0) })
        #expect(state.update(.key(.character(" "))) == all.map { .feed(.resume, $0) })
        #expect(state.update(.key(.character(" "))) == all.map { .feed(.pause, $0) })
        try pause(&state)
        #expect(state.update(.key(.character(" "))) == all.map { .feed(.resume, $0) })
    }

    @Test func `polls the shown trip and fetches its token`() throws {
        var state = try following()
        #expect(state.update(.key(.character("]"))).isEmpty)
        let shown = try TripID("b")
        #expect(state.trip?.id == .trip(shown))
        #expect(state.update(.key(.character("r"))) == [.feed(.pollNow, .trip(shown))])
        #expect(state.update(.key(.character("t"))) == [.refreshToken(.trip(shown))])
    }

    @Test func `cycles through the trips in both directions`() throws {
        var state = try following(["a", "b", "c"])
        var seen: [String] = []
        for key in ["]", "]", "]", "[", "["] as [Character] {
            #expect(state.update(.key(.character(key))).isEmpty)
            seen.append(try #require(state.trip).id.rawValue)
        }
        #expect(seen == ["b", "c", "a", "c", "b"])
    }

    @Test(arguments: [
        ("+", 5.0, 10.0), ("+", 60, 60), ("=", 1, 2), ("-", 5, 3), ("-", 1, 1), ("-", 7, 5), ("+", 0.5, 1),
        ("-", 300, 60),
    ])
    func `changes the interval in steps`(_ step: (key: Character, from: Double, to: Double)) throws {
        var state = try following(["a"], interval: step.from)
        let order = Effect.feed(.setInterval(.seconds(step.to)), try .trip(TripID("a")))
        #expect(state.update(.key(.character(step.key))) == [order])
    }

    @Test func `sends no commands to a trip that has ended`() throws {
        var state = try following(["a"])
        #expect(state.update(.feed(.ended(try .trip(TripID("a")), .reached(.trip(.complete))))).isEmpty)
        for key in [Key.character(" "), .character("r"), .character("+"), .character("-"), .character("t")] {
            #expect(state.update(.key(key)).isEmpty)
        }
    }

    @Test(arguments: [
        KeyBinding.Command.quit, .help, .palette, .receipt, .failure, .presenter, .showView, .back, .togglePause,
        .pollNow, .refreshToken, .nextTrip, .evidence, .showSides, .scrollText, .playReplay, .timeTravel,
        .compareTimes, .nextPoll, .previousPoll, .nextMark, .fasterReplay, .holdRide, .nextStage, .faults,
        .clearFaults, .expectations, .openCall, .largeArrival,
    ])
    func `a command that other files name has a row`(_ command: KeyBinding.Command) {
        #expect(KeyMap.rows[command]?.command == command && KeyBinding.Command(rawValue: command.rawValue) == command)
    }

    @Test(arguments: ViewKind.allCases)
    func `every command has a key, and no key has two meanings in a view`(_ kind: ViewKind) throws {
        let bindings = KeyMap.bindings.filter { $0.views.isEmpty || $0.views.contains(kind) }
        for (number, one) in bindings.enumerated() {
            #expect(Set(one.keys).count == one.keys.count)
            for other in bindings.dropFirst(number + 1) where !Set(one.keys).isDisjoint(with: other.keys) {
                // Keys of polls and of the emulated ride have another meaning in a replay.
                #expect(one.excludes(other), "\(one.command) and \(other.command)")
            }
        }
        #expect(Set(KeyMap.bindings.map(\.command)).count == KeyMap.bindings.count)
        #expect(
            KeyMap.bindings.allSatisfy {
                KeyMap.markdown.contains($0.help(.english)) && $0.help(.english).hasSuffix(".")
            }
        )
        #expect(KeyMap.bindings.allSatisfy { !$0.keys.isEmpty })
    }

    @Test func `scrolls the events and retains the position when new ones arrive`() throws {
        var state = try following(["a"])
        for number in 0..<40 { #expect(state.update(.notice("event \(number)")).isEmpty) }
        #expect(state.update(.key(.pageUp)).isEmpty)
        #expect(state.panels.trip.eventScroll == 5)
        #expect(state.update(.notice("one more")).isEmpty)
        #expect(state.panels.trip.eventScroll == 6)
        #expect(view(state).text.contains("6 newer below"))
        #expect(state.update(.key(.end)).isEmpty)
        #expect(view(state).text.contains("one more"))
    }

    @Test func `retains the last 500 events`() throws {
        var state = try following(["a"])
        for number in 0..<2000 { #expect(state.update(.notice("event \(number)")).isEmpty) }
        #expect(state.log.entries.count == 500)
        #expect(state.log.entries.last?.text == "event 1999")
    }

    @Test func `accepts any size`() throws {
        var state = try following(["a"])
        #expect(state.update(.resized(width: -3, height: 7)).isEmpty)
        #expect(state.width == 0)
        #expect(view(state).height == 7)
    }

    @Test func `a trip added at run time appears with its first event after the others`() throws {
        var state = try following(["a"])
        let schedule = PollSchedule(interval: .seconds(1), next: nil)
        #expect(state.update(.feed(.polling(try .trip(TripID("other")), schedule))).isEmpty)
        #expect(state.trips.map(\.id.rawValue) == ["a", "other"])
        #expect(state.trip?.isPolling == false)
    }
}
