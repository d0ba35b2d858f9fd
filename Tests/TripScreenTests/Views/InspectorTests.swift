import Canvas
import Failures
import Testing
import TripFeed
import TripScreen
import TripTestSupport

@Suite("Inspector", .ends(within: .quickTest))
struct InspectorTests {
    private func screen(_ bodies: [String]) throws -> State {
        var state = State(
            trips: [try Ride().id()],
            settings: State.Settings(host: "host"),
            now: Ride.moment(0),
            width: 80,
            height: 24
        )
        #expect(state.update(.key(.character("5"))).isEmpty)
        for body in bodies {
            var ride = Ride()
            ride.rawBody = Array(body.utf8)
            for message in try ride.messages(until: 0) { _ = state.update(message) }
        }
        return state
    }

    private func row(_ path: String, _ state: State) throws -> Inspector.Row {
        try #require(state.panels.inspector.tree.rows.first { $0.path == path }, "no row \(path)")
    }

    @Test func `marks added, changed and removed values`() throws {
        let state = try screen([#"{"a":1,"b":{"c":"x"},"d":true}"#, #"{"a":2,"b":{"c":"y"},"e":null}"#])
        #expect(try row("a", state).change == .changed(from: "1"))
        #expect(try row("b", state).change == .within)
        #expect(try row("b.c", state).change == .changed(from: "\"x\""))
        #expect(try row("d", state).change == .removed)
        #expect(try row("e", state).change == .added)
        #expect(state.panels.inspector.tree.changes == 4)
    }

    @Test func `shows only changes on request`() throws {
        var state = try screen([#"{"a":1,"b":{"c":1,"d":2}}"#, #"{"a":1,"b":{"c":1,"d":3}}"#])
        #expect(state.update(.key(.character("d"))).isEmpty)
        #expect(state.panels.inspector.tree.rows.map(\.path) == ["b", "b.d"])
    }

    @Test func `long lists start closed and stay open after the next poll once opened`() throws {
        let list = "[" + (0..<5000).map { #"{"x":\#($0)}"# }.joined(separator: ",") + "]"
        var state = try screen([#"{"route":\#(list)}"#])
        #expect(state.panels.inspector.tree.rows.count == 1)
        #expect(try row("route", state).value == "[5000 items]")
        #expect(state.update(.key(.enter)).isEmpty)
        #expect(state.panels.inspector.tree.rows.count == 10_001)
        var ride = Ride()
        ride.rawBody = Array(#"{"route":\#(list)}"#.utf8)
        for message in try ride.messages(until: 0) { _ = state.update(message) }
        #expect(state.panels.inspector.tree.rows.count == 10_001)
        #expect(state.update(.key(.left)).isEmpty)
        #expect(state.panels.inspector.tree.rows.count == 1)
    }

    @Test func `a search opens the parents of a match, and n goes round`() throws {
        var state = try screen([#"{"a":{"b":{"c":{"d":{"needle":1}}}},"needle2":"NEEDLE"}"#])
        for key in "/needle" { #expect(state.update(.key(.character(key))).isEmpty) }
        #expect(state.update(.key(.enter)).isEmpty)
        let first = state.panels.inspector.tree.cursor
        #expect(state.panels.inspector.tree.rows[first].path == "a.b.c.d.needle")
        #expect(state.update(.key(.character("n"))).isEmpty)
        #expect(state.panels.inspector.tree.rows[state.panels.inspector.tree.cursor].path == "needle2")
        #expect(state.update(.key(.character("n"))).isEmpty)
        #expect(state.panels.inspector.tree.cursor == first)
    }

    @Test(arguments: ["", "<html>", "[1,2", "42", #"{"a":"\u001b[2J"}"#, #"{"t":"eyJhbGciOiJSUzI1NiJ9.e30.abc"}"#])
    func `accepts any answer`(_ body: String) throws {
        let state = try screen([body])
        let text = view(state).text
        #expect(!text.contains("\u{1B}") && !text.contains("eyJ"))
    }

    /// The inspector of a ride in which the service is unavailable from this second.
    private func failing(from second: Double) throws -> State {
        var ride = Ride()
        ride.failsFrom = second
        let refusal = ServiceAnswer(httpStatus: 503, status: "UNAVAILABLE", message: "Come back later.")
        ride.failure = .service(refusal, retryAfter: nil)
        var state = try ride.screen(at: 45)
        #expect(state.update(.key(.character("5"))).isEmpty)
        return state
    }

    @Test func `shows a failed poll above the last good answer and its time`() throws {
        var state = try failing(from: 40)
        let text = view(state).text
        #expect(text.contains("Last good answer") && text.contains("17:00:35 · HTTP 200"))
        #expect(text.contains("✗ 17:00:45 127.0.0.1 is temporarily unavailable"))
        #expect(try row("tripStatus", state).value == "\"ENROUTE_TO_PICKUP\"")
        try ScreenFile(name: "inspector-failed-80x24").expect(view(state))
        #expect(state.update(.key(.character("d"))).isEmpty)
        #expect(!view(state).text.contains("This answer changed nothing"))
        #expect(state.panels.inspector.tree.changes > 0)
    }

    @Test func `a click selects the right row below the error`() throws {
        var state = try failing(from: 40)
        let rows = view(state).text.split(separator: "\n")
        let y = try #require(rows.firstIndex { $0.contains("lastLocation:") })
        let before = state.panels.inspector.tree.rows.count
        #expect(state.update(.pointer(Pointer(.press, x: 10, y: y))).isEmpty)
        #expect(state.panels.inspector.tree.rows[state.panels.inspector.tree.cursor].path == "lastLocation")
        #expect(state.panels.inspector.tree.rows.count < before)
    }

    @Test func `shows the failed answer while there is no good one`() throws {
        var ride = Ride()
        ride.failsFrom = 0
        var state = try ride.screen(at: 0)
        var report = PollReport(journey: try ride.id(), started: Ride.moment(5))
        let refusal = ServiceAnswer(httpStatus: 503, status: "UNAVAILABLE", message: "Come back later.")
        report.outcome = .failure(.service(refusal, retryAfter: nil))
        report.call = .sample(status: 503, body: Array(#"{"error":{"code":503}}"#.utf8), at: report.started)
        let trip = try #require(state.trip)
        let schedule = try #require(trip.schedule)
        #expect(state.update(.feed(.polled(report, trip.state, schedule))).isEmpty)
        #expect(state.update(.key(.character("5"))).isEmpty)
        #expect(try row("error.code", state).value == "503")
        #expect(!view(state).text.contains("Last good answer"))
    }
}
