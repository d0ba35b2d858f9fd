import Failures
import FleetEmulator
import FleetTokens
import Foundation
import TransportLive
import TripModel
import TripTestSupport

/// An emulator on free loopback ports with a manual clock, and a client for it.
struct EmulatorScene: Sendable {
    let address: EmulatorAddress
    let transport: HTTPTransport
    let clock: ManualClock

    static func run(
        options: EmulatorOptions = EmulatorOptions(),
        accounts: [EmulatorAccount] = [],
        body: @escaping @Sendable (EmulatorScene) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let service = FleetService(.world(World(provider: try ProviderID("p"))))
        let keys = try await accounts.isEmpty ? SharedKeys.keys : EmulatorKeys(given: accounts)
        try await Emulator.run(service, keys: keys, options: options, clock: clock) { address in
            try await withLiveHTTPTransport { transport in
                try await body(EmulatorScene(address: address, transport: transport, clock: clock))
            }
        }
    }

    /// Sends a call with this token, or without one.
    func call(
        _ method: String,
        _ target: String,
        _ body: String = "",
        token: String? = nil,
        fieldMask: String? = nil
    ) async throws -> HTTPTransportResponse {
        try await transport.send(
            HTTPTransportRequest(
                method: method,
                url: address.fleetEngineURL + target,
                headers: [token.map { ("authorization", "Bearer \($0)") }, fieldMask.map { ("x-goog-fieldmask", $0) }]
                    .compactMap(\.self),
                body: [UInt8](body.utf8),
                timeout: .testTimeout
            )
        )
    }

    /// Gets a token from the endpoint.
    func token(_ kind: String, _ id: String) async throws -> String {
        let template = kind == "driver" ? address.driverTokenURL : address.consumerTokenURL
        let url = template.replacing("{tripId}", with: id).replacing("{vehicleId}", with: id)
        let response = try await transport.send(HTTPTransportRequest(url: url, timeout: .testTimeout))
        let answer = try JSONDecoder().decode(Answer.self, from: Data(response.body))
        return answer.jwt
    }

    /// Creates a vehicle and a trip as an operator.
    func populate() async throws {
        let token = try await address.operatorToken()
        _ = try await call(
            "POST",
            "/v1/providers/p/vehicles?vehicleId=veh-1",
            #"{"vehicleState":"ONLINE","supportedTripTypes":["EXCLUSIVE"],"maximumCapacity":4,"vehicleType":{"category":"AUTO"}}"#,
            token: token
        )
        _ = try await call(
            "POST",
            "/v1/providers/p/trips?tripId=tr-1",
            #"{"tripType":"EXCLUSIVE","pickupPoint":{"point":{"latitude":51.05,"longitude":3.72}}}"#,
            token: token
        )
    }

    struct Answer: Decodable {
        var jwt: String
        var creationTimestamp: Int
        var expirationTimestamp: Int
    }
}
