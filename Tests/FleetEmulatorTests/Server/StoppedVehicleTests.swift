import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@testable import FleetEmulator

@Suite("Stopped vehicles in the control API", .ends(within: .quickTest))
struct StoppedVehicleTests {
    @Test func `the list of faults names the stopped vehicles as they are in paths`() async throws {
        let (clock, faults, provider) = (ManualClock(), FaultInjector(), try ProviderID("p"))
        let router = RequestRouter(
            FleetService(.world(World(provider: provider))),
            keys: try await SharedKeys.keys,
            options: EmulatorOptions(),
            clock: clock,
            faults: faults
        )
        let routes = ControlRoutes(
            control: EmulatorControl(
                faults: faults,
                drivers: DriverControl(),
                clock: .init(pause: { _ in }, setSpeed: { _ in true }, step: { _ in }, isPaused: { false }),
                provider: provider,
                resets: EmulatorReset()
            ),
            router: router,
            clock: clock
        )
        func send(_ method: String, _ target: String) async throws -> String {
            let request = try #require(
                PlainRequest(
                    method: method,
                    target: "/control/\(target)",
                    authorization: nil,
                    body: [],
                    contentType: "application/json"
                )
            )
            let response = await routes.answer(request, at: clock.now().wall)
            #expect(response.status == 200, "\(target)")
            return String(decoding: response.body, as: UTF8.self)
        }
        let vehicle =
            #"{"vehicleState":"ONLINE","supportedTripTypes":["EXCLUSIVE"],"maximumCapacity":4,"vehicleType":{"category":"AUTO"}}"#
        let created = try await router.operate(
            "POST",
            "/v1/providers/p/vehicles?vehicleId=van%201",
            Array(vehicle.utf8),
            at: clock.now().wall
        )
        #expect(created.status == 200)
        #expect(try await send("GET", "faults") == #"{"faults":[]}"#)
        _ = try await send("POST", "vehicles/van%201:freeze")
        let stopped = try #require(JSONValue(Array(try await send("GET", "faults").utf8)))
        #expect(stopped["frozen"] == .array([.string("vehicles/van%201")]))
        _ = try await send("POST", "vehicles/van%201:release")
        #expect(try await send("GET", "faults") == #"{"faults":[]}"#)
    }
}
