import Canvas
import FleetTokens
import Foundation
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import TripScreen

@Suite("Events of one trip and of all trips", .ends(within: .quickTest))
struct EventsTests {
    private func press(_ keys: String, _ state: inout State) {
        for key in keys { #expect(state.update(.key(.character(key))).isEmpty) }
    }

    @Test func `a filter of the log does not affect the events of a trip`() throws {
        var state = try Ride().screen(at: 30)
        let before = view(state)
        press("7/zzz", &state)
        #expect(state.update(.key(.enter)).isEmpty)
        #expect(view(state).text.contains("No event contains this text"))
        press("1", &state)
        #expect(view(state) == before)
    }

    @Test func `the log and the events of a trip scroll independently`() throws {
        var state = try Ride().screen(at: 105)
        let before = view(state)
        press("7kkk", &state)
        #expect(state.panels.log.scroll == 3)
        press("1", &state)
        #expect(view(state) == before)
        #expect(state.update(.key(.pageUp)).isEmpty)
        #expect(state.panels.trip.eventScroll > 0 && state.panels.log.scroll == 3)
    }

    @Test func `the view of a trip shows its own and general events, the log shows all`() throws {
        var state = try Fleet.screen(width: 200, height: 60)
        #expect(state.update(.notice("the same for all")).isEmpty)
        press("2jj", &state)
        #expect(state.update(.key(.enter)).isEmpty)
        let own = try #require(state.trip?.id)
        let shown = state.log.entries(of: own)
        #expect(shown.last?.text == "the same for all")
        #expect(!shown.isEmpty && shown.count < state.log.entries.count)
        #expect(shown.allSatisfy { $0.journey == own || $0.journey == nil })
        let others = [Fleet.names[0], Fleet.names[3], Fleet.names[4]]
        let text = view(state).text
        #expect(others.allSatisfy { !text.contains("\($0):") })
        press("7", &state)
        #expect(view(state).text.contains(Fleet.names[4]))
    }

    @Test func `repeated changes of the interval within a short time are one event`() throws {
        var state = try Ride().screen(at: 30)
        let before = state.log.entries.count
        var schedule = try #require(state.trip?.schedule)
        for seconds in [10, 15, 30, 60] {
            schedule.interval = .seconds(seconds)
            #expect(try state.update(.feed(.scheduled(Ride().id(), schedule))).isEmpty)
        }
        #expect(state.log.entries.count == before + 1)
        #expect(state.log.entries.last?.text == "Polling every 1 min now")
        #expect(state.update(.tick(Ride.moment(50))).isEmpty)
        schedule.interval = .seconds(5)
        #expect(try state.update(.feed(.scheduled(Ride().id(), schedule))).isEmpty)
        #expect(state.log.entries.count == before + 2)
    }

    @Test func `an event that comes after newer ones stands before them`() throws {
        var log = try Fleet.screen(width: 80, height: 24).log
        func add(_ second: Double, _ text: String) {
            let time = Date(timeIntervalSince1970: 2_000_000_000 + second)
            log.add(EventLog.Entry(time: time, journey: nil, role: .text, text: text))
        }
        add(0, "a")
        add(10, "d")
        add(5, "b")
        add(5, "c")
        // After a change of the clock, the last event stays the newest.
        add(-3600, "e")
        add(-3590, "f")
        #expect(log.entries.suffix(6).map(\.text) == ["a", "b", "c", "d", "e", "f"])
    }

    @Test func `an event and its advice are shown whole where there is room`() throws {
        // The whole advice is in the panel of events, which has room for it, not only its first line.
        var ride = Ride()
        ride.tokenError = .missingData(.sourceHTML(status: 200), retryAfter: .seconds(30))
        let state = try ride.screen(at: 10, width: 120, height: 40)
        let text = view(state).text
        let events = try #require(text.components(separatedBy: "─ Events ─").last)
        #expect(events.contains("requires.") && events.contains("(HTTP 200)"))
    }

    @Test func `an event of another trip does not scroll the events`() throws {
        var state = try Fleet.screen(width: 80, height: 24)
        #expect(state.update(.key(.pageUp)).isEmpty)
        let before = state.panels.trip.eventScroll
        #expect(before > 0)
        #expect(state.update(.feed(.ended(try .trip(TripID(Fleet.names[4])), .reached(.trip(.complete))))).isEmpty)
        #expect(state.panels.trip.eventScroll == before)
    }
}
