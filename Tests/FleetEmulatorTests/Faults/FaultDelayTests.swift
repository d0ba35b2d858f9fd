import Failures
import FleetEmulator
import Foundation
import Runtime
import Testing
import TransportLive
import TripModel
import TripTestSupport

/// The end of an emulator while a fault delays an answer.
@Suite("Delays at the end", .ends(within: .longTest))
struct FaultDelayTests {
    private static let delays: [(target: Fault.Target, kind: String)] = [
        (.engine, "latency"), (.tokens, "latency"), (.credentials, "latency"),
        (.engine, "drip"), (.tokens, "drip"), (.credentials, "drip"),
    ]

    @Test(arguments: delays)
    func `the end of delays sends the answers that a fault delays`(
        target: Fault.Target,
        kind: String
    ) async throws {
        let faults = FaultInjector()
        // Nothing advances the clock: only the end of all delays ends the one of this answer.
        let clock = ManualClock()
        faults.add(try Fault(target, kind, ["seconds": .number(600)]), at: clock.now().wall)
        let service = FleetService(.world(World(provider: try ProviderID("p"))))
        let keys = try await SharedKeys.keys
        let status = try await withLiveHTTPTransport { transport in
            try await Emulator.run(
                service,
                keys: keys,
                options: EmulatorOptions(),
                clock: clock,
                faults: faults
            ) { address in
                let url =
                    switch target {
                    case .engine: address.fleetEngineURL + "/v1/providers/p/trips/t"
                    case .tokens: address.consumerTokenURL.replacing("{tripId}", with: "t")
                    case .credentials:
                        address.certificatesURL.replacing("{email}", with: "server@p.iam.gserviceaccount.com")
                    }
                async let call = transport.send(HTTPTransportRequest(url: url, timeout: .testTimeout))
                await clock.sleepers()
                faults.delays.end()
                return try await call.status
            }
        }
        #expect(status == (target == .engine ? 401 : 200))
    }

    @Test func `no answer is delayed after the end has begun`() async throws {
        let faults = FaultInjector()
        let clock = ManualClock()
        faults.add(try Fault(.engine, "latency", ["seconds": .number(600)]), at: clock.now().wall)
        let router = RequestRouter(
            FleetService(.world(World(provider: try ProviderID("p")))),
            keys: try await SharedKeys.keys,
            options: EmulatorOptions(),
            clock: clock,
            faults: faults
        )
        faults.delays.end()
        let url = RequestRouter.engineOrigin + "/v1/providers/p/trips/t"
        let answer = try await router.transport.send(HTTPTransportRequest(url: url, timeout: .testTimeout))
        #expect(answer.status == 401)
    }

    @Test func `a cancelled caller ends a delay`() async throws {
        let faults = FaultInjector()
        let clock = ManualClock()
        faults.add(try Fault(.engine, "latency", ["seconds": .number(600)]), at: clock.now().wall)
        let router = RequestRouter(
            FleetService(.world(World(provider: try ProviderID("p")))),
            keys: try await SharedKeys.keys,
            options: EmulatorOptions(),
            clock: clock,
            faults: faults
        )
        let url = RequestRouter.engineOrigin + "/v1/providers/p/trips/t"
        let call = Task { try await router.transport.send(HTTPTransportRequest(url: url, timeout: .testTimeout)) }
        await clock.sleepers()
        call.cancel()
        _ = try await call.value
        #expect(clock.sleeping == 0)
    }
}
