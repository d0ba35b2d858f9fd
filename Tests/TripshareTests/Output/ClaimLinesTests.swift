import FleetEmulator
import Foundation
import Testing
import TripTestSupport

/// What JSON lines say may be said about a trip, and the evidence for it.
@Suite("Claims in JSON lines", .ends(within: .longTest))
struct ClaimLinesTests {
    /// A member of a claim, and the kinds that have it.
    private static let members: [String: Set<String>] = [
        "place": ["expected", "overdue", "noNews", "atStop", "reached"],
        "stopNumber": ["expected", "overdue", "noNews", "atStop", "reached"],
        "expected": ["expected", "overdue", "noNews"],
        "leftSeconds": ["expected"],
        "overdueSeconds": ["overdue"],
        "ageSeconds": ["noNews"],
        "since": ["atStop"],
        "at": ["reached"],
        "atTheLatest": ["reached"],
        "delaySeconds": ["reached"],
        "status": ["ended"],
        "until": ["expected", "overdue"],
    ]

    private static func objects(_ lines: [String]) throws -> [[String: Any]] {
        try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
    }

    /// Checks the claims of all lines; returns their kinds.
    private static func check(_ lines: [String]) throws -> Set<String> {
        var numbers: [String: Set<Int>] = [:]
        var kinds: Set<String> = []
        for line in try objects(lines) {
            let type = try #require(line["type"] as? String)
            let trip = line["trip"] as? String ?? ""
            if ["poll", "trip", "finding", "token", "claims"].contains(type) {
                let number = try #require(line["eventNumber"] as? Int, "\(line)")
                #expect(number >= numbers[trip]?.max() ?? 1, "\(line)")
                numbers[trip, default: []].insert(number)
            }
            guard let claims = line["claims"] as? [[String: Any]] else {
                // Before the first answer, nothing may be said.
                if type == "poll" { #expect(line["outcome"] as? String == "error", "\(line)") }
                continue
            }
            #expect(type == "poll" || type == "claims", "\(line)")
            for claim in claims {
                let kind = try #require(claim["kind"] as? String)
                let evidence = try #require(claim["evidence"] as? [Int])
                #expect(!evidence.isEmpty, "\(claim)")
                for number in evidence { #expect(numbers[trip]?.contains(number) == true, "\(number) in \(line)") }
                #expect(claim["asOf"] is String && claim["strength"] is String, "\(claim)")
                for key in claim.keys where !["kind", "asOf", "strength", "evidence"].contains(key) {
                    #expect(members[key]?.contains(kind) == true, "\(key) of \(kind)")
                }
                kinds.insert(kind)
            }
        }
        return kinds
    }

    @Test(arguments: Scenario.names)
    func `have events as evidence that are there before`(scenario: String) async throws {
        let lines = try RecordedLines.all(of: try await RecordedLines.unpacked("Recordings/\(scenario).ndjson.gz"))
        let kinds = try Self.check(lines)
        #expect(kinds.contains("expected") || kinds.contains("ended"), "\(kinds)")
    }

    @Test func `the end of a ride is a claim about its last status`() async throws {
        let lines = try RecordedLines.all(of: try await RecordedLines.unpacked("Recordings/airport-pickup.ndjson.gz"))
        let polls = try Self.objects(lines).filter { $0["type"] as? String == "poll" }
        let claims = try #require(polls.last?["claims"] as? [[String: Any]])
        #expect(claims.first?["kind"] as? String == "ended" && claims.first?["status"] as? String == "COMPLETE")
        #expect(claims.last?["kind"] as? String == "reached")
        #expect(claims.last?["place"] as? String == "DROP_OFF_WAYPOINT_TYPE", "\(claims)")
    }

    @Test func `a summary of a recording has the numbers of the whole recording`() async throws {
        let recording = try await RecordedLines.unpacked("Recordings/engine-trouble.ndjson.gz")
        let answers = try Self.objects(try RecordedLines.all(of: recording)).filter {
            $0["type"] as? String == "poll" && $0["outcome"] as? String == "ok"
        }
        try await Program.withFolder { folder in
            let file = folder.appending(path: "ride.ndjson")
            try Data(recording.utf8).write(to: file)
            let run = try await Program.run(["replay", file.path, "--once", "--output", "json", "--timeout", "60"])
            _ = try Self.check(run.lines)
            let summary = try Self.objects(run.lines)
            #expect(summary.first?["eventNumber"] as? Int == answers.last?["eventNumber"] as? Int, "\(run.output)")
        }
    }

    @Test func `a log has a line with the claims after each change of a trip`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "log")
            try Data((LogCommandTests.ride.joined(separator: "\n") + "\n").utf8).write(to: file)
            let run = try await Program.run(["watch", "--log", file.path, "--output", "json"])
            #expect(run.status == 0, "\(run.errors)")
            _ = try Self.check(run.lines)
            let types = try Self.objects(run.lines).compactMap { $0["type"] as? String }
            #expect(types.contains("claims") && types.contains("side"), "\(types)")
        }
    }

    @Test func `the manual has each member of a claim`() throws {
        let manual = try String(
            contentsOf: Checkout.folder.appending(path: "Sources/tripshare/tripshare.docc/JSONOutput.md"),
            encoding: .utf8
        )
        for key in Array(Self.members.keys) + ["kind", "asOf", "strength", "evidence", "eventNumber", "claims"] {
            #expect(manual.contains("`\(key)`"), "\(key) is missing")
        }
        for kind in Set(Self.members.values.joined()) { #expect(manual.contains("`\(kind)`"), "\(kind) is missing") }
    }
}
