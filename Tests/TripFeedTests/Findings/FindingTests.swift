import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Testing
import Transport
import TripFeed
import TripModel
import TripTestSupport

@Suite("Findings", .ends(within: .quickTest))
struct FindingTests {
    /// A rule, its severity, and the change to an answer that triggers it.
    struct Case: Sendable, CustomTestStringConvertible {
        let rule: FindingRule
        let severity: Finding.Severity
        let change: @Sendable (inout Trip, FindingScene) throws -> Void

        init(
            _ rule: FindingRule,
            _ severity: Finding.Severity,
            _ change: @escaping @Sendable (inout Trip, FindingScene) throws -> Void
        ) {
            self.rule = rule
            self.severity = severity
            self.change = change
        }

        var testDescription: String { rule.id }
    }

    static let cases: [Case] = [
        Case("statusWentBack", .warning) { trip, _ in trip.status = .enrouteToPickup },
        Case("vehicleMissing", .warning) { trip, _ in trip.vehicleID = nil },
        Case("waypointsMissing", .warning) { trip, _ in trip.remainingWaypoints = [] },
        Case("unknownValue", .info) { trip, _ in trip.unknownFields = [UnknownField(name: "mood", text: "good")] },
        Case("unknownValue", .info) { trip, _ in trip.status = .unrecognized("BOARDING") },
        Case("listsTooLong", .warning) { trip, _ in trip.omitted = [OmittedElements(kind: .waypoints, count: 34_500)] },
        Case("providerDiffers", .error) { trip, _ in trip.provider = try ProviderID("other") },
        Case("otherTripFirst", .info) { trip, _ in
            trip.remainingWaypoints.insert(
                Waypoint(coordinate: nil, tripID: try TripID("other"), kind: .dropoff),
                at: 0
            )
        },
        Case("overdue", .info) { trip, scene in trip.etaToFirstWaypoint = scene.now.wall.addingTimeInterval(-40) },
        Case("arrivalJumped", .warning) { trip, _ in trip.etaToFirstWaypoint? += 46 },
        Case("arrivalJumped", .warning) { trip, _ in trip.etaToFirstWaypoint? -= 300 },
        Case("arrivalAfterEnd", .warning) { trip, _ in trip.status = .complete },
        Case("distanceGrew", .warning) { trip, _ in trip.remainingDistance?.meters += 300 },
        Case("rerouted", .warning) { trip, _ in
            trip.remainingDistance?.meters += 600
            trip.routeVersion = Version("2")
            trip.route = nil
        },
        Case("distanceDiffersFromRoute", .warning) { trip, _ in
            trip.routeVersion = Version("2")
            trip.remainingDistance?.meters -= 1000
        },
        Case("dropoffBeforePickup", .error) { trip, _ in trip.dropoffTime = trip.pickupTime.map { $0 - 1 } },
        Case("farFromPlan", .warning) { trip, _ in
            trip.actualPickup = StopLocation(coordinate: Coordinate(latitude: 0.01, longitude: 0), time: nil)
        },
        Case("impossibleSpeed", .error) { trip, _ in trip.lastLocation?.coordinate?.longitude += 0.02 },
        Case("positionStale", .warning) { trip, _ in
            trip.lastLocation?.updateTime? -= 70
        },
        Case("positionLate", .warning) { trip, _ in trip.lastLocation?.updateTime? -= 40 },
        Case("deviceClockAhead", .warning) { trip, _ in trip.lastLocation?.updateTime? += 30 },
        Case("offRoute", .warning) { trip, _ in trip.lastLocation?.coordinate?.latitude = 0.001 },
    ]

    @Test(arguments: cases)
    func `reports each anomaly with its severity and evidence`(expected: Case) throws {
        var scene = try FindingScene()
        #expect(scene.answer().isEmpty)
        let before = scene
        let found = scene.answer { trip in try? expected.change(&trip, before) }
        let match = found.first { $0.rule == expected.rule }
        #expect(match?.severity == expected.severity)
        #expect(match?.evidence.isEmpty == false)
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
