import Canvas
import Failures
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import TripScreen

/// Frames that repeat parts of the frame before, and how many frames a screen needs by itself.
@Suite("Frames of a screen", .ends(within: .quickTest))
struct ScreenFramesTests {
    /// A screen that ticks as that of a session does.
    private struct Session {
        var state: State
        private var frames = ScreenFrames()
        private var shown: Canvas?
        /// The frames that time alone required.
        private(set) var ticks = 0
        /// The frames that were not drawn completely.
        private(set) var partial = 0

        init(_ state: State) { self.state = state }

        /// Advances the time, with a frame each time the screen asks for one.
        mutating func advance(to moment: Moment) throws {
            while let wait = state.nextTick(after: state.now), (state.now.steady + wait) < moment.steady {
                try update(.tick(state.now.advanced(by: wait)))
                ticks += 1
            }
        }

        mutating func update(_ message: Message) throws {
            let before = state.now.wall.timeIntervalSince1970.rounded(.down)
            _ = state.update(message)
            let (canvas, complete) = (frames.next(state), view(state))
            if frames.isComplete {
                try #require(canvas == complete, "at \(state.now.wall)")
            } else {
                partial += 1
                let shown = try #require(self.shown)
                // Within one second the map moves; everything else is as before.
                try #require(state.now.wall.timeIntervalSince1970.rounded(.down) == before)
                let map = state.layout.map
                for y in 0..<canvas.height {
                    for x in 0..<canvas.width {
                        let expected = map.contains(x: x, y: y) ? complete[x, y] : shown[x, y]
                        try #require(canvas[x, y] == expected, "\(x) \(y) at \(state.now.wall)")
                    }
                }
            }
            shown = canvas
        }
    }

    private static func session(_ ride: Ride, _ width: Int, _ height: Int, _ glyphs: GlyphSet) throws -> Session {
        let settings = State.Settings(host: "h", glyphs: glyphs)
        return Session(
            State(trips: [try ride.id()], settings: settings, now: Ride.moment(0), width: width, height: height)
        )
    }

