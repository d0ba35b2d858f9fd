import Failures
import FleetEmulator
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Simulated driver: outages", .ends(within: .quickTest))
struct DriverOutageTests {
    private static let ok = HTTPTransportResponse(status: 200)
    private static let busy = HTTPTransportResponse(status: 503)

    /// A driver whose service answers 503 in a range of the ride's time, to the calls with a name if there is one.
    private static func scene(
        _ range: Range<Double>,
        _ call: String? = nil,
        isPatient: Bool = false
    ) throws -> DriverScene {
        try DriverScene(
            isPatient: isPatient,
            script: { _, request in
                range.contains(request.time) && (call == nil || request.call == call) ? busy : ok
            }
        )
    }

    private static func interruptions(_ scene: DriverScene) -> Int {
        scene.events.count { if case .interrupted = $0 { true } else { false } }
    }

    /// The requests that set a status of the trip.
    private static func moves(_ scene: DriverScene) -> [SentRequest] {
        scene.sent("UpdateTrip").filter { $0.mask.contains("tripStatus") }
    }

    /// The reports of a position, which later ones replace.
    private static func positions(_ requests: [SentRequest]) -> [SentRequest] {
        requests.filter { $0.call == "UpdateVehicle" && $0.mask.contains("lastLocation") }
    }

    @Test(arguments: [(20.0, 60.0), (12, 200), (20, 400), (100, 131)])
    func `drives on and says what it could not send`(start: Double, end: Double) async throws {
        let scene = try Self.scene(start..<end)
        #expect(await scene.drive() == nil)
        // Everything that must not be lost has arrived, in its order.
        let accepted = try Self.moves(scene).filter { !(start..<end).contains($0.time) }.map {
            try $0.trip.status
        }
        #expect(accepted == [.enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete])
        #expect(try scene.sent.last?.vehicle.state == .offline)
        #expect(Self.interruptions(scene) == 1)
        let lost = Self.positions(scene.sent).filter { (start..<end).contains($0.time) }
        let reported = scene.events.compactMap { event in
            if case .restored(let positions, let after) = event { (positions, after.seconds) } else { nil }
        }
        #expect(reported.count == 1)
        let (count, seconds) = try #require(reported.first)
        #expect(count <= lost.count)
        #expect(seconds >= end - start - 20 && seconds <= end - start + 20)
        #expect(scene.events.last == .offline)
    }

    @Test func `counts the positions that were not sent`() async throws {
        let usual = try DriverScene()
        #expect(await usual.drive() == nil)
        let updates = Self.moves(usual).map(\.time)
        // On the way to the pickup, when only positions are sent.
        let outage = updates[0] + 12..<updates[1] - 10
        let scene = try Self.scene(outage)
        #expect(await scene.drive() == nil)
        let lost = Self.positions(scene.sent).filter { outage.contains($0.time) }
        #expect(lost.count > 2)
        let reported = scene.events.compactMap { event in
            if case .restored(let positions, _) = event { positions } else { nil }
        }
        #expect(reported == [lost.count])
        #expect(Self.moves(scene).map(\.time) == updates)
    }

    @Test func `never repeats an old position`() async throws {
        let scene = try Self.scene(20..<400)
        #expect(await scene.drive() == nil)
        // The arrival is repeated with its own time.
        for request in Self.positions(scene.sent) where !request.mask.contains("navigationStatus") {
            let time = try #require(try request.vehicle.lastLocation?.updateTime)
            #expect(abs(time.timeIntervalSince(request.moment.wall)) < 1, "sent at \(request.time)")
        }
        let times = Self.positions(scene.sent).map(\.time).filter { (20..<400).contains($0) }
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 1 })
    }

    @Test func `sends nothing for as long as the service asks`() async throws {
        let scene = try DriverScene(script: { _, request in
            guard request.call == "UpdateVehicle", request.number == 6 else { return Self.ok }
            return HTTPTransportResponse(status: 429, headers: [("Retry-After", "30")], body: [])
        })
        #expect(await scene.drive() == nil)
        let time = try #require(scene.sent("UpdateVehicle").first { $0.number == 6 }).time
        #expect(scene.sent.allSatisfy { $0.time <= time || $0.time >= time + 30 })
    }

    @Test func `gives up only if the service has accepted nothing yet, unless it is patient`() async throws {
        let scene = try Self.scene(0..<1e6)
        #expect(await scene.drive() == .refused(call: "UpdateVehicle", httpStatus: 503, message: nil))
        // Six attempts, and the last report.
        #expect(scene.sent.map(\.time) == [0, 1, 3, 7, 15, 25, 25])
        let patient = try Self.scene(0..<100, isPatient: true)
        #expect(await patient.drive() == nil)
        #expect(try patient.sent("UpdateTrip").last?.trip.status == .complete)
    }

    @Test func `says that it is not OFFLINE if the last report is not accepted`() async throws {
        let scene = try Self.scene(30..<1e6)
        #expect(await scene.drive(cancelledAt: .seconds(120)) == .cancelled)
        #expect(!scene.events.contains(.offline))
        let refused = DriverError.refused(call: "UpdateVehicle", httpStatus: 503, message: nil)
        #expect(scene.events.contains(.notOffline(refused)))
        guard case .unsent(let positions, let call, let after) = scene.events.last else {
            Issue.record("not reported: \(scene.events)")
            return
        }
        #expect(positions > 0 || call != nil)
        #expect(after >= .seconds(60) && after <= .seconds(90))
    }

    @Test func `names the call that was given up although OFFLINE was accepted`() async throws {
        let scene = try Self.scene(0..<1e6, "UpdateTrip")
        #expect(await scene.drive(cancelledAt: .seconds(60)) == .cancelled)
        #expect(scene.events.contains(.offline))
        guard case .unsent(_, "UpdateTrip", _) = scene.events.last else {
            Issue.record("not reported: \(scene.events)")
            return
        }
    }

    @Test func `a drive without failures reports none`() async throws {
        let scene = try DriverScene()
        #expect(await scene.drive() == nil)
        #expect(Self.interruptions(scene) == 0)
        #expect(scene.events.last == .offline)
    }
}
