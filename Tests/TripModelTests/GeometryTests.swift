import Testing
import TripModel
import TripTestSupport

@Suite("Geometry", .ends(within: .quickTest))
struct GeometryTests {
    private let ghent = Coordinate(latitude: 51.0553172, longitude: 3.7213445)

    @Test func `measures a degree of latitude`() {
        let north = Coordinate(latitude: ghent.latitude + 1, longitude: ghent.longitude)
        #expect(abs(ghent.distance(to: north).meters - 111_195) < 10)
        #expect(abs(ghent.bearing(to: north)) < 0.001)
    }

    @Test(arguments: [(0.0, 1.0, 0.0), (1.0, 0.0, 90.0), (0.0, -1.0, 180.0), (-1.0, 0.0, 270.0)])
    func `computes the bearing of the four directions`(east: Double, north: Double, bearing: Double) {
        let origin = Coordinate(latitude: 0, longitude: 0)
        #expect(abs(origin.bearing(to: Coordinate(latitude: north, longitude: east)) - bearing) < 0.01)
    }

    @Test func `takes the short way across the date line`() {
        let west = Coordinate(latitude: 0, longitude: 179.9)
        let east = Coordinate(latitude: 0, longitude: -179.9)
        #expect(west.distance(to: east).meters < 23_000)
        #expect(abs(abs(west.interpolated(to: east, fraction: 0.5).longitude) - 180) < 1e-9)
    }

    @Test func `finds a position by its distance from the start`() throws {
        let route = Route([
            Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 0, longitude: 0.01),
            Coordinate(latitude: 0.01, longitude: 0.01),
        ])
        let half = try #require(route.position(at: route.length.meters / 2))
        #expect(half.coordinate.distance(to: route.points[1]).meters < 1)
        #expect(route.position(at: -5)?.coordinate == route.points[0])
        #expect(route.position(at: 1e9)?.coordinate == route.points[2])
        #expect(Route([]).position(at: 0) == nil)
    }

    @Test func `projects a point onto the path and splits the path there`() throws {
        let route = Route([
            Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 0, longitude: 0.02),
        ])
        let place = try #require(route.nearest(to: Coordinate(latitude: 0.001, longitude: 0.01)))
        #expect(abs(place.offset - route.length.meters / 2) < 1)
        #expect(abs(place.offRoute - 111.2) < 1)
        let parts = route.split(at: place)
        #expect(parts.driven.last == place.coordinate)
        #expect(parts.remaining.first == place.coordinate)
        #expect(parts.remaining.last == route.points.last)
        #expect(Route([]).nearest(to: ghent) == nil)
        #expect(Route([ghent]).nearest(to: ghent)?.offRoute == 0)
    }

    @Test func `knows all status names and which statuses are final`() {
        #expect(TripStatus(name: "ENROUTE_TO_PICKUP") == .enrouteToPickup)
        #expect(TripStatus(name: "TELEPORTING") == .unrecognized("TELEPORTING"))
        #expect(TripStatus.known.allSatisfy { TripStatus(name: $0.name) == $0 })
        #expect(TripStatus.complete.isTerminal && TripStatus.canceled.isTerminal && !TripStatus.new.isTerminal)
    }
}
