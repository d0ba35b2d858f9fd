import Canvas
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport

@Suite("Removing a trip", .ends(within: .quickTest))
struct RemovingTests {
    private func press(_ keys: String, _ state: inout State) {
        for key in keys { #expect(state.update(.key(.character(key))).isEmpty) }
    }

    private func run(_ line: String, _ state: inout State) -> [Effect] {
        press(":" + line, &state)
        return state.update(.key(.enter))
    }

    private func fleet() throws -> State { try Fleet.screen(width: 80, height: 24) }

    @Test func `asks before it removes the shown trip and accepts only y`() throws {
        var state = try fleet()
        let shown = try #require(state.trip?.id)
        #expect(run("leave", &state).isEmpty)
        #expect(view(state).text.contains("Stop following \(shown)?"))
        press("n", &state)
        #expect(!view(state).text.contains("Stop following"))
        #expect(run("leave", &state).isEmpty)
        #expect(state.update(.key(.enter)).isEmpty)
        #expect(run("leave", &state).isEmpty)
        #expect(state.update(.key(.character("y"))) == [.remove(shown)])
        #expect(state.update(.key(.character("y"))).isEmpty)
    }

    @Test func `removes a trip by its ID, and the selected one of the table by a key`() throws {
        var state = try fleet()
        #expect(run("leave \(Fleet.names[1])", &state).isEmpty)
        #expect(state.update(.key(.character("y"))) == [.remove(try .trip(TripID(Fleet.names[1])))])
        press("2jjx", &state)
        #expect(state.update(.key(.character("y"))) == [.remove(try .trip(TripID(Fleet.names[2])))])
        #expect(run("leave trip-9", &state).isEmpty)
        #expect(state.message?.contains("trip-9") == true && state.asked == nil)
    }

    @Test func `a trip that is named twice appears once`() throws {
        let (a, b) = (try JourneyID(named: "a"), try JourneyID(named: "b"))
        let now = Moment(wall: Date(timeIntervalSince1970: 0), steady: .zero)
        var state = State(trips: [a, a, b], settings: .init(host: "h"), now: now, width: 80, height: 24)
        #expect(state.trips.map(\.id) == [a, b])
        _ = state.update(.feed(.ended(a, .left)))
        #expect(state.trips.map(\.id) == [b])
    }

    @Test func `drops a removed trip from the table but retains the last one`() throws {
        var state = try fleet()
        press("2jj", &state)
        #expect(state.update(.feed(.ended(try .trip(TripID(Fleet.names[0])), .left))).isEmpty)
        #expect(state.trips.count == 4 && state.trip?.id.rawValue == Fleet.names[2])
        #expect(state.update(.feed(.ended(try .trip(TripID(Fleet.names[2])), .left))).isEmpty)
        #expect(state.trip?.id.rawValue == Fleet.names[3])
        for name in [Fleet.names[3], Fleet.names[4], Fleet.names[1]] {
            #expect(state.update(.feed(.ended(try .trip(TripID(name)), .left))).isEmpty)
        }
        #expect(state.trips.map(\.id.rawValue) == [Fleet.names[1]])
        #expect(view(state).text.contains(Fleet.names[1]))
    }

    @Test func `Enter does not open a trip that the filter hides`() throws {
        var state = try fleet()
        press("2/zzz", &state)
        #expect(state.update(.key(.enter)).isEmpty)
        #expect(state.update(.key(.enter)).isEmpty)
        #expect(state.view == .trips)
    }

    @Test(arguments: ["a/b", "providers/demo/vehicles/taxi-1", "providers/demo/trips/", "https://host/v1/trips/x"])
    func `refuses a name that is neither an ID nor a trip's resource name`(_ name: String) throws {
        var state = try fleet()
        #expect(run("watch \(name)", &state).isEmpty)
        #expect(state.message != nil && state.trips.count == 5)
        #expect(state.update(.paste(name)).isEmpty)
        #expect(state.prompt == nil && state.message != nil)
    }
}