    private static func call(at moment: Moment) -> Call {
        Call(
            Call.Operation(rawValue: "UpdateVehicle"),
            from: .driver,
            about: "trip-1",
            Call.Request(
                own: "PUT",
                "http://127.0.0.1:9/v1/providers/p/vehicles/v1?updateMask=vehicleState",
                body: Array(#"{"vehicleState":"ONLINE"}"#.utf8),
                options: nil
            ),
            nil,
            started: moment,
            ended: moment,
            duration: .milliseconds(4)
        )
    }

    /// A street, and a park below the route.
    private static func streets() throws -> Basemap {
        let (south, west) = (Ride.pickup.latitude - 0.01, Ride.pickup.longitude - 0.02)
        let park = "[[\(west),\(south)],[\(west + 0.04),\(south)],[\(west + 0.04),\(south + 0.012)],[\(west),\(south)]]"
        let text = """
            {"type":"FeatureCollection","features":[
              {"type":"Feature","properties":{"name":"Long Street","class":"primary"},"geometry":
                {"type":"LineString","coordinates":[[\(west),\(south + 0.009)],[\(west + 0.08),\(south + 0.011)]]}},
              {"type":"Feature","properties":{"class":"park"},"geometry":{"type":"Polygon","coordinates":[\(park)]}}]}
            """
        return try Basemap(geoJSON: Data(text.utf8))
    }

    private static let rides: [Ride] = {
        var silent = Ride()
        silent.silentFrom = 90
        var failing = Ride()
        (failing.failsFrom, failing.hasTraffic) = (110, false)
        var stops = Ride()
        stops.stops = [Ride.toDropoff.points[3], Ride.toDropoff.points[5]]
        stops.foreignStop = Ride.toDropoff.points[1]
        return [Ride(), silent, failing, stops]
    }()

    /// Each ride on a screen of another size or with other characters.
    private static let screens: [(ride: Int, width: Int, height: Int, level: GlyphSet.Level)] = [
        (0, 120, 40, .braille), (1, 80, 24, .braille), (2, 120, 40, .ascii), (3, 200, 60, .braille),
        (1, 50, 30, .braille),
    ]

    @Test(arguments: screens)
    func `a frame that repeats parts of the one before equals a complete one`(
        _ screen: (ride: Int, width: Int, height: Int, level: GlyphSet.Level)
    ) throws {
        let ride = Self.rides[screen.ride]
        var session = try Self.session(ride, screen.width, screen.height, GlyphSet(screen.level))
        if screen.ride % 2 == 0 { try session.update(.basemap(Self.streets())) }
        for message in try ride.messages(until: 130) {
            // What is compared: before the pickup, and after silence, failures and stops have begun.
            let now = session.state.now.steady
            guard (Ride.moment(20).steady...Ride.moment(34).steady).contains(now) || now > Ride.moment(84).steady else {
                _ = session.state.update(message)
                continue
            }
            if case .tick(let moment) = message { try session.advance(to: moment) }
            try session.update(message)
            guard case .feed(.polled) = message else { continue }
            // What other views show, half a second later.
            try session.update(.tick(session.state.now.advanced(by: .milliseconds(500))))
            try session.update(.feed(.driver(try ride.id(), Self.call(at: session.state.now))))
            try session.update(.caption("The rider waits."))
        }
        #expect(session.ticks > 40)
        #expect(session.partial > 0 || screen.width < 60)
    }

    @Test func `keys and sizes between two ticks are drawn completely`() throws {
        var session = try Self.session(Ride(), 120, 40, GlyphSet())
        for message in try Ride().messages(until: 100) { try session.update(message) }
        let keys: [Key] = [
            .character("?"), .escape, .character("f"), .character("m"), .character("m"), .character("3"),
            .character("1"),
            .character("W"), .character("W"), .character("b"), .character("b"), .character("o"), .character("o"),
            .character(":"),
        ]
        for key in keys {
            try session.advance(to: session.state.now.advanced(by: .seconds(1.4)))
            try session.update(.key(key))
        }
        try session.advance(to: session.state.now.advanced(by: .seconds(1.4)))
        try session.update(.resized(width: 90, height: 30))
        try session.advance(to: session.state.now.advanced(by: .seconds(2)))
    }

    @Test func `a minute without a vehicle needs a frame for each second of the countdowns`() throws {
        var ride = Ride()
        ride.status = [(0, .new)]
        var session = Session(try ride.screen(at: 2, width: 120, height: 40))
        // Half a second before and after the seconds, so that no second is counted twice.
        try session.advance(to: Ride.moment(4.5))
        let before = session.ticks
        try session.advance(to: Ride.moment(64.5))
        #expect(session.ticks - before == 60)
    }

    @Test func `a minute in which nothing moves needs no frame`() throws {
        let ride = Ride()
        var paused = Session(try ride.screen(at: 105, width: 120, height: 40))
        var schedule = try #require(paused.state.trip?.schedule)
        schedule.isPaused = true
        try paused.update(.feed(.scheduled(try ride.id(), schedule)))
        var ended = Session(try ride.screen(at: 200, width: 120, height: 40))
        for end in [paused.state.now, ended.state.now].map({ $0.advanced(by: .seconds(60)) }) {
            try paused.advance(to: end)
            try ended.advance(to: end)
        }
        #expect(paused.ticks == 0 && ended.ticks == 0)
    }

    @Test func `a minute of a gliding vehicle needs no more frames than seconds and changed maps`() throws {
        var ride = Ride()
        ride.hasTraffic = false
        var state = try ride.screen(at: 80, width: 120, height: 40)
        var session = Session(state)
        try session.advance(to: Ride.moment(82.5))
        let before = session.ticks
        var maps = 0
        var last: [[Canvas.Cell?]] = []
        for message in try ride.messages(until: 145) {
            guard case .tick(let moment) = message else {
                if session.state.now.steady > Ride.moment(82.5).steady {
                    try session.update(message)
                    _ = state.update(message)
                }
                continue
            }
            guard moment.steady > Ride.moment(82.5).steady, moment.steady < Ride.moment(142.5).steady else { continue }
            try session.advance(to: moment)
            // Compare the complete screen eight times a second.
            while state.now.steady < moment.steady {
                let next = state.now.advanced(by: .milliseconds(125))
                _ = state.update(.tick(next.steady < moment.steady ? next : moment))
                let (canvas, map) = (view(state), state.layout.map)
                let rows = (map.y..<map.maxY).map { y in (map.x..<map.maxX).map { canvas[$0, y] } }
                if rows != last { maps += 1 }
                last = rows
            }
            try session.update(message)
        }
        #expect(maps > 30)
        #expect(session.ticks - before <= 60 + maps)
    }

    @Test func `a vehicle that moves shortly before the next second waits for it`() throws {
        let state = try Ride().screen(at: 105, width: 120, height: 40)
        var moment = Ride.moment(107)
        while moment.steady < Ride.moment(110).steady {
            let wait = try #require(state.nextTick(after: moment))
            let next = moment.advanced(by: wait)
            let part = next.steady.seconds - next.steady.seconds.rounded(.down)
            #expect(part < 0.76 || part > 0.9999, "a frame at \(part) of a second")
            moment = next
        }
    }
}
