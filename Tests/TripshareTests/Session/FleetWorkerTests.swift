import Foundation
import Testing
import TripTestSupport

/// The workers that divide trips among machines, with the Redis of Debian.
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

    private struct Contract: Decodable {
        /// The entries that can't be followed, and how many of them were rejected once with their reason.
        var expected: Int
        var rejected: Int
        var state: [String: Int]
        var tripsOfWorker: Int
        var table: String
        var metrics: String
        var metricsCode: Int
        /// The exit code for a file that can't be written, and the files that were left then.
        var metricsRefusal: Int
        var metricsLeft: Int
        /// Whether a trip waits that was removed and then added.
        var addedAgain: Bool
        /// The reason of an entry that adds a trip that is being removed.
        var addedEarly: String
        /// The exit code after a line that is no JSON, and the parts that were leased then.
        var garbageCode: Int
        var leftParts: Int
        var stopCode: Int
        /// The outcomes of each trip.
        var ended: [String: [String]]
        /// The number of names of two workers, one after the other.
        var names: Int
        /// The exit code of a worker whose program does not read the trips, after SIGTERM.
        var deafCode: Int
        /// Whether a connection to a Unix socket, and one of TCP, has a timeout of its own.
        var waitsToConnect: [Bool]
        var codes: [String: Int]
    }

    private static let folder = "Tests/TripshareTests/Python/Fleet/"
    private static let environment = [
        "no_proxy": "localhost,127.0.0.1", "REDIS_SERVER": InstalledTool.redis.path,
    ]

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Checkout.folder.appending(path: path), encoding: .utf8)
    }

    @Test(
        .enabled(if: PythonProgram.isThere, PythonProgram.why),
        .enabled(if: InstalledTool.redis.isThere, InstalledTool.redis.why)
    )
    func `a killed worker's trips are followed to their ends by the others, and no trip by two`() async throws {
        try await EmulatedEngine.run([]) { ready, _ in
            let output = try await PythonProgram.run(
                Self.folder + "workers.py",
                [Program.path, ready],
                environment: Self.environment
            )
            let report = try JSONDecoder().decode(Report.self, from: output)
            #expect(report.parts == 2)
            #expect(report.workersWithTrips == 2)
            #expect(report.most <= 4)
            #expect(report.ended.count == 6)
            // One of them was removed.
            #expect(report.ended.removing("fleet-0").values.allSatisfy { $0 == "reached" }, "\(report.ended)")
            #expect(report.ended["fleet-0"] == "left")
            #expect(report.statuses.sorted() == [-9, 0, 69])
            #expect(report.partsLeft == 1)
            #expect(report.endedAfter < 1)
            // A poll that was on its way when the worker was killed can be repeated at once.
            #expect(report.closePolls.values.allSatisfy { $0 <= 1 }, "\(report.closePolls)")
        }
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `each trip ends once in 1,000 interleavings of workers, faults and losses of Redis`() async throws {
        let seed = Int.random(in: 1...1_000_000)
        let output = try await PythonProgram.run(Self.folder + "interleavings.py", ["1000", String(seed)])
        let counts = try JSONDecoder().decode([String: Int].self, from: output)
        #expect(counts["runs"] == 1000)
        for fault in ["kill", "suspend", "stop", "flush", "fall back", "trim", "refuse", "fault before", "fault after"]
        {
            #expect(counts[fault, default: 0] > 50, "\(fault): \(counts)")
        }
    }

    @Test(
        .enabled(if: PythonProgram.isThere, PythonProgram.why),
        .enabled(if: InstalledTool.redis.isThere, InstalledTool.redis.why)
    )
    func `each trip ends once while workers and Redis are stopped at random`() async throws {
        let seed = Int.random(in: 1...1_000_000)
        let output = try await PythonProgram.run(
            Self.folder + "processes.py",
            ["50", String(seed)],
            environment: Self.environment
        )
        let counts = try JSONDecoder().decode([String: Int].self, from: output)
        #expect(counts["runs"] == 50)
        #expect(counts["ends", default: 0] > 0)
    }

    @Test(
        .enabled(if: PythonProgram.isThere, PythonProgram.why),
        .enabled(if: InstalledTool.redis.isThere, InstalledTool.redis.why)
    )
    func `a worker rejects what can't be followed, ends with documented codes, and shows its state`() async throws {
        let output = try await PythonProgram.run(Self.folder + "contract.py", environment: Self.environment)
        let report = try JSONDecoder().decode(Contract.self, from: output)
        #expect(report.rejected == report.expected)
        #expect(
            report.state == [
                "lag": 0, "waiting": 2, "followed": 1, "orphans": 0, "parts": 1, "leased": 1,
                "rejected": report.expected,
            ]
        )
        #expect(report.tripsOfWorker == 1)
        #expect(report.table.contains("\(report.expected)  rejected entries"), "\(report.table)")
        #expect(report.metricsCode == 0)
        #expect(report.metricsRefusal == 74)
        #expect(report.metricsLeft == 0)
        #expect(report.metrics.contains("tripshare_fleet_waiting{project=\"project\"} 2\n"), "\(report.metrics)")
        #expect(report.addedAgain)
        #expect(report.addedEarly == "The trip is being removed.")
        #expect(report.garbageCode == 76)
        #expect(report.leftParts == 0)
        #expect(report.stopCode == 0)
        #expect(report.ended == ["first": ["left"], "-third": ["reached"]])
        #expect(report.names == 2)
        #expect(report.deafCode == 0)
        // Debian 12 has redis-py 4.3, which refuses it for a Unix socket.
        #expect(report.waitsToConnect == [false, true])
        #expect(
            report.codes == [
                "option": 64, "no command": 64, "lease": 64, "url": 64, "program": 64, "ends": 77, "no Redis": 69,
                "no module": 69, "endless": 64,
            ]
        )
    }

    @Test func `the manual names every option, exit code and key of the worker`() throws {
        let worker = try text("Assets/Fleet/worker.py")
        let page = try text("Sources/tripshare/tripshare.docc/Fleets.md")
        let manual = try text(".ci/packaging/tripshare-worker.1")
        let options = worker.matches(of: /add_argument\("(--[a-z]+)"/).map { String($0.output.1) }
        #expect(options.count == 8)
        for option in options {
            #expect(page.contains("| `\(option)` |"), "\(option)")
            #expect(manual.contains(".It Fl Fl \(option.dropFirst(2))"), "\(option)")
        }
        let codes = try text("Assets/Fleet/follower.py").matches(of: /^    [A-Z_]+ = (\d+)$/.anchorsMatchLineEndings())
        #expect(codes.count == 5)
        for code in codes {
            #expect(page.contains("| \(code.output.1) |"), "\(code.output.1)")
            #expect(manual.contains(".It \(code.output.1)\n"), "\(code.output.1)")
        }
        let keys = try text("Assets/Fleet/keys.py")
        let names = keys.prefix(while: { $0 != ")" }).matches(of: /"([a-z]+):?"/).map { String($0.output.1) }
        #expect(names.count == 11)
        for name in names { #expect(page.contains("| `\(name)"), "\(name)") }
    }

    @Test func `the package has every file of the worker`() throws {
        let package = try text(".ci/package")
        let folder = Checkout.folder.appending(path: "Assets/Fleet")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let kinds = Set(
            files.filter { !$0.contains("__pycache__") && $0.contains(".") }.map { ($0 as NSString).pathExtension }
        )
        #expect(kinds == ["py", "lua"])
        #expect(package.contains("Assets/Fleet/*.py") && package.contains("Assets/Fleet/scripts/*.lua"))
    }
}

extension [String: String] {
    fileprivate func removing(_ key: String) -> Self { filter { $0.key != key } }
}
