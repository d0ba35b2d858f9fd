import Canvas
import Failures
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

/// A complete ride of three minutes as a sequence of polls for a screen.
struct Ride {
    var status: [(from: Double, status: TripStatus)] = [
        (0, .new), (12, .enrouteToPickup), (62, .arrivedAtPickup), (77, .enrouteToDropoff), (172, .complete),
    ]
    var stops: [Coordinate] = []
    var foreignStop: Coordinate?
    var name = "trip-7f3a"
    /// The driver's device sends nothing from this second.
    var silentFrom = Double.infinity
    /// The seconds of the driver's reports; empty for one every 5 s.
    var reports: [Double] = []
    /// Polls fail from this second.
    var failsFrom = Double.infinity
    var failure = Failure.refused
    var hasTraffic = true
    var tokenError: TokenError?
    /// The body of every answer, instead of a matching one.
    var rawBody: [UInt8]?

    static let start = Date(timeIntervalSince1970: 1_767_286_800)  // 2026-01-01T17:00:00Z
    static let pickup = Coordinate(latitude: 52.5163, longitude: 13.3777)
    static let dropoff = Coordinate(latitude: 52.5219, longitude: 13.4132)

    static let toPickup = Route(
        [
            (52.5145, 13.3660), (52.5151, 13.3662), (52.5154, 13.3701), (52.5139, 13.3706), (52.5142, 13.3752),
            (52.5160, 13.3750), (52.5163, 13.3777),
        ].map { Coordinate(latitude: $0.0, longitude: $0.1) }
    )
    static let toDropoff = Route(
        [
            (52.5163, 13.3777), (52.5166, 13.3810), (52.5189, 13.3806), (52.5193, 13.3868), (52.5171, 13.3873),
            (52.5178, 13.3990), (52.5197, 13.4022), (52.5211, 13.4090), (52.5219, 13.4132),
        ].map { Coordinate(latitude: $0.0, longitude: $0.1) }
    )

    static func moment(_ seconds: Double) -> Moment {
        Moment(wall: start.addingTimeInterval(seconds), steady: .seconds(1000 + seconds))
    }

    func id() throws -> JourneyID { .trip(try TripID(name)) }

    /// The trip as the service returns it at this second of the ride.
    func trip(at second: Double) throws -> Trip {
        let now = status.last { $0.from <= second }?.status ?? .new
        var trip = Trip(id: try TripID(name), provider: try ProviderID("demo-project"), status: now)
        trip.pickup = Self.pickup
        trip.dropoff = Self.dropoff
        trip.intermediateDestinations = stops
        guard second >= 5 else { return trip }
        trip.vehicleID = try VehicleID("taxi-42")
        let isAboard = (now.rank ?? 0) >= 3
        let leg = isAboard ? Self.toDropoff : Self.toPickup
        let begin = isAboard ? 77.0 : 12.0
        let share = min(1, max(0, (min(second, silentFrom) - begin) / (isAboard ? 95 : 50)))
        let place = leg.position(at: leg.length.meters * share)
        let next = leg.position(at: leg.length.meters * min(1, share + 0.01))
        var location = VehicleLocation(coordinate: place?.coordinate)
        location.heading = place.flatMap { from in next.map { Int(from.coordinate.bearing(to: $0.coordinate)) } }
        location.speed = share > 0 && share < 1 ? leg.length.meters / (isAboard ? 95 : 50) : 0
        location.accuracy = 5
        let reported = reports.last { $0 <= second } ?? (min(second, silentFrom) / 5).rounded(.down) * 5
        let heard = Self.start.addingTimeInterval(reported)
        location.serverTime = heard
        location.updateTime = heard.addingTimeInterval(-0.6)
        trip.lastLocation = location
        guard !now.isTerminal else {
            guard now == .complete else { return trip }
            trip.actualPickup = StopLocation(coordinate: Self.pickup, time: Self.start.addingTimeInterval(77))
            trip.actualDropoff = StopLocation(coordinate: Self.dropoff, time: Self.start.addingTimeInterval(171))
            trip.dropoffTime = Self.start.addingTimeInterval(172)
            trip.pickupTime = Self.start.addingTimeInterval(77)
            return trip
        }
        let late = second > 100 ? 20.0 : second > 30 ? 10 : 0
        trip.pickupTime = Self.start.addingTimeInterval(isAboard ? 77 : 58 + late)
        trip.dropoffTime = Self.start.addingTimeInterval(151 + late)
        trip.etaToFirstWaypoint = isAboard ? trip.dropoffTime : trip.pickupTime
        trip.remainingDistance = Distance(meters: leg.length.meters * (1 - share))
        trip.route = leg
        trip.routeVersion = Version(isAboard ? "2" : "1")
        if hasTraffic, isAboard {
            trip.traffic = Traffic(intervals: [
                .init(start: 0, end: 4, speed: .normal), .init(start: 4, end: 5, speed: .slow),
                .init(start: 5, end: 6, speed: .jam), .init(start: 6, end: 8, speed: .normal),
            ])
            trip.trafficVersion = Version("1")
        }
        trip.remainingWaypoints = try waypoints(isAboard)
        return trip
    }

    private func waypoints(_ isAboard: Bool) throws -> [Waypoint] {
        var waypoints: [Waypoint] = []
        if let foreignStop {
            waypoints.append(Waypoint(coordinate: foreignStop, tripID: try TripID("someone-else"), kind: .dropoff))
        }
        if !isAboard { waypoints.append(Waypoint(coordinate: Self.pickup, tripID: try TripID(name), kind: .pickup)) }
        waypoints += try stops.map {
            Waypoint(coordinate: $0, tripID: try TripID(name), kind: .intermediateDestination)
        }
        var last = Waypoint(coordinate: Self.dropoff, tripID: try TripID(name), kind: .dropoff)
        last.eta = Self.start.addingTimeInterval(151)
        if !isAboard { last.path = Self.toDropoff.points }
        return waypoints + [last]
    }

