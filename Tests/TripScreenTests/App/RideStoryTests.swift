import Canvas
import FleetTokens
import Foundation
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import TripScreen

/// What happens on a ride is told in the present tense while it happens and in the past tense after it.
@Suite("Ride story", .ends(within: .quickTest))
struct RideStoryTests {
    /// A screen with captions at a second of the ride.
    private static func screen(_ ride: Ride = Ride(), at second: Double) throws -> State {
        var state = try ride.screen(at: second, width: 120, height: 40)
        _ = state.update(.caption(""))
        return state
    }

    private static func token(
        _ kind: TokenEvent.Kind,
        at second: Double,
        generation: Int,
        _ state: inout State
    ) throws {
        var status = TokenStatus(state: .fresh, source: "http endpoint")
        status.generation = generation
        status.expiresAt = Ride.start.addingTimeInterval(second + 60)
        let context = AuthorizationContext.journey(try Ride().id())
        _ = state.update(.tick(Ride.moment(second)))
        _ = state.update(
            .token(TokenEvent(context: context, at: Ride.moment(second), kind: kind, status: status))
        )
    }

    /// Adds the answer at a second.
    private static func poll(_ trip: Trip, at second: Double, _ state: inout State) throws {
        var known = try #require(state.trip).state
        known.merge(.trip(trip), serverDate: nil, at: Ride.moment(second))
        var report = PollReport(journey: .trip(trip.id), started: Ride.moment(second))
        report.finished = Ride.moment(second)
        report.outcome = .success(.trip(trip))
        let schedule = PollSchedule(interval: .seconds(5), next: .seconds(1000 + second + 5))
        _ = state.update(.tick(Ride.moment(second)))
        _ = state.update(.feed(.polled(report, known, schedule)))
    }

    @Test func `without captions nothing is reported`() throws {
        let state = try Ride().screen(at: 105)
        #expect(state.storyLine != nil && state.caption.isEmpty)
    }

    @Test func `a status is reported where the scenario has no caption`() throws {
        var ride = Ride()
        ride.hasTraffic = false
        var state = try Self.screen(ride, at: 105)
        let trip = try #require(state.trip)
        #expect(state.caption == StatusWords(trip.state).text)
        _ = state.update(.caption("The rider is on the way."))
        #expect(state.caption == "The rider is on the way.")
    }

    @Test func `a rejected token is reported until there is a new one, and a while after it`() throws {
        var ride = Ride()
        ride.hasTraffic = false
        var state = try Self.screen(ride, at: 105)
        try Self.token(.rejected(status: .http(403)), at: 108, generation: 2, &state)
        #expect(state.caption == "The token is rejected; a new one is being fetched.")
        try Self.token(.fetching(.rejected), at: 108.1, generation: 2, &state)
        try Self.token(.stored(generation: 3), at: 109, generation: 3, &state)
        #expect(state.caption == "The service rejected a token; a new one has replaced it, and following goes on.")
        _ = state.update(.tick(Ride.moment(116)))
        #expect(state.caption == "The service rejected a token; a new one has replaced it, and following goes on.")
        _ = state.update(.tick(Ride.moment(117.5)))
        #expect(try state.caption == StatusWords(#require(state.trip).state).text)
    }

    @Test func `at high speed it is reported for the same real time`() throws {
        var ride = Ride()
        ride.hasTraffic = false
        var state = try Self.screen(ride, at: 105)
        _ = state.update(.speed(10))
        try Self.token(.rejected(status: .http(403)), at: 108, generation: 2, &state)
        try Self.token(.stored(generation: 3), at: 109, generation: 3, &state)
        _ = state.update(.tick(Ride.moment(129)))
        #expect(state.caption == "The service rejected a token; a new one has replaced it, and following goes on.")
    }

    @Test func `a token that could not be fetched is reported until there is one`() throws {
        var ride = Ride()
        ride.hasTraffic = false
        var state = try Self.screen(ride, at: 105)
        try Self.token(.failed(.unusable(.tokenBoundToAnother, retryAfter: .zero)), at: 108, generation: 2, &state)
        #expect(state.caption == "There is no new token; the old one is used until it expires.")
        try Self.token(.stored(generation: 3), at: 120, generation: 3, &state)
        #expect(state.caption == "A new token has come; the ride went on meanwhile.")
    }

    @Test func `a token that is fetched ahead is reported after it`() throws {
        var ride = Ride()
        ride.hasTraffic = false
        var state = try Self.screen(ride, at: 105)
        try Self.token(.fetching(.ahead), at: 108, generation: 2, &state)
        try Self.token(.stored(generation: 3), at: 108.1, generation: 3, &state)
        #expect(state.caption == "On the way to the drop-off", "it is no event of the ride")
        _ = state.update(.key(.character("W")))
        #expect(state.caption == "Renewed: token 3 came before the last one expired; nobody waited.")
    }

