import Failures
import FleetEmulator
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Simulated driver: refusals that pass", .ends(within: .quickTest))
struct DriverRefusalTests {
    private static let ok = HTTPTransportResponse(status: 200)

    /// A driver whose service refuses calls in a range of the ride's time; time passes for its tokens, too.
    private static func scene(
        _ status: Int,
        _ range: Range<Double>,
        isPatient: Bool = false
    ) throws -> DriverScene {
        try DriverScene(
            isPatient: isPatient,
            script: { clocks, request in
                guard range.contains(request.time) else { return ok }
                clocks.tokens.advance(by: .seconds(120))
                return HTTPTransportResponse(status: status)
            }
        )
    }

    private static func interruptions(_ scene: DriverScene) -> [DriverError] {
        scene.events.compactMap { if case .interrupted(let error) = $0 { error } else { nil } }
    }

    @Test(arguments: [401, 403, 409], [(20.0, 60.0), (12, 200), (100, 131)])
    func `drives on after a refusal`(status: Int, times: (start: Double, end: Double)) async throws {
        let scene = try Self.scene(status, times.start..<times.end)
        #expect(await scene.drive() == nil)
        let accepted = try scene.sent("UpdateTrip").filter {
            $0.mask.contains("tripStatus") && !(times.start..<times.end).contains($0.time)
        }.map { try $0.trip.status }
        #expect(accepted == [.enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete])
        #expect(try scene.sent.last?.vehicle.state == .offline)
        let reported = Self.interruptions(scene)
        #expect(reported.count == 1)
        guard case .refused(_, status, _)? = reported.first else {
            Issue.record("another reason: \(reported)")
            return
        }
        #expect(scene.events.last == .offline)
    }

    @Test(arguments: [401, 403, 409])
    func `a patient driver also waits for its first accepted call`(status: Int) async throws {
        let scene = try Self.scene(status, 0..<100, isPatient: true)
        #expect(await scene.drive() == nil)
        #expect(try scene.sent("UpdateTrip").last?.trip.status == .complete)
        #expect(scene.sent.allSatisfy { $0.time < 1e4 })
    }

    @Test(arguments: [403, 409])
    func `repeats a refused update after 1, 2 and 4 s`(status: Int) async throws {
        let scene = try DriverScene(script: { _, request in
            HTTPTransportResponse(
                status: request.call == "UpdateTrip" && (2...4).contains(request.number) ? status : 200
            )
        })
        #expect(await scene.drive() == nil)
        let times = scene.sent("UpdateTrip").map(\.time)[1...4]
        #expect(zip(times, times.dropFirst()).map { (($1 - $0) * 1000).rounded() / 1000 } == [1, 2, 4])
    }

    @Test func `repeats a call at once with a new token, then with growing waits`() async throws {
        let scene = try DriverScene(script: { clocks, request in
            guard request.call == "UpdateTrip", (2...5).contains(request.number) else { return Self.ok }
            return HTTPTransportResponse(status: 401)
        })
        #expect(await scene.drive() == nil)
        let times = scene.sent("UpdateTrip").map(\.time)[1...5]
        #expect(zip(times, times.dropFirst()).map { (($1 - $0) * 1000).rounded() / 1000 } == [0, 1, 2, 4])
    }

    @Test func `a driver that is allowed to report positions only receives the reason at once`() async throws {
        let scene = try DriverScene(script: { _, request in
            HTTPTransportResponse(status: request.call == "UpdateTrip" ? 403 : 200)
        })
        #expect(await scene.drive() == .refused(call: "UpdateTrip", httpStatus: 403, message: nil))
        #expect(scene.sent("UpdateTrip").count == 1)
    }

    @Test func `the backend signs another token after its token was refused`() async throws {
        let clock = ManualClock()
        let faults = FaultInjector()
        let router = RequestRouter(
            FleetService(.world(World(provider: try ProviderID("p")))),
            keys: try await SharedKeys.keys,
            options: EmulatorOptions(),
            clock: clock,
            faults: faults
        )
        func status() async throws -> Int {
            let token = try await router.backendToken(.trips)
            let url = RequestRouter.engineOrigin + "/v1/providers/p/trips/t"
            let headers = [("authorization", "Bearer \(token)")]
            return try await router.transport.send(
                HTTPTransportRequest(url: url, headers: headers, timeout: .testTimeout)
            ).status
        }
        #expect(try await status() == 404)
        faults.add(try Fault(.engine, "revoked-tokens"), at: clock.now().wall)
        #expect(try await status() == 401)
        clock.advance(by: .seconds(2))
        #expect(try await status() == 404)
    }
}