    /// The messages from the start to this second, with a poll every 5 seconds.
    func messages(until end: Double) throws -> [Message] {
        var state = TripState(id: try id())
        var schedule = PollSchedule(interval: .seconds(5), next: .seconds(1000))
        var messages: [Message] = try tokenMessages(at: 0)
        var second = 0.0
        while second <= end {
            let started = Self.moment(second)
            let done = started.advanced(by: .seconds(0.02))
            schedule.next = nil
            messages += [.tick(started), .feed(.polling(try id(), schedule))]
            var report = PollReport(journey: try id(), started: started)
            report.finished = done
            let name = report.journey.name
            // Varying latencies, the same in each run.
            let latency = Duration.milliseconds(12 + Int(second) * 7 % 11)
            if let tokenError {
                report.outcome = .failure(tokenError.failure)
            } else if second >= failsFrom {
                report.outcome = .failure(failure)
                if failure.isSent {
                    report.call = .sample(
                        about: name,
                        status: failure.httpStatus,
                        bytes: failure.httpStatus == nil ? nil : 140,
                        at: started,
                        until: done,
                        took: latency,
                        failure: failure
                    )
                }
            } else {
                let trip = try trip(at: second)
                report.outcome = .success(.trip(trip))
                report.call = .sample(
                    about: name,
                    body: rawBody ?? Self.body(of: trip, at: second),
                    bytes: 4096 - Int(second) * 10,
                    at: started,
                    until: done,
                    took: latency
                )
                state.merge(.trip(trip), serverDate: nil, at: done)
            }
            report.call?.token = second < 60 ? 1 : 2
            schedule.failures = report.failure == nil ? 0 : schedule.failures + 1
            schedule.reason = report.failure == nil ? .interval : .backOff
            schedule.next = .seconds(1000 + second + 5)
            messages += [.tick(done), .feed(.polled(report, state, schedule))]
            if let now = state.journey?.status, now.isTerminal {
                messages.append(.feed(.ended(try id(), .reached(now))))
                break
            }
            if second < 60, second + 5 >= 60 { messages += try tokenMessages(at: 60) }
            second += 5
        }
        return messages + [.tick(Self.moment(end + 2))]
    }

    /// An answer as the service would send it, reduced to what the inspector tests need.
    static func body(of trip: Trip, at second: Double) -> [UInt8] {
        let place = trip.lastLocation?.coordinate ?? pickup
        let vehicle = trip.vehicleID.map { "\"vehicleId\":\"\($0.rawValue)\"," } ?? ""
        let points = (0..<30).map { "{\"latitude\":52.5\($0),\"longitude\":13.3\($0)}" }.joined(separator: ",")
        let distance = trip.remainingDistance.map { ",\"remainingDistanceMeters\":\(Int($0.meters))" } ?? ""
        let text = """
            {"name":"providers/demo-project/trips/\(trip.id.rawValue)",\(vehicle)"tripStatus":"\(trip.status.name)",
            "lastLocation":{"location":{"latitude":\(place.latitude),"longitude":\(place.longitude)},
            "heading":\(trip.lastLocation?.heading ?? 0),"serverTime":"2026-01-01T17:\(Int(second) / 60):00Z"},
            "pickupPoint":{"point":{"latitude":52.5163,"longitude":13.3777}},"numberOfPassengers":1,
            "shared":false,"route":[\(points)]\(distance)}
            """
        return Array(text.utf8)
    }

    private func tokenMessages(at second: Double) throws -> [Message] {
        var status = TokenStatus(state: .fetching, source: "http endpoint")
        status.fetches = second > 0 ? 2 : 1
        let context = AuthorizationContext.journey(try id())
        let asked = TokenEvent(context: context, at: Self.moment(second), kind: .fetching(.needed), status: status)
        if let tokenError {
            status.state = .failing
            status.lastError = tokenError
            status.failures = 3
            status.fetches = 3
            status.retryAt = Self.start.addingTimeInterval(30)
            return [
                .token(asked),
                .token(
                    TokenEvent(
                        context: context,
                        at: Self.moment(second),
                        kind: .failed(tokenError),
                        status: status,
                        because: .needed
                    )
                ),
            ]
        }
        status.state = .fresh
        status.generation = status.fetches
        status.issuedAt = Self.start.addingTimeInterval(second)
        status.expiresAt = Self.start.addingTimeInterval(second + 90)
        status.refreshAt = Self.start.addingTimeInterval(second + 72)
        status.lastFetchDuration = .milliseconds(8)
        status.fingerprint = "1f2e3d4c"
        let stored = TokenEvent.Kind.stored(generation: status.generation)
        return [
            .token(asked),
            .token(
                TokenEvent(context: context, at: Self.moment(second), kind: stored, status: status, because: .needed)
            ),
        ]
    }

    /// The screen at this second of the ride.
    func screen(
        at second: Double,
        width: Int = 80,
        height: Int = 24,
        glyphs: GlyphSet = GlyphSet(),
        localizer: Localizer = .english,
        zone: Zone = .utc,
        _ change: (inout State.Settings) -> Void = { _ in }
    ) throws -> State {
        var settings = State.Settings(host: "127.0.0.1", zone: zone, localizer: localizer, glyphs: glyphs, speed: 1)
        change(&settings)
        var state = State(
            trips: [try id()],
            settings: settings,
            now: Self.moment(0),
            width: width,
            height: height
        )
        for message in try messages(until: second) { _ = state.update(message) }
        return state
    }
}
