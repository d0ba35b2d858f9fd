import Failures
import FleetWire
import Foundation
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Findings about the plan and about failed polls", .ends(within: .quickTest))
struct PlanFindingTests {
    private static let east = 1.0 / 111_195

    /// What the rules of the plan report, as `rule value…`.
    private func words(_ findings: [Finding]) -> [String] {
        let rules: Set<FindingRule> = [
            "pickupMoved", "dropoffMoved", "stopsChanged", "stopMoved", "passengersChanged", "tripTypeChanged",
        ]
        return findings.filter { rules.contains($0.rule) }.map { finding in
            ([finding.rule.id]
                + finding.evidence.map { evidence in
                    switch evidence.value {
                    case .meters(let meters): "\(Int(meters.rounded())) m"
                    case .count(let count): "\(count)"
                    case .text(let text): text
                    default: "?"
                    }
                }).joined(separator: " ")
        }.sorted()
    }

    private static let changes: [(@Sendable (inout Trip) -> Void, String)] = [
        ({ $0.pickup = Coordinate(latitude: 0, longitude: 400 * east) }, "pickupMoved 400 m"),
        ({ $0.dropoff = Coordinate(latitude: 0, longitude: 0.1 + 13_000 * east) }, "dropoffMoved 13000 m"),
        ({ $0.intermediateDestinations.append(Coordinate(latitude: 0, longitude: 0.07)) }, "stopsChanged 1 2"),
        (
            { $0.intermediateDestinations = [Coordinate(latitude: 0, longitude: 0.05 + 500 * east)] },
            "stopMoved 1 500 m"
        ),
        ({ $0.passengers = 3 }, "passengersChanged 1 3"),
        ({ $0.type = .shared }, "tripTypeChanged EXCLUSIVE SHARED"),
    ]

    @Test(arguments: changes)
    func `reports a change of the plan once`(change: @Sendable (inout Trip) -> Void, words expected: String) throws {
        var scene = try FindingScene()
        let plan: (inout Trip) -> Void = {
            ($0.passengers, $0.type) = (1, .exclusive)
            $0.intermediateDestinations = [Coordinate(latitude: 0, longitude: 0.05)]
        }
        #expect(words(scene.answer(plan)).isEmpty)
        let changed: (inout Trip) -> Void = {
            plan(&$0)
            change(&$0)
        }
        let found = scene.answer(changed)
        #expect(words(found) == [expected])
        #expect(found.allSatisfy { $0.severity == .warning })
        #expect(words(scene.answer(changed)).isEmpty)
    }

    @Test func `an answer that lacks a part of the plan does not change it`() throws {
        var scene = try FindingScene()
        let full: (inout Trip) -> Void = {
            $0.passengers = 2
            $0.intermediateDestinations = [Coordinate(latitude: 0, longitude: 0.05)]
            $0.intermediateDestinationsVersion = Version("2026-03-14T08:00:00Z")
        }
        for change in [full, { ($0.pickup, $0.dropoff, $0.remainingWaypoints) = (nil, nil, []) }, full] {
            #expect(words(scene.answer(change)).isEmpty)
        }
    }

    @Test func `reports that the last stop was removed if the version of the stops shows it`() throws {
        var scene = try FindingScene()
        _ = scene.answer {
            $0.intermediateDestinations = [Coordinate(latitude: 0, longitude: 0.05)]
            $0.intermediateDestinationsVersion = Version("2026-03-14T08:00:00Z")
        }
        let found = scene.answer { $0.intermediateDestinationsVersion = Version("2026-03-14T08:01:00Z") }
        #expect(words(found) == ["stopsChanged 1 0"])
    }

    @Test func `a shift of a few meters is no change`() throws {
        var scene = try FindingScene()
        _ = scene.answer()
        #expect(words(scene.answer { $0.pickup = Coordinate(latitude: 0, longitude: 15 * Self.east) }).isEmpty)
    }

    // MARK: Failed polls

    @Test func `each series of failed polls is a finding, and a long one a warning`() throws {
        var scene = try FindingScene()
        _ = scene.answer()
        var found: [String] = []
        let failures: [Failure?] = [
            .service(ServiceAnswer(httpStatus: 503), retryAfter: nil), .timedOut, .cutOff,
            .timedOut, nil, .unreadable(.notJSON(reason: "cut off")), nil,
        ]
        for failure in failures {
            let new = failure.map { scene.fail($0, after: .seconds(10)) } ?? scene.answer()
            found += new.filter { $0.rule == "pollsFail" }.map { "\($0.severity) \($0.evidence.map(\.value))" }
        }
        #expect(
            found == [
                "info \([Evidence.Value.count(1), .text("HTTP_503")])",
                "warning \([Evidence.Value.count(3), .text("TRANSPORT_CUT_OFF")])",
                "info \([Evidence.Value.count(1), .text("UNREADABLE")])",
            ]
        )
    }

    @Test func `a trip that does not exist yet is no failure`() throws {
        var scene = try FindingScene()
        let missing = Failure.service(ServiceAnswer(httpStatus: 404, status: "NOT_FOUND"), retryAfter: nil)
        #expect(scene.fail(missing).isEmpty)
        _ = scene.answer()
        #expect(scene.fail(missing).map(\.rule) == ["pollsFail"])
    }
}
