import FleetEmulator
import Foundation
import TripFeed
import TripModel
import TripScreen

/// The streets of the demo town.
enum DemoStreets {
    /// Returns the map of the demo town if a ride is inside it; `nil` otherwise.
    static func basemap(of state: TripState) -> Basemap? {
        guard let journey = state.journey, let place = journey.pickup ?? journey.dropoff, Town.isInDemo(place) else {
            return nil
        }
        // The tests read the embedded file. Without a map the ride is still shown.
        return try? Basemap(geoJSON: Data(Town.demoGeoJSON))
    }
}
