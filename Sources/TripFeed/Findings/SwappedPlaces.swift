import TripModel

/// The places of a trip whose latitude and longitude seem to be exchanged; each field is named once.
struct SwappedPlaces: Sendable, Equatable {
    /// A place that is far from all others of the trip, and near one of them with latitude and longitude exchanged.
    struct Place: Sendable, Equatable {
        /// The path of the field in the answer.
        var field: String
        /// The place as it was answered.
        var coordinate: Coordinate
    }

    /// The largest distance in meters between an exchanged place and the nearest other one.
    private static let near = 50_000.0

    /// The places that the last answer was the first to show.
    private(set) var found: [Place] = []

    private var named: Set<String> = []

    /// Records the places after an answer; `far` is the distance in meters to the nearest other place above which one is judged.
    mutating func record(_ journey: Journey, far: Double) {
        let places = Self.places(of: journey)
        found = places.filter { place in
            !named.contains(place.field)
                && place.isExchanged(among: places.filter { $0.field != place.field }, far: far, near: Self.near)
        }
        named.formUnion(found.map(\.field))
    }

    /// The places that the backend and the device wrote; waypoints and routes are made of them.
    private static func places(of journey: Journey) -> [Place] {
        let known = [
            ("pickupPoint", journey.pickup), ("dropoffPoint", journey.dropoff),
            ("lastLocation.location", journey.lastLocation?.coordinate),
        ]
        return known.compactMap { field, place in place.map { Place(field: field, coordinate: $0) } }
            + journey.intermediateDestinations.enumerated().map { index, place in
                Place(field: "intermediateDestinations[\(index)]", coordinate: place)
            }
    }
}

extension SwappedPlaces.Place {
    /// Whether the place belongs to the others only with latitude and longitude exchanged.
    ///
    /// With only two places, nothing shows which of them is wrong.
    fileprivate func isExchanged(among others: [SwappedPlaces.Place], far: Double, near: Double) -> Bool {
        let swapped = Coordinate(latitude: coordinate.longitude, longitude: coordinate.latitude)
        func nearest(_ place: Coordinate) -> Double? { others.map { $0.coordinate.distance(to: place).meters }.min() }
        guard others.count >= 2, swapped.isValid, let away = nearest(coordinate), let close = nearest(swapped) else {
            return false
        }
        return away > far && close <= near
    }
}
