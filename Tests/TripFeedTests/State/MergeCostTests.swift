import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Merge cost", .ends(within: .quickTest))
struct MergeCostTests {
    private func trip(waypoints: Int, name: String, path: [Coordinate]?) throws -> Trip {
        var trip = Trip(id: try TripID("t"), provider: try ProviderID("p"), status: .enrouteToPickup)
        trip.remainingWaypointsRouteVersion = Version("1")
        trip.remainingWaypoints = try (0..<waypoints).map {
            var waypoint = Waypoint(coordinate: nil, tripID: try TripID("\(name)\($0)"), kind: .pickup)
            waypoint.path = path
            return waypoint
        }
        return trip
    }

    @Test func `grows with the number of waypoints, not with its square`() throws {
        var state = TripState(id: try .trip(TripID("t")))
        let now = Moment(wall: Date(timeIntervalSince1970: 1_773_476_000), steady: .zero)
        state.merge(try .trip(trip(waypoints: 35_000, name: "a", path: nil)), serverDate: nil, at: now)
        let answer = try trip(waypoints: 35_000, name: "b", path: nil)
        let duration = ProcessorTime.used { state.merge(.trip(answer), serverDate: nil, at: now) }
        // This took more than a minute when each waypoint was searched for among all old ones.
        #expect(duration < .seconds(10))
    }

    @Test func `retains an omitted path once, even if waypoints are equal`() throws {
        var state = TripState(id: try .trip(TripID("t")))
        let now = Moment(wall: Date(timeIntervalSince1970: 1_773_476_000), steady: .zero)
        let path = (0..<10).map { Coordinate(latitude: Double($0), longitude: 0) }
        state.merge(try .trip(trip(waypoints: 1, name: "a", path: path)), serverDate: nil, at: now)
        var answer = try trip(waypoints: 1, name: "a", path: nil)
        answer.remainingWaypoints = Array(repeating: answer.remainingWaypoints[0], count: 500)
        state.merge(.trip(answer), serverDate: nil, at: now)
        #expect(state.journey?.remainingWaypoints.map { $0.path?.count ?? 0 } == [10] + Array(repeating: 0, count: 499))
    }
}
