import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Findings", .ends(within: .quickTest))
struct FindingTests {
    @Test(arguments: FindingCase.all)
    func `reports each anomaly with its severity and evidence`(expected: FindingCase) throws {
        let match = try expected.findings().first { $0.rule == expected.rule }
        #expect(match?.severity == expected.severity)
        // That an answer has no status is all that there is to know.
        #expect(match?.evidence.isEmpty == (expected.rule == "statusMissing"))
    }

    @Test func `every rule has a case`() {
        let missing = Set(FindingRule.all).subtracting(FindingCase.all.map(\.rule))
        #expect(missing.isEmpty, "\(missing.map(\.id).sorted())")
    }

    @Test func `reports nothing for a healthy trip`() throws {
        var scene = try FindingScene()
        for _ in 0..<100 { #expect(scene.answer().isEmpty) }
    }

    @Test func `reports a lasting state once, and again after it has ended`() throws {
        var scene = try FindingScene()
        let away: (inout Trip) -> Void = { $0.lastLocation?.coordinate?.latitude = 0.001 }
        _ = scene.answer()
        #expect(scene.answer(away).map(\.rule) == ["offRoute"])
        #expect(scene.answer(away).isEmpty)
        #expect(scene.fail(.refused).map(\.rule) == ["pollsFail"])
        #expect(scene.answer(away).isEmpty)
        #expect(scene.answer().isEmpty)
        #expect(scene.answer(away).map(\.rule) == ["offRoute"])
    }

    @Test(arguments: [(0.0, true), (500, true), (1_500, false)])
    func `a jump inside the circles of accuracy is no speed`(accuracy: Double, isReported: Bool) throws {
        var scene = try FindingScene()
        _ = scene.answer { $0.lastLocation?.accuracy = accuracy }
        // About 2.2 km to the east.
        let found = scene.answer { trip in
            trip.lastLocation?.accuracy = accuracy
            trip.lastLocation?.coordinate?.longitude += 0.02
        }
        #expect(found.contains { $0.rule == "impossibleSpeed" } == isReported)
    }

    @Test func `a vehicle that does not report is not overdue`() throws {
        var scene = try FindingScene()
        let (due, reported) = (scene.now.wall + 20, scene.now.wall)
        for _ in 0..<60 {
            let found = scene.answer { trip in
                trip.etaToFirstWaypoint = due
                trip.lastLocation?.serverTime = reported
            }
            #expect(!found.contains { $0.rule == "overdue" })
        }
    }

    @Test func `reports a state again when it gets worse`() throws {
        var scene = try FindingScene()
        let due = scene.now.wall.addingTimeInterval(-32)
        var reported: [Finding.Severity] = []
        for _ in 0..<30 {
            reported += scene.answer { $0.etaToFirstWaypoint = due }.filter { $0.rule == "overdue" }.map(\.severity)
        }
        #expect(reported == [.info, .warning])
    }

    @Test func `uses the configured limits`() throws {
        var limits = FindingLimits()
        limits[.offRoute] = 200
        var scene = try FindingScene(limits: limits)
        _ = scene.answer()
        let found = scene.answer { $0.lastLocation?.coordinate?.latitude = 0.001 }
        #expect(found.isEmpty)
    }

    @Test func `reports a change after the end of a trip as an error`() throws {
        var scene = try FindingScene()
        _ = scene.answer {
            $0.status = .complete
            $0.etaToFirstWaypoint = nil
        }
        #expect(scene.answer().contains { $0.rule == "changedAfterEnd" && $0.severity == .error })
    }

    @Test func `reports a status that was skipped between two answers as information`() throws {
        var scene = try FindingScene()
        _ = scene.answer { $0.status = .enrouteToPickup }
        let found = scene.answer()
        #expect(found.map(\.rule).contains("statusSkipped"))
        #expect(found.allSatisfy { $0.severity == .info })
    }

    @Test func `reports a stop that was skipped`() throws {
        var scene = try FindingScene()
        let stops = [Coordinate(latitude: 0, longitude: 0.02), Coordinate(latitude: 0, longitude: 0.04)]
        _ = scene.answer {
            $0.intermediateDestinations = stops
            $0.status = .enrouteToIntermediateDestination
        }
        let found = scene.answer { $0.intermediateDestinations = stops }
        #expect(found.map(\.rule).contains("stopsSkipped"))
    }

    @Test func `reports a pickup time that changes after the pickup`() throws {
        var scene = try FindingScene()
        let stop = StopLocation(coordinate: Coordinate(latitude: 0, longitude: 0), time: nil)
        _ = scene.answer { $0.actualPickup = stop }
        let found = scene.answer {
            $0.actualPickup = stop
            $0.pickupTime? += 9
        }
        #expect(found.map(\.rule) == ["pickupTimeMoves"])
    }
}
