import Canvas
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

@Suite("Conclusions of the screen", .ends(within: .quickTest))
struct RulesTests {
    /// A trip that was seen in these statuses, one every ten seconds.
    private func state(_ statuses: [TripStatus], stops: Int = 0, index: Int = 0) throws -> TripState {
        var state = TripState(id: try .trip(TripID("t")))
        for (number, status) in statuses.enumerated() {
            var trip = Trip(id: try TripID("t"), provider: try ProviderID("p"), status: status)
            trip.vehicleID = try VehicleID("v")
            trip.intermediateDestinations = Array(repeating: Ride.pickup, count: stops)
            trip.intermediateDestinationIndex = index
            trip.pickupTime = Ride.start.addingTimeInterval(300)
            trip.dropoffTime = Ride.start.addingTimeInterval(900)
            state.merge(.trip(trip), serverDate: nil, at: Ride.moment(Double(number) * 10))
        }
        return state
    }

    private func steps(_ state: TripState) -> [String] {
        Timeline(of: state, at: Ride.moment(60)).steps.map { "\($0.name) \($0.progress)" }
    }

    @Test func `marks the steps that were missed between two polls`() throws {
        #expect(
            try steps(state([.new, .enrouteToDropoff])) == [
                "Requested passed", "To pickup missed", "At pickup missed", "To drop-off current", "Complete ahead",
            ]
        )
    }

    @Test func `a trip that is first seen after its start began earlier`() throws {
        let timeline = Timeline(of: try state([.enrouteToPickup]), at: Ride.moment(60))
        #expect(timeline.steps.map(\.progress) == [.missed, .current, .ahead, .ahead, .ahead])
        #expect(timeline.steps[1].certainty == .before)
        #expect(timeline.steps[1].duration == .seconds(60) && timeline.steps[1].isLonger)
    }

    @Test func `a canceled trip has no steps ahead`() throws {
        #expect(
            try steps(state([.new, .enrouteToPickup, .canceled])) == [
                "Requested passed", "To pickup passed", "Canceled passed",
            ]
        )
    }

    @Test func `finds the stop that the vehicle drives to`() throws {
        let steps = try steps(state([.new, .enrouteToIntermediateDestination], stops: 3, index: 2))
        #expect(steps.contains("To stop 3 current"))
        #expect(steps.filter { $0.hasSuffix("ahead") } == ["At stop 3 ahead", "To drop-off ahead", "Complete ahead"])
    }

    @Test func `distinguishes estimates from past events`() throws {
        let timeline = Timeline(of: try state([.new, .enrouteToPickup]), at: Ride.moment(60))
        #expect(timeline.steps.map(\.certainty) == [.before, .seen, .estimated, .estimated, .estimated])
        #expect(timeline.steps[2].time == Ride.start.addingTimeInterval(300))
        #expect(timeline.steps[3].time == nil)
        #expect(timeline.steps[0].duration == .seconds(10) && timeline.steps[0].isLonger)
        #expect(timeline.steps[1].duration == .seconds(50) && !timeline.steps[1].isLonger)
    }

    /// The age of a position that was measured and received at these seconds; the trip was polled at second 100.
    private func age(
        measured: Double?,
        received: Double?,
        now: Double = 100,
        serviceOffset: Double? = nil
    ) throws -> PositionAge? {
        let ride = Ride()
        var screen = try ride.screen(at: 0)
        var state = TripState(id: try ride.id())
        var trip = try ride.trip(at: 20)
        trip.lastLocation?.updateTime = measured.map { Ride.start.addingTimeInterval($0) }
        trip.lastLocation?.serverTime = received.map { Ride.start.addingTimeInterval($0) }
        state.merge(.trip(trip), serverDate: serviceOffset.map { Ride.moment(100).wall + $0 }, at: Ride.moment(100))
        var report = PollReport(journey: try ride.id(), started: Ride.moment(100))
        report.finished = Ride.moment(100)
        report.outcome = .success(.trip(trip))
        let schedule = PollSchedule(interval: .seconds(5), next: nil)
        #expect(screen.update(.feed(.polled(report, state, schedule))).isEmpty)
        return PositionAge(of: try #require(screen.trip), at: Ride.moment(now))
    }

    @Test func `explains why a position is stale`() throws {
        #expect(try age(measured: 97, received: 98)?.reason == nil)
        #expect(try age(measured: 50, received: 51)?.reason == .driverSilent)
        #expect(try age(measured: 50, received: 99)?.reason == .deliveredLate)
        #expect(try age(measured: 110, received: 99)?.reason == .clocksDiffer)
        #expect(try age(measured: 97, received: 98, now: 150)?.reason == .pollingFails)
        #expect(try age(measured: nil, received: nil)?.reason == nil)
        #expect(try age(measured: 40, received: nil)?.reason == .driverSilent)
    }

    @Test func `does not blame the device's clock for what the service's clock explains`() throws {
        #expect(try age(measured: 97, received: 98, serviceOffset: -300)?.reason == nil)
        #expect(try age(measured: 130, received: 98, serviceOffset: -300)?.reason == .clocksDiffer)
        // The local clock is ahead, and so is the device's, but by less.
        #expect(try age(measured: -140, received: -202, serviceOffset: -300)?.reason == .clocksDiffer)
    }

    @Test func `shows both ages of a position that the device sent late`() throws {
        let age = try #require(try age(measured: 50, received: 98))
        #expect(age.received == .seconds(2))
        #expect(age.measured == .seconds(50))
    }

    @Test(arguments: [
        (TripStatus.new, "A driver is assigned"), (.enrouteToPickup, "on the way to the pickup"),
        (.arrivedAtPickup, "at the pickup"), (.enrouteToDropoff, "to the drop-off"), (.complete, "complete"),
        (.canceled, "canceled"), (.unrecognized("NEWER"), "NEWER"), (.unrecognized(""), "no status"),
    ])
    func `describes every status in words`(_ example: (status: TripStatus, words: String)) throws {
        #expect(StatusWords(try state([example.status])).text.contains(example.words))
    }

    @Test func `a canceled trip is drawn differently from a complete one`() throws {
        let canceled = try PictureTests.Scene.canceled.screen(80, 24, .ascii)
        let complete = try PictureTests.Scene.complete.screen(80, 24, .ascii)
        #expect(view(canceled).text.contains("x Canceled") && view(canceled).text.contains("not reached"))
        #expect(view(complete).text.contains("+ Complete"))
    }

    @Test func `draws a route of 20,000 points`() throws {
        var state = TripState(id: try Ride().id())
        var trip = try Ride().trip(at: 20)
        trip.route = Route(
            (0..<20_000).map { number in
                let turn = Double(number) / 300
                return Coordinate(latitude: 52.5 + sin(turn) * 0.01 + turn * 0.001, longitude: 13.4 + cos(turn) * 0.02)
            }
        )
        state.merge(.trip(trip), serverDate: nil, at: Ride.moment(20))
        var screen = try Ride().screen(at: 0, width: 200, height: 60)
        var report = PollReport(journey: try Ride().id(), started: Ride.moment(20))
        report.outcome = .success(.trip(trip))
        let schedule = PollSchedule(interval: .seconds(5), next: nil)
        #expect(screen.update(.feed(.polled(report, state, schedule))).isEmpty)
        #expect(view(screen).text.contains("Pickup"))
    }
}
