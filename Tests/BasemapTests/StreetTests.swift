import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@testable import TripScreen

@Suite("Names of streets", .ends(within: .quickTest))
struct StreetTests {
    /// Two streets that cross at 51° N, 4° E, a river and a street without a name.
    private static let map = """
        {"type":"FeatureCollection","features":[
          {"type":"Feature","properties":{"class":"residential","name":"North Street"},
           "geometry":{"type":"LineString","coordinates":[[4,50.99],[4,51.01]]}},
          {"type":"Feature","properties":{"class":"primary","name":"East Street"},
           "geometry":{"type":"LineString","coordinates":[[3.98,51],[4.02,51]]}},
          {"type":"Feature","properties":{"class":"waterway","name":"River"},
           "geometry":{"type":"LineString","coordinates":[[3.98,51.005],[4.02,51.005]]}},
          {"type":"Feature","properties":{"class":"residential"},
           "geometry":{"type":"LineString","coordinates":[[3.98,50.995],[4.02,50.995]]}}]}
        """

    @Test(arguments: [1 as UInt64, 2, 3, 4])
    func `the street is the nearest one with a name, if it is near enough`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var map = try Basemap(geoJSON: Data(Self.map.utf8))
        for _ in 0..<200 {
            let place = Coordinate(
                latitude: .random(in: 50.992...51.008, using: &generator),
                longitude: .random(in: 3.99...4.01, using: &generator)
            )
            // On so small an area, a degree of longitude has the same length everywhere.
            let toNorthStreet = abs(place.longitude - 4) * 111_320 * cos(51 * Double.pi / 180)
            let toEastStreet = abs(place.latitude - 51) * 111_320
            let street = try map.street(at: place, within: 100)
            let nearest = min(toNorthStreet, toEastStreet)
            // Distances of the plane and of the projection differ by less than a percent.
            guard abs(nearest - 100) > 2, abs(toNorthStreet - toEastStreet) > 2 else { continue }
            let expected = nearest > 100 ? nil : toNorthStreet < toEastStreet ? "North Street" : "East Street"
            #expect(street == expected, "\(place): \(toNorthStreet) m and \(toEastStreet) m")
        }
    }

    @Test func `a river and a street without a name are none`() throws {
        var map = try Basemap(geoJSON: Data(Self.map.utf8))
        #expect(try map.street(at: Coordinate(latitude: 51.005, longitude: 4.01)) == nil)
        #expect(try map.street(at: Coordinate(latitude: 50.995, longitude: 4.01)) == nil)
    }
}
