import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

@Suite("Screen time", .ends(within: .quickTest))
struct TickTests {
    @Test func `wakes at the next second of the clock`() throws {
        let state = try Ride().screen(at: 30)
        let now = Ride.moment(30.25)
        let wait = try #require(state.nextTick(after: now, glides: false))
        #expect(abs(wait.seconds - 0.751) < 0.0001)
        let next = now.advanced(by: wait)
        #expect(try #require(state.nextTick(after: next, glides: false)).seconds > 0.99)
    }

    @Test func `draws a fast clock at most four times per real second`() throws {
        let settings = State.Settings(host: "host", speed: 60)
        let state = State(
            trips: [try .trip(TripID("a"))],
            settings: settings,
            now: Ride.moment(0),
            width: 80,
            height: 24
        )
        #expect(try #require(state.nextTick(after: Ride.moment(0))).seconds >= 15)
        #expect(try #require(state.nextTick(after: Ride.moment(14.9))).seconds < 1)
    }

    @Test func `does not wake after all trips have ended`() throws {
        var state = try Ride().screen(at: 200)
        #expect(state.hasEnded)
        #expect(state.nextTick(after: Ride.moment(201)) == nil)
        let before = view(state)
        #expect(state.update(.tick(Ride.moment(9000))).isEmpty)
        #expect(view(state) == before)
    }

    @Test func `freezes while paused and catches up when resumed`() throws {
        var state = try Ride().screen(at: 50)
        var schedule = try #require(state.trip?.schedule)
        let trip = try #require(state.trip).id
        schedule.isPaused = true
        #expect(state.update(.feed(.scheduled(trip, schedule))).isEmpty)
        #expect(state.nextTick(after: Ride.moment(53)) == nil)
        let before = view(state)
        #expect(state.update(.tick(Ride.moment(90))).isEmpty)
        #expect(view(state) == before)
        schedule.isPaused = false
        #expect(state.update(.feed(.scheduled(trip, schedule))).isEmpty)
        #expect(state.now == Ride.moment(90))
        #expect(state.nextTick(after: Ride.moment(90)) != nil)
    }

    @Test func `shows a poll requested while paused with its own time`() throws {
        let ride = Ride()
        var state = try ride.screen(at: 50)
        let trip = try #require(state.trip).id
        var schedule = try #require(state.trip?.schedule)
        schedule.isPaused = true
        #expect(state.update(.feed(.scheduled(trip, schedule))).isEmpty)
        var report = PollReport(journey: trip, started: Ride.moment(80))
        report.finished = Ride.moment(80.5)
        report.outcome = .success(try .trip(ride.trip(at: 80)))
        let known = try #require(state.trip).state
        #expect(state.update(.feed(.polled(report, known, schedule))).isEmpty)
        #expect(state.now == Ride.moment(80.5))
        #expect(state.isFrozen)
    }

    @Test func `time never goes back`() throws {
        var state = try Ride().screen(at: 50)
        #expect(state.update(.tick(Ride.moment(10))).isEmpty)
        #expect(state.now.wall >= Ride.moment(50).wall)
    }

    @Test(arguments: [
        (252.0, "in 4:12"), (3852, "in 1:04:12"), (0.4, "now"), (-0.4, "now"), (4500, "in 1:15:00"),
    ])
    func `counts down`(_ example: (seconds: Double, words: String)) {
        #expect(Localizer.english.countdown(.seconds(example.seconds)) == example.words)
    }

    @Test func `shows the time of day in any time zone and on other days`() {
        let east = Zone(offset: 9 * 3600 + 1800, name: "ACST")
        #expect(Zone.utc.clock(Ride.start) == "17:00:00")
        #expect(east.clock(Ride.start) == "02:30:00")
        #expect(Zone.utc.clock(Ride.start.addingTimeInterval(8 * 3600), now: Ride.start) == "01:00:00 +1d")
        #expect(Zone.utc.clock(Ride.start.addingTimeInterval(-18 * 3600), now: Ride.start) == "23:00:00 -1d")
        #expect(Zone.utc.clock(Date(timeIntervalSince1970: -1)) == "23:59:59")
        #expect(Zone.utc.clock(Date(timeIntervalSince1970: .greatestFiniteMagnitude)).count == 8)
    }

    @Test func `rounds numbers for people`() {
        #expect(Localizer.english.distance(Distance(meters: 347)) == "350 m")
        #expect(Localizer.english.distance(Distance(meters: 1234)) == "1.2 km")
        #expect(Localizer.english.distance(Distance(meters: .nan)) == "not known")
        #expect(Localizer.english.speed(-0.1) == "0 km/h")
        #expect(Localizer.english.heading(-45) == "NW 315°")
        #expect(Localizer.english.heading(360) == "N 0°")
        #expect(Localizer.english.latency(.milliseconds(1240)) == "1.24 s")
        #expect(Localizer.english.bytes(4100) == "4.1 kB")
        #expect(Localizer.english.age(.seconds(-7)) == "−7 s")
        #expect(Localizer.english.age(.seconds(-0.4)) == "−1 s")
        #expect(Localizer.english.age(.microseconds(-1)) == "0 s")
        #expect(Localizer.english.age(.seconds(780)) == "13 min")
        #expect(Localizer.english.span(.seconds(245)) == "4 min 5 s")
        #expect(Localizer.english.difference(.seconds(192)) == "+3:12")
        #expect(Localizer.english.difference(.seconds(0.2)) == "±0:00")
    }
}
