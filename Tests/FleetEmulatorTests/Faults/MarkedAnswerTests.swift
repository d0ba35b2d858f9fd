import Failures
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@testable import FleetEmulator

/// What an emulator tells its clients about its faults.
@Suite("Marked answers", .ends(within: .quickTest))
struct MarkedAnswerTests {
    private static let path = "/v1/providers/p/trips/t"

    /// Asks for a trip that does not exist while faults are active; returns the value of the header.
    private static func header(
        _ faults: [Fault],
        at base: String = RequestRouter.engineOrigin
    )
        async throws -> String?
    {
        try await router(faults).transport.send(
            HTTPTransportRequest(
                url: base + path,
                headers: [("authorization", "Bearer x")],
                timeout: .seconds(1)
            )
        ).header("x-tripshare-fault")
    }

    private static func router(_ faults: [Fault]) async throws -> RequestRouter {
        let (clock, injector) = (ManualClock(), FaultInjector())
        for fault in faults { injector.add(fault, at: clock.now().wall) }
        return RequestRouter(
            FleetService(.world(World(provider: try ProviderID("p")))),
            keys: try await SharedKeys.keys,
            options: EmulatorOptions(),
            clock: clock,
            faults: injector
        )
    }

    @Test func `an answer without a fault has no mark`() async throws {
        #expect(try await Self.header([]) == nil)
        #expect(
            try await Self.header([Fault(.engine, "status", ["status": .integer(503)], path: "PUT")])
                == nil
        )
    }

    @Test func `a fault that makes the error is its cause, a delay or another time is not`()
        async throws
    {
        let error = try Fault(.engine, "status", ["status": .integer(503)])
        let clock = try Fault(.engine, "clock", ["seconds": .number(90)])
        #expect(try await Self.header([error]) == "replaced status")
        #expect(try await Self.header([clock, error]) == "replaced clock, status")
        // The service itself refuses the token.
        #expect(try await Self.header([clock]) == "altered clock")
        #expect(try await Self.header([Fault(.engine, "garbage")]) == "altered garbage")
    }

    @Test(arguments: ["reset", "truncated"])
    func `a closed connection is remembered once for its request`(kind: String) async throws {
        let (clock, injector) = (ManualClock(), FaultInjector())
        injector.add(try Fault(.engine, kind), at: clock.now().wall)
        let router = RequestRouter(
            FleetService(.world(World(provider: try ProviderID("p")))),
            keys: try await SharedKeys.keys,
            options: EmulatorOptions(),
            clock: clock,
            faults: injector
        )
        let request = HTTPTransportRequest(
            url: RequestRouter.engineOrigin + Self.path,
            timeout: .seconds(1)
        )
        let wanted = InjectedFault([kind], .emulator, .replaced)
        do throws(Failure) {
            _ = try await router.transport.send(request)
            Issue.record("there is an answer")
        } catch {
            #expect(error.injected == wanted)
        }
        #expect(injector.closing(of: "GET /v1/other") == nil)
        #expect(injector.closing(of: "GET \(Self.path)") == wanted)
        #expect(injector.closing(of: "GET \(Self.path)") == nil)
    }
}
