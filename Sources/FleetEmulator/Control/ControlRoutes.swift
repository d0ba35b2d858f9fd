import FleetWire
package import Foundation
package import Runtime
import TripFeed
import TripModel

/// The control API: JSON over HTTP on a loopback port, for testers, scripts and the screen.
///
/// ```
/// GET    /control/trips                              lists all trips, in the format of SearchTrips
/// POST   /control/trips?tripId=ID        {…}         creates a trip: as CreateTrip, or between places by their names
/// GET    /control/places                             lists the places of the demo town
/// POST   /control/trips/ID:cancel                    cancels a trip
/// POST   /control/trips/ID:advance                   moves a trip to its next status
/// GET    /control/faults                             lists the active faults and the stopped vehicles
/// POST   /control/faults                 {…}         adds a fault; returns its number
/// DELETE /control/faults, /control/faults/N          removes all faults, or one
/// GET    /control/billableTrips                      lists what ReportBillableTrip has reported
/// GET    /control/tasks, /control/deliveryVehicles   lists all tasks, or all delivery vehicles without their stops
/// GET    /control/vehicles/ID                        a vehicle with the positions and phone settings that its app sent
/// POST   /control/vehicles/ID:freeze, :release       stops a vehicle, or lets it drive on
/// POST   /control/vehicles/ID:teleport, :detour      {"latitude":…,"longitude":…} or {"place":…}
/// POST   /control/deliveryVehicles/ID:…              the same four for a delivery vehicle
/// GET    /control/clock
/// POST   /control/clock                  {"paused":…,"speed":…,"stepSeconds":…}
/// POST   /control/reset                              everything as at the beginning
/// GET    /control/presenter                          what a presenter's console shows, for callers with the secret
/// POST   /control/presenter              {…}         what it changes besides the clock
/// ```
package struct ControlRoutes: Sendable {
    let control: EmulatorControl
    let router: RequestRouter
    let clock: any TripClock

    /// Creates the routes to a running emulator.
    package init(control: EmulatorControl, router: RequestRouter, clock: any TripClock) {
        (self.control, self.router, self.clock) = (control, router, clock)
    }

    struct Place: Decodable {
        var latitude: Double?
        var longitude: Double?
        /// The name of a place in the demo town, instead of the two numbers.
        var place: String?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case latitude
            case longitude
            case place
        }

        /// The position; `nil` if it is not valid, if no place has this name, or if both are given.
        var coordinate: Coordinate? {
            switch (latitude, longitude, place) {
            case (let latitude?, let longitude?, nil):
                let point = Coordinate(latitude: latitude, longitude: longitude)
                return point.isValid ? point : nil
            case (nil, nil, let place?): return Town.demo.stop(at: place)
            default: return nil
            }
        }
    }

    struct FaultAnswer: Encodable {
        var id: Int
        var fault: Fault
    }

    struct FaultList: Encodable {
        var faults: [FaultAnswer]
        /// The stopped vehicles as in the paths of this API; `nil` if there are none.
        var frozen: [String]?
    }

    private struct ClockChange: Decodable {
        var paused: Bool?
        var speed: Double?
        var stepSeconds: Double?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case paused
            case speed
            case stepSeconds
        }
    }

    private struct ClockAnswer: Encodable {
        var now: String
        var speed: Double
        var paused: Bool
    }

    /// Answers a request.
    package func answer(_ request: PlainRequest, at now: Date) async -> PlainResponse {
        do {
            return try await route(request, at: now)
        } catch let error as ServiceError {
            return .error(error)
        } catch let error as DecodingError {
            return .error(.invalidArgument(YAMLProblem(error).message))
        } catch {
            return .error(.invalidArgument("The request can't be read."))
        }
    }

    private func route(_ request: PlainRequest, at now: Date) async throws -> PlainResponse {
        let parts = request.segments
        guard parts.first == "control", (2...3).contains(parts.count) else { throw ServiceError.noSuchMethod }
        // A web page can send a plain POST to any host. This content type requires a CORS preflight first.
        if request.method != "GET", request.contentType?.hasPrefix("application/json") != true {
            throw ServiceError.invalidArgument("The header Content-Type: application/json is required.")
        }
        let name = parts.count == 3 ? parts[2].split(separator: ":", omittingEmptySubsequences: false) : []
        let verb = name.count == 2 ? ":" + name[1] : ""
        let id = name.first.map(String.init)
        switch (request.method, parts[1], id, verb) {
        case ("GET", "trips", nil, ""): return try await operate("POST", "trips:search", Array("{}".utf8), at: now)
        case ("POST", "trips", nil, ""):
            let trip = PercentEncoding.encode(request.parameter("tripId") ?? "")
            let isNamed = JSONValue(request.body)?["pickup"] != nil
            let body =
                isNamed ? try decode(NamedTrip.self, NamedTrip.CodingKeys.self, request).body(in: .demo) : request.body
            return try await operate("POST", "trips?tripId=\(trip)", body, at: now)
        case ("GET", "places", nil, ""): return answer(PlaceList(.demo))
        case ("POST", "trips", let id?, ":cancel"):
            control.drivers.end(try TripID.normalized(id))
            return try await move(id, to: "CANCELED", at: now)
        case ("POST", "trips", let id?, ":advance"): return try await advance(id, at: now)
        case ("GET", "faults", nil, ""): return faults(at: now)
        case ("POST", "faults", nil, ""):
            let fault = try JSONDecoder().decode(Fault.self, from: Data(request.body))
            let number = control.faults.add(fault, at: now)
            return answer(FaultAnswer(id: number, fault: fault))
        case ("DELETE", "faults", let id, ""):
            guard let id else {
                control.faults.clear()
                return faults(at: now)
            }
            guard let number = Int(id), control.faults.clear(number) else { throw ServiceError.notFound(id) }
            return faults(at: now)
        case ("GET", "billableTrips", nil, ""): return billableTrips()
        case ("GET", let list, nil, "") where ["tasks", "deliveryVehicles"].contains(list):
            // One page has as many as the service allows.
            return try await operate("GET", "\(list)?pageSize=1000", [], ofDeliveries: true, at: now)
        case ("GET", "vehicles", let id?, ""): return try vehicle(try VehicleID.normalized(id))
        case ("POST", "vehicles", let id?, _):
            let known = try await operate("GET", "vehicles/\(PercentEncoding.encode(id))", [], at: now)
            guard known.status == 200 else { return known }
            return try steer(.ofTrips(try VehicleID.normalized(id)), verb, request)
        case ("POST", "deliveryVehicles", let id?, _):
            let path = "deliveryVehicles/\(PercentEncoding.encode(id))"
            let known = try await operate("GET", path, [], ofDeliveries: true, at: now)
            guard known.status == 200 else { return known }
            return try steer(.ofDeliveries(try DeliveryVehicleID.normalized(id)), verb, request)
        case (let method, "clock", nil, ""): return try clock(method, request)
        case ("POST", "reset", nil, ""): return try await reset()
        case (_, "presenter", nil, ""): return try present(request)
        default: throw ServiceError.noSuchMethod
        }
    }

    // MARK: Trips

    // MARK: Faults, vehicles, time

    private func clock(_ method: String, _ request: PlainRequest) throws -> PlainResponse {
        switch method {
        case "GET": break
        case "POST":
            let change = try decode(ClockChange.self, ClockChange.CodingKeys.self, request)
            if let step = change.stepSeconds, !(0...86_400).contains(step) {
                throw ServiceError.invalidArgument("stepSeconds: a number from 0 to 86400 is expected")
            }
            if let speed = change.speed, !control.clock.setSpeed(speed) {
                throw ServiceError.invalidArgument("speed: a number from 0.1 to 600 is expected")
            }
            if let paused = change.paused { control.clock.pause(paused) }
            if let step = change.stepSeconds { control.clock.step(Duration(clampedSeconds: step)) }
        default: throw ServiceError.methodNotAllowed
        }
        let now = Timestamp.text(clock.now().wall)
        return answer(ClockAnswer(now: now, speed: clock.speed, paused: control.clock.isPaused()))
    }

    func answer(_ value: some Encodable) -> PlainResponse {
        PlainResponse(status: 200, body: JSONBytes.encode(value))
    }
}
