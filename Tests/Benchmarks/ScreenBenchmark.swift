import Canvas
import Failures
import Foundation
import Runtime
import TripFeed
import TripModel
import TripScreen
import TripText

/// Measures the time of a frame without a terminal (drawing the view and finding the changed cells), and the memory
/// growth in an hour.
struct ScreenBenchmark {
    private static let sizes = [(80, 24), (200, 60), (400, 120)]
    private static let frames = 120

    func run() throws {
        say("\nA frame: the view drawn and compared with the one before, a second of the ride apart; microseconds")
        for points in [50, 5000, 20_000] {
            for (width, height) in Self.sizes { try frames(points, width, height) }
        }
        try streets()
        try memory()
    }

    /// Measures frames at 200x60 with the named streets, the river and the parks of a town.
    private func streets() throws {
        var ride = try SyntheticRide(points: 5000)
        var state = try ride.screen(200, 60)
        _ = state.update(.basemap(try SyntheticTown.basemap()))
        var figures = Figures()
        for second in 0..<Self.frames {
            try ride.send(&state, second, each: 5)
            figures.add("view", nanoseconds { _ = view(state) } / 1000)
        }
        say("200x60 with \(SyntheticTown.streets) streets")
        figures.print(unit: "µs")
        Figures.gate("frame with streets at 200x60", (figures.median("view") ?? 0) / 1000, atMost: 8, unit: "ms")
    }

    private func frames(_ points: Int, _ width: Int, _ height: Int) throws {
        var ride = try SyntheticRide(points: points)
        var state = try ride.screen(width, height)
        for second in 0..<30 { try ride.send(&state, second, each: 5) }
        var shown = view(state)
        var figures = Figures()
        var cells = 0
        for second in 30..<(30 + Self.frames) {
            try ride.send(&state, second, each: 5)
            var picture = shown
            figures.add("view", nanoseconds { picture = view(state) } / 1000)
            var runs: [Canvas.Run] = []
            figures.add("differences", nanoseconds { runs = picture.runs(since: shown) } / 1000)
            cells += runs.reduce(0) { $0 + $1.text.count }
            shown = picture
        }
        say("\(width)x\(height), a route of \(points) points, \(cells / Self.frames) cells change in a frame")
        figures.print(unit: "µs")
        let all = (figures.median("view") ?? 0) + (figures.median("differences") ?? 0)
        if (width, height) == (200, 60) { Figures.gate("frame at 200x60", all / 1000, atMost: 5, unit: "ms") }
    }

    private func nanoseconds(of body: () -> Void) -> Double {
        let start = ContinuousClock.now
        body()
        return start.duration(to: .now) / .nanoseconds(1)
    }

    /// Polls once a second for an hour and draws every poll.
    private func memory() throws {
        say("\nMemory over an hour of polls each second at 120x40, each one drawn")
        var ride = try SyntheticRide(points: 5000)
        var state = try ride.screen(120, 40)
        var sizes: [Int] = []
        for second in 0..<3600 {
            try ride.send(&state, second, each: 1)
            _ = view(state)
            if second % 600 == 599 { sizes.append(FeedLoad.resident) }
        }
        say(
            "  resident every ten minutes: \(sizes.map { String(format: "%.1f", Double($0) / 1e6) }.joined(separator: " ")) MB"
        )
        Figures.gate("growth from the first ten minutes", Double(sizes[5] - sizes[0]) / 1e6, atMost: 5, unit: "MB")
    }
}

/// A town of winding streets around the synthetic ride.
private enum SyntheticTown {
    /// The number of streets.
    static let streets = 500

