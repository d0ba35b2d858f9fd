import Foundation
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Findings about values and plans", .ends(within: .quickTest))
struct ValueFindingTests {
    private func rules(_ findings: [Finding]) -> [String] { findings.map(\.rule.id) }

    @Test func `names the values that cannot be read, by path and text`() throws {
        var scene = try FindingScene()
        let findings = scene.answer { trip in
            trip.unreadable = [UnknownField(name: "pickupTime", text: "2026-01-01T10:00:00")]
        }
        #expect(rules(findings) == ["valueUnreadable"])
        #expect(findings.first?.evidence == [Evidence("pickupTime", .text("2026-01-01T10:00:00"))])
    }

    @Test(arguments: [-6.0, 90, .infinity])
    func `a speed that no car has is implausible`(speed: Double) throws {
        var scene = try FindingScene()
        let found = scene.answer { $0.lastLocation?.speed = speed }
        #expect(rules(found) == ["valueImplausible"])
    }

    @Test func `a negative distance is implausible, at each waypoint`() throws {
        var scene = try FindingScene()
        let fast = scene.answer { $0.lastLocation?.speed = 20 }
        #expect(fast.isEmpty)
        let findings = scene.answer { trip in
            trip.remainingDistance = Distance(meters: -5)
            trip.remainingWaypoints[0].distance = Distance(meters: -7)
        }
        let paths = findings.filter { $0.rule == "valueImplausible" }.flatMap { $0.evidence.map(\.name) }
        #expect(paths == ["remainingDistanceMeters", "remainingWaypoints[0].distanceMeters"])
    }

    @Test func `reports stops that disappear before the vehicle has reached one`() throws {
        var scene = try FindingScene()
        let own = scene.base.remainingWaypoints
        _ = scene.answer { $0.remainingWaypoints = own + own }
        let shrunk = scene.answer()
        #expect(rules(shrunk).contains("planShrank"))
        let grown = scene.answer { $0.remainingWaypoints = own + own }
        #expect(!rules(grown).contains("planShrank"))
        let arrived = scene.answer { $0.intermediateDestinationIndex = 1 }
        #expect(!rules(arrived).contains("planShrank"))
    }

    @Test func `reports a trip that is back with an earlier vehicle, not a new one`() throws {
        var scene = try FindingScene()
        let (first, second, third) = (try VehicleID("a"), try VehicleID("b"), try VehicleID("c"))
        let expected = [
            (first, false), (second, false), (second, false), (first, true), (third, false), (second, true),
        ]
        for (vehicle, isBack) in expected {
            let found = scene.answer { $0.vehicleID = vehicle }
            #expect(rules(found).contains("vehicleAlternates") == isBack)
        }
    }
}
