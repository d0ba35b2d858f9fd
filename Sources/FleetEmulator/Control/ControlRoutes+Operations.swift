import FleetWire
import Foundation
import Runtime
import TripFeed
import TripModel

extension ControlRoutes {
    func operate(
        _ method: String,
        _ target: String,
        _ body: [UInt8],
        ofDeliveries: Bool = false,
        at now: Date
    ) async throws -> PlainResponse {
        let base = "/v1/providers/\(PercentEncoding.encode(control.provider.rawValue))/"
        return try await router.operate(method, base + target, body, ofDeliveries: ofDeliveries, at: now)
    }

    func move(_ id: String, to status: String, index: Int? = nil, at now: Date) async throws -> PlainResponse {
        struct Change: Encodable {
            var tripStatus: String
            var intermediateDestinationIndex: Int?
        }
        let mask = index == nil ? "tripStatus" : "tripStatus,intermediateDestinationIndex"
        let body = JSONBytes.encode(Change(tripStatus: status, intermediateDestinationIndex: index))
        return try await operate("PUT", "trips/\(PercentEncoding.encode(id))?updateMask=\(mask)", body, at: now)
    }

    func advance(_ id: String, at now: Date) async throws -> PlainResponse {
        let answer = try await operate("GET", "trips/\(PercentEncoding.encode(id))", [], at: now)
        guard answer.status == 200 else { return answer }
        let trip = try TripCoding.decode(answer.body)
        let (count, index) = (trip.intermediateDestinations.count, trip.intermediateDestinationIndex)
        switch trip.status {
        case .new, .unrecognized: return try await move(id, to: "ENROUTE_TO_PICKUP", at: now)
        case .enrouteToPickup: return try await move(id, to: "ARRIVED_AT_PICKUP", at: now)
        case .arrivedAtPickup where count > 0:
            return try await move(id, to: "ENROUTE_TO_INTERMEDIATE_DESTINATION", index: 0, at: now)
        case .enrouteToIntermediateDestination:
            return try await move(id, to: "ARRIVED_AT_INTERMEDIATE_DESTINATION", index: index, at: now)
        case .arrivedAtIntermediateDestination where index + 1 < count:
            return try await move(id, to: "ENROUTE_TO_INTERMEDIATE_DESTINATION", index: index + 1, at: now)
        case .arrivedAtPickup, .arrivedAtIntermediateDestination:
            return try await move(id, to: "ENROUTE_TO_DROPOFF", at: now)
        case .enrouteToDropoff: return try await move(id, to: "COMPLETE", at: now)
        case .complete, .canceled: throw ServiceError.failedPrecondition("Trip \(id) has ended")
        }
    }

    func faults(at now: Date) -> PlainResponse {
        let frozen = control.drivers.frozen.map(\.controlName).sorted()
        return answer(
            FaultList(
                faults: control.faults.all(at: now).map { FaultAnswer(id: $0.id, fault: $0.fault) },
                frozen: frozen.isEmpty ? nil : frozen
            )
        )
    }

    func steer(_ vehicle: DrivenVehicle, _ verb: String, _ request: PlainRequest) throws -> PlainResponse {
        switch verb {
        case ":freeze": control.drivers.freeze(vehicle, true)
        case ":release": control.drivers.freeze(vehicle, false)
        case ":teleport", ":detour":
            guard let point = try decode(Place.self, Place.CodingKeys.self, request).coordinate else {
                throw ServiceError.invalidArgument(
                    "Either valid latitude and longitude or the name of a place in the demo town is expected."
                )
            }
            control.drivers.divert(vehicle, verb == ":detour" ? .detour(point) : .teleport(point))
        default: throw ServiceError.noSuchMethod
        }
        return PlainResponse(status: 200, body: CollectionCoding.empty)
    }

    func decode<Value: Decodable, Key: CodingKey & CaseIterable>(
        _ type: Value.Type,
        _ keys: Key.Type,
        _ request: PlainRequest
    ) throws -> Value {
        try JSONDecoder().decode(OnlyKnownKeys<Value, Key>.self, from: Data(request.body)).value
    }
}
