import FleetWire
import Foundation
import TripModel

/// The body of UpdateVehicle, with only the fields that its mask names.
struct DriverReport: Encodable {
    struct LatLng: Encodable {
        var latitude: Double
        var longitude: Double

        init(_ coordinate: Coordinate) {
            latitude = coordinate.latitude
            longitude = coordinate.longitude
        }
    }

    struct Location: Encodable {
        var location: LatLng
        var heading: Int?
        var speed: Double
        var speedAccuracy = 0.5
        var latlngAccuracy: Double
        var updateTime: String
        var locationSensor = "ROAD_SNAPPED_LOCATION_PROVIDER"
        var isRoadSnapped = true
        var rawLocation: LatLng
        var rawLocationTime: String
        var rawLocationAccuracy: Double
    }

    struct Place: Encodable {
        struct Terminal: Encodable {
            var point: LatLng
        }

        var location: Terminal
        var tripId: String
        var waypointType: String
    }

    /// The end of a route: a waypoint of a trip, or a place of a delivery vehicle.
    enum RouteEnd: Encodable {
        case waypoint(Place)
        case place(LatLng)

        /// Creates the end of a route to a destination; the route may end some meters away from it.
        init(_ target: DriverScript.Target, at end: Coordinate) {
            switch target {
            case .trip(let stop):
                var place = Place(stop)
                place.location = .init(point: LatLng(end))
                self = .waypoint(place)
            case .delivery: self = .place(LatLng(end))
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .waypoint(let place): try place.encode(to: encoder)
            case .place(let point): try point.encode(to: encoder)
            }
        }
    }

    struct TrafficData: Encodable {
        struct Rendering: Encodable {
            var roadStretch: [Stretch]
        }

        struct Stretch: Encodable {
            var style = "SLOWER_TRAFFIC"
            var offsetMeters: Int
            var lengthMeters: Int
        }

        var trafficRendering: Rendering
    }

    var vehicleState: String?
    var lastLocation: Location?
    var remainingTimeSeconds: Int?
    var remainingDistanceMeters: Int?
    var navigationStatus: String?
    var currentRouteSegment: String?
    var currentRouteSegmentEndPoint: RouteEnd?
    var currentRouteSegmentTraffic: TrafficData?

    /// The mask: the fields that are set.
    var mask: FieldMask {
        let fields = [
            ("vehicleState", vehicleState != nil), ("lastLocation", lastLocation != nil),
            ("remainingTimeSeconds", remainingTimeSeconds != nil),
            ("remainingDistanceMeters", remainingDistanceMeters != nil),
            ("navigationStatus", navigationStatus != nil), ("currentRouteSegment", currentRouteSegment != nil),
            ("currentRouteSegmentEndPoint", currentRouteSegmentEndPoint != nil),
            ("currentRouteSegmentTraffic", currentRouteSegmentTraffic != nil),
        ]
        return FieldMask(fields.filter(\.1).map(\.0))
    }
}
