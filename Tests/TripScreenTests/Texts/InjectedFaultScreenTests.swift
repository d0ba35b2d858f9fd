import Canvas
import Failures
import FleetTokens
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import TripScreen

/// What the views say about polls that an injected fault has failed.
@Suite("Injected faults on the screen", .ends(within: .quickTest))
struct InjectedFaultScreenTests {
    private static func failure(_ effect: InjectedFault.Effect) -> Failure {
        let exchange = Exchange(
            .http,
            Exchange.Request(method: "GET", url: "https://h.example/t", headerNames: [], bytes: 0),
            duration: .zero,
            ending: .complete,
            fault: InjectedFault(["503"], .client, effect)
        )
        let error = ServiceAnswer(httpStatus: 503, status: "UNAVAILABLE", message: "no")
        return Failure.service(error, retryAfter: nil).with(exchange)
    }

    private static func screen(_ effect: InjectedFault.Effect, hides: Bool = false) throws -> State {
        var ride = Ride()
        (ride.failsFrom, ride.failure) = (40, failure(effect))
        let settings = State.Settings(
            host: "127.0.0.1",
            zone: .utc,
            localizer: .english,
            glyphs: GlyphSet(),
            speed: 1
        )
        var state = State(
            trips: [try ride.id()],
            settings: settings,
            now: Ride.moment(0),
            width: 200,
            height: 60
        )
        if hides { state.hideFaults() }
        for message in try ride.messages(until: 65) { _ = state.update(message) }
        return state
    }

    private static func texts(_ state: State) -> [String] {
        var state = state
        return ViewKind.allCases.map { kind in
            _ = state.update(.key(.character(Character(String(kind.number)))))
            return view(state).text
        }
    }

    @Test func `the views name the fault, and no call is listed or counted`() throws {
        let state = try Self.screen(.unsent)
        let all = Self.texts(state).joined(separator: "\n")
        #expect(
            all.contains("Injected fault 503, nothing was sent") && !all.contains("Probably"),
            "\(all)"
        )
        #expect(all.contains("Held back"))
        let trip = try #require(state.trips.first)
        #expect(trip.history.errors == 0 && trip.history.heldBack == 6 && trip.history.polls == 8)
        #expect(trip.history.statuses[.http(503)] == nil)
        #expect(trip.history.faults.values.map(\.count) == [6])
        #expect(trip.calls.entries.allSatisfy { $0.call.failure == nil })
    }

    @Test func `the next step of an injected fault is something to do`() throws {
        let failure = Self.failure(.unsent)
        let message = UserMessage(failure, nil, journey: try Ride().id(), host: "h")
        #expect(message.advice == ":clear-faults switches the faults of the menu off.")
        #expect(message.blame?.contains("It says nothing about the service") == true)
    }

    @Test func `a fault of the emulator is a call, and is named`() throws {
        let state = try Self.screen(.replaced)
        let trip = try #require(state.trips.first)
        #expect(trip.history.errors == 6 && trip.history.heldBack == 0 && trip.history.polls == 14)
        let all = Self.texts(state).joined(separator: "\n")
        #expect(all.contains("Injected fault 503: ") && !all.contains("Probably"), "\(all)")
    }

    @Test func `an audience sees neither the fault nor another culprit`() throws {
        let all = Self.texts(try Self.screen(.unsent, hides: true)).joined(separator: "\n")
        for word in ["njected", "Held back", "Probably", "At fault"] {
            #expect(!all.contains(word), "\(word) in \(all)")
        }
    }
}
