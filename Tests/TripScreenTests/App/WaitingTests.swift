import Canvas
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport

@Suite("Waiting for an answer", .ends(within: .quickTest))
struct WaitingTests {
    /// The screen of a ride whose poll at second 55 has no answer yet.
    private func hanging(width: Int = 80, height: Int = 24) throws -> State {
        var state = try Ride().screen(at: 50, width: width, height: height)
        let trip = try #require(state.trip)
        var schedule = try #require(trip.schedule)
        schedule.next = nil
        #expect(state.update(.tick(Ride.moment(55))).isEmpty)
        #expect(state.update(.feed(.polling(trip.id, schedule))).isEmpty)
        return state
    }

    @Test func `shows in the badge and in the panel how long the request has been waiting`() throws {
        var state = try hanging()
        #expect(view(state).text.contains("✓ live") && view(state).text.contains("polling now"))
        #expect(state.update(.tick(Ride.moment(56.4))).isEmpty)
        #expect(view(state).text.contains("✓ live"))
        #expect(state.update(.tick(Ride.moment(63))).isEmpty)
        let text = view(state).text
        #expect(text.contains("no answer 0:08"))
        #expect(text.contains("polling for 0:08"))
        #expect(!text.contains("live"))
        #expect(state.update(.key(.character("4"))).isEmpty)
        #expect(view(state).text.contains("polling for 0:08"))
    }

    @Test func `an answer ends the waiting`() throws {
        let ride = Ride()
        var state = try hanging()
        #expect(state.update(.tick(Ride.moment(63))).isEmpty)
        var report = PollReport(journey: try ride.id(), started: Ride.moment(55))
        report.finished = Ride.moment(63)
        report.outcome = .success(try .trip(ride.trip(at: 63)))
        report.call = .sample(at: report.started, until: report.finished)
        var known = try #require(state.trip).state
        known.merge(try .trip(ride.trip(at: 63)), serverDate: nil, at: Ride.moment(63))
        let schedule = PollSchedule(interval: .seconds(5), next: .seconds(1068))
        #expect(state.update(.feed(.polled(report, known, schedule))).isEmpty)
        #expect(view(state).text.contains("✓ live"))
        #expect(!view(state).text.contains("polling for"))
    }

    @Test func `counts real seconds on a fast clock, as the request timeout does`() throws {
        let settings = State.Settings(host: "host", speed: 10)
        let trip = try TripID("a")
        var state = State(trips: [.trip(trip)], settings: settings, now: Ride.moment(0), width: 80, height: 24)
        #expect(state.update(.feed(.polling(.trip(trip), PollSchedule(interval: .seconds(5), next: nil)))).isEmpty)
        #expect(state.update(.tick(Ride.moment(10))).isEmpty)
        #expect(!view(state).text.contains("polling for 0:0"))
        #expect(state.update(.tick(Ride.moment(40))).isEmpty)
        #expect(view(state).text.contains("polling for 0:04") && view(state).text.contains("×10"))
        // The clock is stopped, so that the real time is unknown.
        #expect(state.update(.speed(0)).isEmpty)
        #expect(!view(state).text.contains("polling for 0:0") && view(state).text.contains("×0"))
    }

    @Test func `wakes as often as with prompt answers`() throws {
        var state = try hanging()
        let moment = Ride.moment(63.25)
        #expect(state.update(.tick(moment)).isEmpty)
        #expect(try abs(#require(state.nextTick(after: moment)).seconds - 0.751) < 0.0001)
    }
}