    static func basemap() throws -> Basemap {
        let classes = ["residential", "residential", "tertiary", "residential", "secondary", "primary"]
        let lines = (0..<streets).map { index in
            let isRow = index % 2 == 0
            let place = Double(index / 2) / Double(streets / 2)
            let points = (0..<100).map { step in
                let way = Double(step) / 99
                let bend = 0.002 * sin(way * 20 + Double(index))
                let (across, up) = isRow ? (way, place + bend) : (place + bend, way)
                return "[\(13.2 + 0.25 * across),\(52.5 + 0.08 * up)]"
            }
            let properties = #"{"class":"\#(classes[index % classes.count])","name":"Street \#(index)"}"#
            let geometry = #"{"type":"LineString","coordinates":[\#(points.joined(separator: ","))]}"#
            return #"{"type":"Feature","properties":\#(properties),"geometry":\#(geometry)}"#
        }
        let river = (0..<200).map { step in
            let way = Double(step % 100) / 99
            let east = step < 100 ? way : 1 - way
            return "[\(13.2 + 0.25 * east),\(52.53 + 0.01 * sin(east * 9) + (step < 100 ? 0 : 0.004))]"
        }
        let ring = (river + [river[0]]).joined(separator: ",")
        let area =
            #"{"type":"Feature","properties":{"class":"water"},"geometry":{"type":"Polygon","coordinates":[[\#(ring)]]}}"#
        let text = #"{"type":"FeatureCollection","features":[\#((lines + [area]).joined(separator: ","))]}"#
        return try Basemap(geoJSON: Data(text.utf8))
    }
}

/// An hour's trip along a road with many points.
private struct SyntheticRide {
    private static let start = Date(timeIntervalSince1970: 1_767_286_800)
    private static let length = 3600.0

    private let id: TripID
    private let provider: ProviderID
    private let route: Route
    private var state: TripState

    init(points: Int) throws {
        id = try TripID("trip-1")
        provider = try ProviderID("p")
        state = TripState(id: .trip(id))
        route = Route(
            (0..<points).map { index in
                let way = Double(index) / Double(max(1, points - 1))
                return Coordinate(latitude: 52.5 + 0.08 * way + 0.004 * sin(way * 90), longitude: 13.2 + 0.25 * way)
            }
        )
    }

    private static func moment(_ second: Int) -> Moment {
        Moment(wall: start.addingTimeInterval(Double(second)), steady: .seconds(second))
    }

    func screen(_ width: Int, _ height: Int) throws -> State {
        State(
            trips: [.trip(id)],
            settings: State.Settings(host: "127.0.0.1"),
            now: Self.moment(0),
            width: width,
            height: height
        )
    }

    /// Updates a screen by one second, with a poll every `interval` seconds.
    mutating func send(_ screen: inout State, _ second: Int, each interval: Int) throws {
        let now = Self.moment(second)
        _ = screen.update(.tick(now))
        guard second % interval == 0 else { return }
        let trip = Journey.trip(try trip(at: second))
        var report = PollReport(journey: .trip(id), started: now)
        let body = Array(#"{"name":"providers/p/trips/trip-1","second":\#(second)}"#.utf8)
        report.call = Call(
            .getTrip,
            about: id.rawValue,
            Call.Request(own: "GET", "https://h/v1/providers/p/trips/trip-1", options: nil),
            Call.Answer(status: 200, shown: [], body: StoredBody(body), bytes: body.count),
            started: now,
            ended: now,
            duration: .milliseconds(10 + second % 7)
        )
        report.outcome = .success(trip)
        state.merge(trip, serverDate: nil, at: now)
        let schedule = PollSchedule(interval: .seconds(interval), next: .seconds(second + interval))
        _ = screen.update(.feed(.polled(report, state, schedule)))
    }

    private func trip(at second: Int) throws -> Trip {
        var trip = Trip(id: id, provider: provider, status: .enrouteToDropoff)
        let way = route.length.meters * Double(second) / Self.length
        trip.vehicleID = try VehicleID("vehicle-1")
        trip.pickup = route.points.first
        trip.dropoff = route.points.last
        trip.route = route
        trip.routeVersion = Version("1")
        trip.remainingDistance = Distance(meters: route.length.meters - way)
        trip.etaToFirstWaypoint = Self.start.addingTimeInterval(Self.length)
        trip.dropoffTime = trip.etaToFirstWaypoint
        var location = VehicleLocation(coordinate: route.position(at: way)?.coordinate)
        location.heading = 70
        location.speed = route.length.meters / Self.length
        location.serverTime = Self.start.addingTimeInterval(Double(second))
        location.updateTime = location.serverTime
        trip.lastLocation = location
        trip.remainingWaypoints = [Waypoint(coordinate: trip.dropoff, tripID: id, kind: .dropoff)]
        return trip
    }
}