    @Test func `a traffic jam is reported while it is ahead`() throws {
        var state = try Self.screen(at: 105)
        #expect(state.caption == "A traffic jam is ahead; each report updates the arrival.")
        var trip = try Ride().trip(at: 110)
        trip.traffic = Traffic(intervals: [.init(start: 0, end: 8, speed: .normal)])
        trip.trafficVersion = Version("2")
        try Self.poll(trip, at: 110, &state)
        #expect(state.caption == "The traffic jam is over.")
    }

    /// The vehicle stands for 40 s, at the stop of another rider or in front of it.
    @Test(arguments: [(true, false), (false, true)])
    func `a vehicle that serves another rider is not reported to stand still`(
        _ isAtStop: Bool,
        _ isMentioned: Bool
    ) throws {
        var ride = Ride()
        ride.hasTraffic = false
        let place = Ride.toDropoff.points[4]
        ride.foreignStop = isAtStop ? place : Ride.toDropoff.points[6]
        var state = try Self.screen(ride, at: 105)
        for second in stride(from: 110.0, through: 150, by: 5) {
            var trip = try ride.trip(at: second)
            trip.lastLocation?.coordinate = place
            trip.lastLocation?.speed = 0
            try Self.poll(trip, at: second, &state)
        }
        #expect(state.caption.contains("stands still") == isMentioned, "\(state.caption)")
    }

    @Test func `a van that serves other stops is not reported to stand still`() throws {
        var reported: [Bool] = []
        for stops in [3, 1] {
            var info = TaskTrackingInfo(
                trackingID: try TrackingID("parcel-7"),
                provider: try ProviderID("p"),
                state: .open
            )
            (info.remainingStopCount, info.estimatedArrival) = (stops, Ride.start + 900)
            info.remainingDistance = Distance(meters: 900)
            var (story, table) = (RideStory(), JourneyTable())
            var state = TripState(id: Journey.shipment(info).id)
            for second in stride(from: 0.0, through: 40, by: 5) {
                info.vehicleLocation = VehicleLocation(coordinate: Ride.pickup)
                info.vehicleLocation?.speed = 0
                info.vehicleLocation?.serverTime = Ride.start + second
                state.merge(Journey.shipment(info), serverDate: nil, at: Ride.moment(second))
                var report = PollReport(journey: state.id, started: Ride.moment(second))
                report.outcome = .success(Journey.shipment(info))
                let event = FeedEvent.polled(report, state, PollSchedule(interval: .seconds(5), next: nil))
                story.handle(table.apply(event, at: Ride.moment(second)))
            }
            reported.append(story.line(at: Ride.moment(40), silentFor: nil, speed: 1)?.event == .standstill)
        }
        #expect(reported == [false, true])
    }

    @Test func `another route to the same stop is reported`() throws {
        var ride = Ride()
        ride.hasTraffic = false
        var state = try Self.screen(ride, at: 105)
        var trip = try ride.trip(at: 110)
        trip.route = Route(Ride.toDropoff.points.dropLast() + [Coordinate(latitude: 52.523, longitude: 13.4132)])
        trip.routeVersion = Version("3")
        try Self.poll(trip, at: 110, &state)
        #expect(state.caption == "The route has changed; the map shows the new one.")
    }

    @Test func `the route of the next leg is no change of the route`() throws {
        var ride = Ride()
        ride.hasTraffic = false
        let state = try Self.screen(ride, at: 80)
        #expect(state.storyLine == nil)
    }

    @Test func `a silent vehicle is reported with the age of its position`() throws {
        var ride = Ride()
        ride.silentFrom = 100
        ride.hasTraffic = false
        var state = try Self.screen(ride, at: 135)
        #expect(state.caption == "The vehicle reports nothing; its last position is 37 s old.")
        try Self.poll(Ride().trip(at: 140), at: 140, &state)
        #expect(
            state.storyLine?.event == .jam
                || state.caption == "The vehicle has reported again."
        )
    }

    @Test func `the panel that changed is lit for a second`() throws {
        var ride = Ride()
        ride.hasTraffic = false
        var state = try Self.screen(ride, at: 105)
        #expect(state.frameRole(.token) == .border)
        try Self.token(.rejected(status: .http(403)), at: 108, generation: 2, &state)
        #expect(state.frameRole(.token) == .focusedBorder && state.frameRole(.map) == .border)
        #expect(try #require(state.nextTick(after: state.now)) <= .seconds(1.01))
        _ = state.update(.tick(Ride.moment(109.1)))
        #expect(state.frameRole(.token) == .border)
    }
}
