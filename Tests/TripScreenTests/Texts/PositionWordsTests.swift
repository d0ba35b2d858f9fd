import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

/// What a position in words says of how the vehicle moves.
@Suite("Positions in words", .ends(within: .quickTest))
struct PositionWordsTests {
    /// Returns the words for a vehicle that reported 35 s after the start of a ride, some seconds later.
    private func words(after seconds: Double, _ change: (inout Trip) -> Void = { _ in }) throws -> String? {
        var trip = try Ride().trip(at: 35)
        trip.lastLocation?.speed = 9
        trip.lastLocation?.heading = 90
        change(&trip)
        var state = TripState(id: .trip(trip.id))
        state.merge(.trip(trip), serverDate: nil, at: Ride.moment(35))
        return Localizer.english.position(of: state, street: nil, at: Ride.moment(35 + seconds))
    }

    @Test func `say how it moves while the position is current`() throws {
        let current = try #require(try words(after: 20))
        #expect(current.contains("before the pickup, heading east, 32 km/h") && !current.contains("old"))
        let old = try #require(try words(after: 60.5))
        #expect(old.contains("before the pickup, position 60 s old"))
        #expect(!old.contains("heading") && !old.contains("km/h"))
    }

    @Test func `do not call it standing if it has not reported for long`() throws {
        let current = try words(after: 20) { $0.lastLocation?.speed = 0 }
        #expect(current?.contains("not moving") == true)
        let old = try words(after: 60.5) { $0.lastLocation?.speed = 0 }
        #expect(old?.contains("not moving") == false)
    }

    @Test func `leave out the speed of the approach at a stop, but not that of a vehicle that has left it`() throws {
        let there = try words(after: 1) {
            $0.status = .arrivedAtPickup
            $0.lastLocation?.coordinate = Ride.pickup
        }
        #expect(there == nil)
        let left = try words(after: 1) {
            $0.status = .arrivedAtPickup
            $0.lastLocation?.coordinate = Ride.dropoff
        }
        #expect(left == "Vehicle: heading east, 32 km/h")
    }
}
