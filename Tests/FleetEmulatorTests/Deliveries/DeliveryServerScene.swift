import Failures
import FleetEmulator
import FleetWire
import Foundation
import Runtime
import TripModel
import TripTestSupport

/// The REST service and the token endpoint without a network, in the world `p` without deliveries.
struct DeliveryServerScene {
    let router: RequestRouter
    let token: String

    init(quota: Int? = nil) async throws {
        var options = EmulatorOptions()
        options.quota = quota
        router = RequestRouter(
            FleetService(.world(World(provider: try ProviderID("p")))),
            keys: try await SharedKeys.keys,
            options: options,
            clock: ManualClock(),
            faults: FaultInjector()
        )
        token = try await router.operatorToken(ofDeliveries: true)
    }

    /// Sends a request to the service; the path follows the project.
    func call(
        _ method: String,
        _ path: String,
        _ body: String = "",
        token: String? = nil,
        fields: String? = nil
    ) async throws -> HTTPTransportResponse {
        try await router.transport.send(
            HTTPTransportRequest(
                method: method,
                url: RequestRouter.engineOrigin + "/v1/providers/p/\(path)",
                headers: [("authorization", "Bearer \(token ?? self.token)")]
                    + (fields.map { [("x-goog-fieldmask", $0)] } ?? []),
                body: Array(body.utf8),
                timeout: .testTimeout
            )
        )
    }

    /// Gets an answer of the token endpoint.
    func tokenAnswer(_ path: String) async throws -> HTTPTransportResponse {
        try await router.transport.send(
            HTTPTransportRequest(url: "http://tokens.test/token/\(path)", timeout: .testTimeout)
        )
    }

    /// Gets a token from the endpoint.
    func token(_ path: String) async throws -> String {
        let answer = try await tokenAnswer(path)
        guard let token = JSONValue(answer.body)?["token"]?.string else {
            throw WireError.notJSON(reason: String(decoding: answer.body, as: UTF8.self))
        }
        return token
    }

    /// Creates the vehicle `van-1` at a place, and the task `t-1` with the tracking ID `s-1` in its only stop.
    func populate() async throws {
        let place = #"{"point":{"latitude":51.06,"longitude":3.73}}"#
        let requests = [
            (
                "POST", "deliveryVehicles?deliveryVehicleId=van-1",
                #"{"lastLocation":{"location":{"latitude":51.05,"longitude":3.72}}}"#
            ),
            (
                "POST", "tasks?taskId=t-1",
                #"{"type":"DELIVERY","state":"OPEN","trackingId":"s-1","taskDuration":"60s","plannedLocation":\#(place)}"#
            ),
            (
                "PATCH", "deliveryVehicles/van-1?updateMask=remainingVehicleJourneySegments",
                #"{"remainingVehicleJourneySegments":[{"stop":{"plannedLocation":\#(place),"state":"ENROUTE","tasks":[{"taskId":"t-1"}]}}]}"#
            ),
        ]
        for (method, path, body) in requests {
            let answer = try await call(method, path, body)
            guard answer.status == 200 else {
                var error = ServiceError(httpStatus: answer.status)
                error.answer = ServiceAnswer(httpStatus: answer.status, body: answer.body)
                throw error
            }
        }
    }
}
