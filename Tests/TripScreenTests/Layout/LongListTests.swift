import Canvas
import Failures
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import TripScreen

@Suite("Thousands of trips in the table", .ends(within: .quickTest))
struct LongListTests {
    private static func screen(_ count: Int) throws -> State {
        var state = State(
            trips: try (0..<count).map { try .trip(TripID("trip-\($0)")) },
            settings: State.Settings(host: "127.0.0.1"),
            now: Ride.moment(0),
            width: 80,
            height: 24
        )
        _ = state.update(.key(.character("2")))
        return state
    }

    private static func fail(_ index: Int, at second: Double, in state: inout State) throws {
        let trip = state.trips[index].id
        var report = PollReport(journey: trip, started: Ride.moment(second))
        report.finished = Ride.moment(second)
        report.outcome = .failure(.refused)
        var schedule = PollSchedule(interval: .seconds(5), next: nil)
        schedule.failures = 1
        _ = state.update(.feed(.polled(report, TripState(id: trip), schedule)))
    }

    private static func type(_ text: String, _ state: inout State) {
        for character in text { _ = state.update(.key(.character(character))) }
    }

    @Test func `sorts a short list at once`() throws {
        var state = try Self.screen(LongList.longestLive)
        Self.type("sssss", &state)
        try Self.fail(7, at: 0.2, in: &state)
        #expect(state.panels.trips.longList == nil && state.listed.first == 7)
    }

    @Test func `sorts a long list once a second`() throws {
        var state = try Self.screen(LongList.longestLive + 1)
        Self.type("sssss", &state)
        let key = state.panels.trips.longList?.key
        for index in 1...50 { try Self.fail(index, at: 0.01 * Double(index), in: &state) }
        #expect(state.panels.trips.longList?.key == key && state.listed.first == 0)
        _ = state.update(.tick(Ride.moment(1)))
        #expect(state.listed.first == 1 && state.panels.trips.longList?.active == LongList.longestLive + 1)
        #expect(view(state).text.contains("0 of 501 live"))
    }

    @Test func `applies commands to a long list at once`() throws {
        var state = try Self.screen(2000)
        Self.type("/trip-199", &state)
        _ = state.update(.key(.enter))
        #expect(state.listed.count == 11 && state.listed.contains(state.selected))
        Self.type("S", &state)
        #expect(state.listed.first == 1999)
        _ = state.update(.key(.escape))
        #expect(state.listed.count == 2000)
        _ = state.update(.key(.end))
        #expect(state.selected == 0)
    }

    @Test func `sorts at once again after the list has become short`() throws {
        var state = try Self.screen(LongList.longestLive + 1)
        _ = state.update(.feed(.ended(try .trip(TripID("trip-3")), .left)))
        #expect(state.panels.trips.longList == nil && state.trips.count == LongList.longestLive)
        try Self.fail(2, at: 1, in: &state)
        // The trips after the removed one are still found by their IDs.
        try Self.fail(3, at: 1, in: &state)
        #expect(state.trips[3].id == .trip(try TripID("trip-4")) && state.trips[3].lastReport != nil)
    }
}
