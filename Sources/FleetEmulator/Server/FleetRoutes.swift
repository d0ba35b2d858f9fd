import FleetWire
import Foundation
import TripModel

/// The REST paths of the service (sections 2.1 and 2.2): HTTP in, calls of ``FleetService``, HTTP out.
struct FleetRoutes: Sendable {
    let service: FleetService
    let authorizer: Authorizer

    /// Answers a request.
    func answer(_ request: PlainRequest, at now: Date) async -> PlainResponse {
        do {
            let caller = try await authorizer.caller(header: request.authorization, at: now)
            let call = try call(for: request)
            switch try service.call(call, by: caller, at: now) {
            case .trip(let trip, let format):
                return PlainResponse(status: 200, body: TripCoding.encode(trip, format: format))
            case .vehicle(let vehicle): return PlainResponse(status: 200, body: VehicleCoding.encode(vehicle))
            }
        } catch {
            return .error(error)
        }
    }

    /// The call that a method and a path stand for.
    private func call(for request: PlainRequest) throws(ServiceError) -> FleetRequest {
        let parts = request.segments
        guard parts.count == 4 || parts.count == 5, parts[0] == "v1", parts[1] == "providers" else {
            throw .noSuchMethod
        }
        guard parts[2].utf8.elementsEqual(service.provider.rawValue.utf8) else {
            throw .invalidArgument("The provider is not \(service.provider), the project of this service.")
        }
        let id = parts.count == 5 ? parts[4] : nil
        switch (parts[3], request.method, id) {
        case ("trips", "POST", nil):
            return .createTrip(try parameterID("tripId", request), try body(request, TripUpdate.init))
        case ("trips", "GET", let id?): return .getTrip(try parse(id), try conditions(request))
        case ("trips", "PUT", let id?):
            return .updateTrip(try parse(id), mask(request), try body(request, TripUpdate.init))
        case ("vehicles", "POST", nil):
            return .createVehicle(try parameterID("vehicleId", request), try body(request, VehicleUpdate.init))
        case ("vehicles", "GET", let id?): return .getVehicle(try parse(id))
        case ("vehicles", "PUT", let id?):
            return .updateVehicle(try parse(id), mask(request), try body(request, VehicleUpdate.init))
        case ("trips", _, _), ("vehicles", _, _): throw .methodNotAllowed
        default: throw .noSuchMethod
        }
    }

    private func mask(_ request: PlainRequest) -> FieldMask {
        FieldMask(text: request.parameter("updateMask") ?? "")
    }

    private func body<Body>(
        _ request: PlainRequest,
        _ read: ([UInt8]) throws(WireError) -> Body
    ) throws(ServiceError) -> Body {
        do {
            return try read(request.body)
        } catch {
            switch error {
            case .notJSON: throw .invalidArgument("Invalid JSON payload received.")
            case .unexpected(let path, let reason): throw .invalidArgument("Invalid value at '\(path)': \(reason)")
            case .badName(let name): throw .invalidArgument("Invalid name: \(name)")
            }
        }
    }

    private func parse<Kind>(_ text: String) throws(ServiceError) -> ResourceID<Kind> {
        do {
            return try ResourceID(text)
        } catch {
            throw .invalidArgument("The ID is empty, longer than 64 characters, or holds one of / : ? , #")
        }
    }

    private func parameterID<Kind>(_ name: String, _ request: PlainRequest) throws(ServiceError) -> ResourceID<Kind> {
        guard let text = request.parameter(name) else { throw .invalidArgument("\(name) is required") }
        return try parse(text)
    }

    private func conditions(_ request: PlainRequest) throws(ServiceError) -> TripConditions {
        var conditions = TripConditions()
        switch request.parameter("routeFormatType") {
        case nil, "", "UNKNOWN_FORMAT_TYPE", "LAT_LNG_LIST_TYPE", "0", "1": break
        case "ENCODED_POLYLINE_TYPE", "2": conditions.format = .encoded
        case .some(let other): throw .invalidArgument("Invalid value at 'routeFormatType': \(other)")
        }
        conditions.routeVersion = try version("currentRouteSegmentVersion", request)
        conditions.trafficVersion = try version("currentRouteSegmentTrafficVersion", request)
        conditions.waypointsRouteVersion = try version("remainingWaypointsRouteVersion", request)
        return conditions
    }

    private func version(_ name: String, _ request: PlainRequest) throws(ServiceError) -> Version? {
        guard let text = request.parameter(name) else { return nil }
        guard Timestamp.date(text) != nil else {
            throw .invalidArgument("Invalid value at '\(name)': not a timestamp")
        }
        return Version(text)
    }
}
