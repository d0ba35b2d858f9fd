import Foundation
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Milestones of a trip", .ends(within: .quickTest))
struct TripMilestonesTests {
    private static let start = Date(timeIntervalSince1970: 1_773_476_000)
    private static let place = Coordinate(latitude: 0, longitude: 0)
    private var milestones = TripMilestones()
    private var last: Date?

    private static func time(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    private static func stop(_ seconds: Double) -> StopLocation { StopLocation(coordinate: place, time: time(seconds)) }

    private mutating func see(
        _ status: TripStatus,
        at seconds: Double,
        _ change: (inout Trip) -> Void = { _ in }
    ) throws {
        var trip = Trip(id: try TripID("t"), provider: try ProviderID("p"), status: status)
        change(&trip)
        milestones.record(.trip(trip), at: Self.time(seconds), after: last)
        last = Self.time(seconds)
    }

    private func seconds(_ milestone: TripMilestones.Milestone?) -> Double? {
        milestone?.known?.timeIntervalSince(Self.start)
    }

    @Test mutating func `prefers the service's clock to the device's, and both to the time of the answer`() throws {
        try see(.enrouteToPickup, at: 0)
        try see(.arrivedAtPickup, at: 10)
        try see(.enrouteToDropoff, at: 30)
        #expect(seconds(milestones.pickupArrival) == 10 && seconds(milestones.boarding) == 30)
        try see(.enrouteToDropoff, at: 35) { $0.actualPickup = Self.stop(15) }
        #expect(seconds(milestones.boarding) == 15)
        try see(.enrouteToDropoff, at: 40) {
            ($0.actualPickupArrival, $0.actualPickup, $0.pickupTime) = (Self.stop(8), Self.stop(15), Self.time(25))
        }
        #expect(seconds(milestones.pickupArrival) == 8 && seconds(milestones.boarding) == 25)
        #expect(milestones.waitAtPickup == 17)
        try see(.complete, at: 65)
        #expect(milestones.ride == 40, "an answer that lacks the times does not change them")
    }

    @Test mutating func `an estimate that is still ahead is no actual time`() throws {
        try see(.arrivedAtPickup, at: 0)
        try see(.enrouteToDropoff, at: 30) { $0.pickupTime = Self.time(300) }
        #expect(seconds(milestones.boarding) == 30)
        try see(.complete, at: 60) { $0.dropoffTime = Self.time(300) }
        #expect(seconds(milestones.dropoff) == 60)
    }

    @Test mutating func `what the first answer after an outage shows may be much older`() throws {
        try see(.enrouteToPickup, at: 0)
        try see(.enrouteToPickup, at: 25)
        try see(.arrivedAtPickup, at: 90)
        #expect(milestones.pickupArrival?.mayBeEarlier == true && seconds(milestones.pickupArrival) == 90)
        try see(.enrouteToDropoff, at: 115)
        #expect(milestones.boarding?.mayBeEarlier == false)
        #expect(milestones.waitAtPickup == nil, "the vehicle may have been there for longer")
    }

    @Test mutating func `does not know when something began that the first answer shows`() throws {
        try see(.enrouteToDropoff, at: 0)
        #expect(milestones.boarding?.source == .before && seconds(milestones.boarding) == nil)
        try see(.complete, at: 60)
        #expect(seconds(milestones.dropoff) == 60 && milestones.ride == nil)
    }

    @Test mutating func `a canceled trip has no drop-off, and a boarding only if there was one`() throws {
        try see(.arrivedAtPickup, at: 0)
        try see(.canceled, at: 10) { $0.pickupTime = Self.time(5) }
        #expect(milestones.boarding == nil && milestones.dropoff == nil)
    }

    @Test mutating func `adds up the waits at stops, with the driver's times where they exist`() throws {
        try see(.enrouteToIntermediateDestination, at: 0)
        try see(.arrivedAtIntermediateDestination, at: 10)
        try see(.enrouteToIntermediateDestination, at: 30) { $0.intermediateDestinationIndex = 1 }
        try see(.arrivedAtIntermediateDestination, at: 40) { $0.intermediateDestinationIndex = 1 }
        try see(.enrouteToDropoff, at: 50) { $0.intermediateDestinationIndex = 1 }
        #expect(milestones.waitAtStops == 30)
        try see(.enrouteToDropoff, at: 55) {
            $0.intermediateDestinationIndex = 1
            $0.actualStopArrivals = [Self.stop(8)]
            $0.actualStops = [Self.stop(28), Self.stop(49)]
        }
        #expect(milestones.waitAtStops == 29)
    }
}
