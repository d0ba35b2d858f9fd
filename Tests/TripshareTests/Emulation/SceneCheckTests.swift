import FleetEmulator
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import tripshare

@Suite("The expectations of a scenario", .ends(within: .longTest))
struct SceneCheckTests {
    private static let start = Moment(wall: Date(timeIntervalSince1970: 1_773_476_000), steady: .zero)

    private static let parked = ParkedTaxi.scenario(expecting: "ENROUTE_TO_PICKUP", within: 20)

    /// Returns a check after polls with these statuses at these seconds.
    private static func check(
        _ polls: [(second: Int, status: TripStatus)],
        lateness: Double = 0,
        startingAt second: Int = 0
    ) throws -> SceneCheck {
        let scenario = try Scenario(yaml: parked, name: "parked", file: "parked.yaml")
        var check = SceneCheck(scenario, begins: start, lateness: lateness)
        check.start(at: start.advanced(by: .seconds(second)))
        let trip = try TripID("ride-9")
        var (table, state) = (JourneyTable(), TripState(id: .trip(trip)))
        for (second, status) in polls {
            let now = start.advanced(by: .seconds(second))
            let answer = Trip(id: trip, provider: try ProviderID("p"), status: status)
            state.merge(.trip(answer), serverDate: nil, at: now)
            var report = PollReport(journey: .trip(trip), started: now)
            (report.finished, report.outcome) = (now, .success(.trip(answer)))
            let event = FeedEvent.polled(report, state, PollSchedule(interval: .seconds(5), next: nil))
            _ = table.apply(event, at: now)
            check.handle(event, table, at: now)
        }
        return check
    }

    @Test func `a status in time is no violation`() throws {
        let check = try Self.check([(5, .new), (30, .enrouteToPickup), (200, .enrouteToPickup)])
        #expect(check.violations.isEmpty && check.overdue == nil)
    }

    @Test func `the time before the start of the drivers does not count`() throws {
        let check = try Self.check([(5, .new), (36, .enrouteToPickup)], startingAt: 10)
        #expect(check.violations.isEmpty)
        #expect(try !Self.check([(5, .new), (46, .enrouteToPickup)], startingAt: 10).violations.isEmpty)
    }

    @Test func `a status that comes too late is a violation, however fast the clock is`() throws {
        let late = try Self.check([(5, .new), (36, .enrouteToPickup)])
        #expect(late.violations.map(\.reason) == [.late(limit: 20)])
        #expect(late.overdue == nil, "nothing is left to wait for")
        let tolerated = try Self.check([(5, .new), (36, .enrouteToPickup)], lateness: 60)
        #expect(tolerated.violations.isEmpty)
    }

    @Test func `a trip that misses its status is overdue`() throws {
        let check = try Self.check([(5, .new), (36, .new), (40, .enrouteToPickup)])
        let violation = try #require(check.violations.first)
        #expect(check.violations.count == 1 && violation.seconds == 36)
        #expect(
            Localizer.english.sentence(about: violation)
                == "Expectation failed: trip: ride-9, status: ENROUTE_TO_PICKUP, within: 20 "
                + "(not true within 20 s: the status is NEW, ENROUTE_TO_PICKUP was not reached)"
        )
        #expect(check.overdue == .trip(try TripID("ride-9")))
    }

    @Test(arguments: ["json", "plain"])
    func `the demo ends when an expectation was missed, not with the trip`(format: String) async throws {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("parked.yaml")
            try Self.parked.write(to: file, atomically: true, encoding: .utf8)
            let run = try await Program.run(
                ["demo", "--scenario", file.path, "--output", format, "--speed", "60"]
            )
            #expect(run.status == 1, "\(run.errors)")
            #expect(run.errors.contains("ENROUTE_TO_PICKUP was not reached"), "\(run.errors)")
            if format == "json" {
                #expect(run.lines.last?.contains(#""outcome":"missed""#) == true, "\(run.output)")
            }
        }
    }
}
