import FleetWire
import Runtime
import TripModel

/// A new trip between places of the demo town, which the control API accepts in addition to the body of CreateTrip.
///
/// ```
/// {"pickup": "Station", "stops": ["Hospital"], "dropoff": "Airport"}
/// ```
struct NamedTrip: Decodable {
    private var pickup: String
    private var stops: [String]?
    private var dropoff: String?
    private var tripType: String?
    private var numberOfPassengers: Int?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case pickup
        case stops
        case dropoff
        case tripType
        case numberOfPassengers
    }

    /// The body of CreateTrip.
    private struct Body: Encodable {
        struct Terminal: Encodable {
            /// The numbers `latitude` and `longitude`.
            var point: [String: Double]
        }

        var tripType: String
        var numberOfPassengers: Int?
        var pickupPoint: Terminal
        var intermediateDestinations: [Terminal]?
        var dropoffPoint: Terminal?
    }

    /// Returns the body of CreateTrip.
    func body(in town: Town) throws(ServiceError) -> [UInt8] {
        func terminal(_ name: String) throws(ServiceError) -> Body.Terminal {
            guard let stop = town.stop(at: name) else {
                throw .invalidArgument(
                    "\(name.prefix(40)): no such place in the demo town; GET /control/places lists them"
                )
            }
            return Body.Terminal(point: ["latitude": stop.latitude, "longitude": stop.longitude])
        }
        var destinations: [Body.Terminal] = []
        for stop in stops ?? [] { destinations.append(try terminal(stop)) }
        var body = Body(tripType: tripType ?? "EXCLUSIVE", pickupPoint: try terminal(pickup))
        body.numberOfPassengers = numberOfPassengers
        body.intermediateDestinations = destinations.isEmpty ? nil : destinations
        if let dropoff { body.dropoffPoint = try terminal(dropoff) }
        return JSONBytes.encode(body)
    }
}

/// The answer to `GET /control/places`.
struct PlaceList: Encodable {
    struct Place: Encodable {
        var name: String
        var latitude: Double
        var longitude: Double
    }

    var places: [Place]

    init(_ town: Town) {
        places = town.places.map { place in
            let stop = town.streets.nearest(to: place.coordinate) ?? place.coordinate
            return Place(name: place.name, latitude: stop.latitude, longitude: stop.longitude)
        }
    }
}
