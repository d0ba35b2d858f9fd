import Failures
import FleetEngineProtos
import FleetWire
import Foundation
import Runtime
import TripModel

/// A request of a simulated driver with its time.
struct SentRequest: Sendable, Equatable {
    let request: HTTPTransportRequest
    let moment: Moment
    /// 1, 2, 3, … among the requests of the same call, including retries.
    var number = 0

    init(request: HTTPTransportRequest, moment: Moment) {
        (self.request, self.moment) = (request, moment)
    }

    /// When the request was sent, in seconds of the ride's clock.
    var time: Double { moment.steady.seconds }

    /// The method and the path without the query.
    var target: String { "\(request.method) \(request.url.trimmingPrefix("http://fleet.test").prefix { $0 != "?" })" }

    /// The name of the call in Fleet Engine's API; method and path for any other request.
    var call: String {
        switch target {
        case "POST /v1/providers/p/vehicles": "CreateVehicle"
        case "POST /v1/providers/p/trips": "CreateTrip"
        case "PUT /v1/providers/p/vehicles/veh-1": "UpdateVehicle"
        case "PUT /v1/providers/p/trips/tr-1": "UpdateTrip"
        default: target
        }
    }

    /// The query without percent-encoding.
    var query: String? {
        let query = request.url.drop { $0 != "?" }.dropFirst()
        return PercentEncoding.decode(query)
    }

    /// The fields in the update mask of the query.
    var mask: [String] {
        guard let query, query.hasPrefix("updateMask=") else { return [] }
        return FieldMask(text: String(query.trimmingPrefix("updateMask="))).paths
    }

    /// The names of the fields in the body.
    var fields: Set<String> {
        get throws {
            guard case .object(let members)? = JSONValue(request.body) else { throw WireError.notJSON(reason: "body") }
            return Set(members.map(\.key))
        }
    }

    /// The body, parsed as for UpdateVehicle.
    var vehicleMessage: VehicleMessage {
        get throws { try VehicleMessage(body: request.body) }
    }

    /// The vehicle in the body, which has no name of its own.
    var vehicle: Vehicle {
        get throws {
            var message = try vehicleMessage
            message.name = "providers/p/vehicles/veh-1"
            return try VehicleCoding.vehicle(message)
        }
    }

    /// The trip in the body, parsed as for UpdateTrip, which has no name of its own.
    var trip: Trip {
        get throws {
            var message = try TripMessage(body: request.body)
            message.name = "providers/p/trips/tr-1"
            return try TripCoding.trip(message)
        }
    }

    /// The `Authorization` header.
    var authorization: String? { request.headers.first { $0.name == "authorization" }?.value }
}
