import Canvas
import Foundation
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import TripScreen

/// What the screen shows about a ride is true and has its certainty.
@Suite("Story of a ride", .ends(within: .quickTest))
struct StoryTests {
    /// A screen that has received these answers.
    private static func screen(
        _ trips: [(second: Double, trip: Trip)],
        _ width: Int = 120,
        _ height: Int = 40,
        localizer: Localizer = .english
    ) throws -> State {
        let id = try Ride().id()
        var screen = State(
            trips: [id],
            settings: State.Settings(host: "127.0.0.1", localizer: localizer),
            now: Ride.moment(trips.first?.second ?? 0),
            width: width,
            height: height
        )
        var state = TripState(id: id)
        for (second, trip) in trips {
            let now = Ride.moment(second)
            state.merge(.trip(trip), serverDate: nil, at: now)
            var report = PollReport(journey: id, started: now)
            report.finished = now
            report.outcome = .success(.trip(trip))
            let schedule = PollSchedule(interval: .seconds(5), next: .seconds(1005 + second))
            _ = screen.update(.tick(now))
            _ = screen.update(.feed(.polled(report, state, schedule)))
        }
        return screen
    }

    private static func ride(_ statuses: [(Double, TripStatus)]) -> Ride {
        var ride = Ride()
        ride.status = statuses.map { (from: $0.0, status: $0.1) }
        return ride
    }

    @Test(arguments: [(80, 24), (120, 40)])
    func `a trip canceled at the pickup shows that the driver was there`(
        _ size: (Int, Int)
    ) throws {
        let ride = Self.ride([(0, .new), (12, .enrouteToPickup), (40, .arrivedAtPickup), (60, .canceled)])
        let text = try view(ride.screen(at: 80, width: size.0, height: size.1)).text
        let rows = text.split(separator: "\n").map(String.init)
        #expect(rows[0].contains("canceled"))
        #expect(rows[2].contains("Trip canceled"))
        #expect(text.contains("✗ Canceled"))
        #expect(text.contains("Pickup   driver arrived 17:00:40"))
        #expect(!text.contains("Pickup   not reached") && text.contains("Drop-off not reached"))
    }

    @Test func `a trip canceled with the rider aboard shows when the ride began`() throws {
        let ride = Self.ride([(0, .new), (12, .enrouteToPickup), (40, .enrouteToDropoff), (60, .canceled)])
        let text = try view(ride.screen(at: 80, width: 120, height: 40)).text
        #expect(text.contains("Pickup   17:00:40"), "\(text)")
    }

    @Test func `a canceled trip has its own badge, even during the confirming poll`() throws {
        let trip = try Self.ride([(0, .canceled)]).trip(at: 0)
        let state = try Self.screen([(0, trip)])
        #expect(try Connection(of: #require(state.trip), in: state).text == "canceled")
    }

    @Test func `a wait that began before the trip was first seen is shown as a minimum`() throws {
        var trip = try Self.ride([(0, .arrivedAtPickup)]).trip(at: 70)
        trip.actualPickupArrival = nil
        let text = try view(Self.screen([(70, trip), (119, trip)])).text
        #expect(text.contains("here for 0:49+ · since 17:01:10"), "\(text)")
        #expect(text.contains("for 0:49+"))
        // With the driver's own arrival time the wait is exact.
        trip.actualPickupArrival = StopLocation(coordinate: Ride.pickup, time: Ride.start.addingTimeInterval(60))
        #expect(try view(Self.screen([(70, trip), (119, trip)])).text.contains("here for 0:59 · since 17:01:00"))
    }

    @Test func `a wait whose beginning was seen is shown exactly`() throws {
        let (driving, waiting) = (try Ride().trip(at: 60), try Ride().trip(at: 65))
        let text = try view(Self.screen([(60, driving), (65, waiting), (75, waiting)])).text
        #expect(text.contains("here for 0:10 · since 17:01:05"), "\(text)")
        #expect(text.contains("0:05+"))
    }

    @Test(arguments: [(5.0, false), (400, true)])
    func `a vehicle at the pickup has a speed only when it is away from it`(_ meters: Double, _ moves: Bool) throws {
        var trip = try Ride().trip(at: 65)
        trip.lastLocation?.coordinate = Coordinate(
            latitude: Ride.pickup.latitude + meters / 111_000,
            longitude: Ride.pickup.longitude
        )
        trip.lastLocation?.speed = 2.8
        let text = try view(Self.screen([(65, trip)])).text
        #expect(text.contains("10 km/h") == moves, "\(text)")
    }

    @Test func `a failing trip has a mark in the table like a stale one`() throws {
        var state = try Fleet.screen(width: 80, height: 24)
        _ = state.update(.key(.character("2")))
        let rows = view(state).text.split(separator: "\n").map(String.init)
        #expect(try #require(rows.first { $0.contains("trip-not-there") }).hasPrefix("│  ✗"))
        #expect(try #require(rows.first { $0.contains("名古屋") }).hasPrefix("│  !"))
        #expect(try #require(rows.first { $0.contains("airport") }).hasPrefix("│   "))
    }

