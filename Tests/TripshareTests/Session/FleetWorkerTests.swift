import Foundation
import Testing
import TripTestSupport

/// The example that divides trips among machines, with Redis from Debian.
@Suite("Workers of a fleet", .ends(within: .longTest))
struct FleetWorkerTests {
    private struct Report: Decodable {
        /// The number of leased parts of the quota.
        var parts: Int
        var workersWithTrips: Int
        /// The largest number of trips of one worker.
        var most: Int
        var ended: [String: String]
        /// The exit statuses of the workers; the negative number of a signal.
        var statuses: [Int]
        /// The parts that are still leased after one of two workers was asked to end.
        var partsLeft: Int
        /// When the last worker had ended after Redis stopped to answer, in leases.
        var endedAfter: Double
        /// For each trip, how often it was polled again within half an interval.
        var closePolls: [String: Int]
    }

    @Test(
        .enabled(if: PythonProgram.isThere, PythonProgram.why),
        .enabled(if: InstalledTool.redis.isThere, InstalledTool.redis.why)
    )
    func `a killed worker's trips are followed to their ends by the others, and no trip by two`() async throws {
        try await EmulatedEngine.run([]) { ready, _ in
            let output = try await PythonProgram.run(
                "Tests/TripshareTests/Python/workers.py",
                [Program.path, ready],
                environment: ["no_proxy": "localhost,127.0.0.1"]
            )
            let report = try JSONDecoder().decode(Report.self, from: output)
            #expect(report.parts == 2)
            #expect(report.workersWithTrips == 2)
            #expect(report.most <= 4)
            #expect(report.ended.count == 6)
            #expect(report.ended.values.allSatisfy { $0 == "reached" }, "\(report.ended)")
            #expect(report.statuses.sorted() == [-9, 0, 75])
            #expect(report.partsLeft == 1)
            #expect(report.endedAfter < 1)
            // A poll that was on its way when the worker was killed can be repeated at once.
            #expect(report.closePolls.values.allSatisfy { $0 <= 1 }, "\(report.closePolls)")
        }
    }

    @Test func `the manual names every option of the worker`() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: Checkout.folder.appending(path: path), encoding: .utf8)
        }
        let worker = try text("Assets/Fleet/worker.py")
        let page = try text("Sources/tripshare/tripshare.docc/Fleets.md")
        let options = worker.matches(of: /add_argument\("(--[a-z]+)"/).map { String($0.output.1) }
        #expect(options.count == 5)
        for option in options { #expect(page.contains("| `\(option)` |"), "\(option)") }
    }
}