    /// A ride with three stops, of which the second one is late.
    private static func stops(late: Double) throws -> Trip {
        var ride = Ride()
        ride.status[3].status = .enrouteToIntermediateDestination
        ride.stops = [3, 5, 6].map { Ride.toDropoff.points[$0] }
        var trip = try ride.trip(at: 95)
        for (index, seconds) in [120.0, 180 + late, 240].enumerated() {
            trip.remainingWaypoints[index].eta = Ride.start.addingTimeInterval(seconds)
        }
        trip.etaToFirstWaypoint = Ride.start.addingTimeInterval(120)
        trip.dropoffTime = Ride.start.addingTimeInterval(300)
        return trip
    }

    @Test(arguments: [("a", 80, 24), ("", 120, 60), ("", 200, 60)])
    func `shows every remaining stop with number, time, first promise and difference`(
        _ keys: String,
        _ width: Int,
        _ height: Int
    ) throws {
        var state = try Self.screen([(95, Self.stops(late: 0)), (100, Self.stops(late: 60))], width, height)
        for key in keys { _ = state.update(.key(.character(key))) }
        let text = view(state).text
        for words in [
            "Stop 1   in 0:20 · 17:02:00", "Stop 2   in 2:20 · 17:04:00", "promised 17:03:00 (+1:00)",
            "Stop 3   in 2:20 · 17:04:00", "Drop-off in 3:20 · 17:05:00",
        ] { #expect(text.contains(words), "\(words)\n\(text)") }
        // A passed stop is no longer listed, and the others keep their numbers.
        var later = try Self.stops(late: 60)
        later.remainingWaypoints.removeFirst()
        later.intermediateDestinationIndex = 1
        let next = Arrivals(of: try #require(try Self.screen([(95, Self.stops(late: 0)), (130, later)]).trip).state)
        #expect(next.all.map(\.number) == [2, 3, nil])
    }

    @Test func `a stop retains its first promise when the order of the stops changes`() throws {
        var state = TripState(id: try Ride().id())
        state.merge(try .trip(Self.stops(late: 0)), serverDate: nil, at: Ride.moment(95))
        var swapped = try Self.stops(late: 60)
        swapped.remainingWaypoints.swapAt(0, 1)
        state.merge(.trip(swapped), serverDate: nil, at: Ride.moment(100))
        let place = Ride.toDropoff.points[5]
        #expect(state.firstPromise(ofStopAt: place)?.time == Ride.start.addingTimeInterval(180))
    }

    @Test func `shows the history of the predicted arrival as a curve with its total change`() throws {
        var trip = try Ride().trip(at: 80)
        var seen: [(Double, Trip)] = []
        for (second, late) in [(80.0, 0.0), (100, 30), (110, 90), (118, 120)] {
            trip.dropoffTime = Ride.start.addingTimeInterval(200 + late)
            trip.etaToFirstWaypoint = trip.dropoffTime
            seen.append((second, trip))
        }
        let text = try view(Self.screen(seen)).text
        #expect(text.contains(/Trend    ▁+▃+▆+█ \+2:00/), "\(text)")
        #expect(try !view(Self.screen([seen[0]])).text.contains("Trend"))
    }

    @Test func `shows the distance off the route only while the vehicle is off the route`() throws {
        var trip = try Ride().trip(at: 100)
        trip.hasNoTraffic()
        #expect(try !view(Self.screen([(100, trip)])).text.contains("Off route"))
        trip.lastLocation?.coordinate?.latitude += 0.003
        #expect(try view(Self.screen([(100, trip)])).text.contains(/Off route +3\d\d m/))
        trip.lastLocation?.accuracy = 400
        #expect(try !view(Self.screen([(100, trip)])).text.contains("Off route"))
    }

    @Test(arguments: Language.allCases, [(80, 24), (120, 40), (60, 16)])
    func `the presenter describes the delay in words`(_ language: Language, _ size: (Int, Int)) throws {
        let localizer = Localizer(language)
        for (late, words) in [
            (20.0, localizer(.asPromised)),
            (200, localizer(.promiseLater(duration: localizer(.minutes(minutes: "3"))))),
            (-130, localizer(.promiseEarlier(duration: localizer(.minutes(minutes: "2"))))),
        ] {
            var trips = [(80.0, try Ride().trip(at: 80)), (85, try Ride().trip(at: 85))]
            for (index, late) in [0, late].enumerated() {
                trips[index].1.dropoffTime = Ride.start.addingTimeInterval(400 + late)
                trips[index].1.etaToFirstWaypoint = trips[index].1.dropoffTime
            }
            var state = try Self.screen(trips, size.0, size.1, localizer: localizer)
            _ = state.update(.key(.character("P")))
            #expect(view(state).text.contains(words), "\(words)\n\(view(state).text)")
        }
    }
}

extension Trip {
    fileprivate mutating func hasNoTraffic() { traffic = nil }
}
