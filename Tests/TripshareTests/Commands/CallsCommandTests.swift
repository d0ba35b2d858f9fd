import Foundation
import Testing
import TripTestSupport

/// The calls of a recording as a table and as JSON lines.
@Suite("List of calls", .ends(within: .longTest))
struct CallsCommandTests {
    /// A call of the JSON output.
    private struct Line: Decodable {
        let type, party, outcome, id, target: String
        let method, failure: String?
        let httpStatus, bytes, token: Int?
        let latencyMs: Double?
    }

    /// Unpacks the kept recording of a scenario in which the token endpoint fails and the service refuses a token.
    private func recorded(_ body: (String) async throws -> Void) async throws {
        let recording = Checkout.folder.appending(path: "Tests/TripshareTests/Recordings/token-trouble.ndjson.gz")
        let unpacked = try await Program.run(executable: "/usr/bin/gzip", ["-dc", recording.path])
        #expect(unpacked.status == 0, "\(unpacked.errors)")
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("session").path
            try Data(unpacked.output.utf8).write(to: URL(filePath: file))
            try await body(file)
        }
    }

    private func lines(_ arguments: [String]) async throws -> [Line] {
        let run = try await Program.run(["calls"] + arguments + ["--output", "json"])
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        return try run.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test func `has the polls and the fetches of tokens, with the number of the token and without the token`()
        async throws
    {
        try await recorded { file in
            let all = try await lines([file])
            #expect(all.allSatisfy { $0.type == "call" && $0.id == "ride-13" })
            #expect(Set(all.map(\.party)) == ["service", "tokens", "driver"])
            let first = try #require(all.first)
            #expect(first.party == "tokens" && first.token == 1 && first.httpStatus == 200)
            let polls = try #require(Dictionary(grouping: all, by: \.party)["service"])
            #expect(polls.allSatisfy { $0.target.hasSuffix("/trips/ride-13") && $0.method == "GET" }, "\(polls)")
            #expect(polls.allSatisfy { ($0.token ?? 0) > 0 && $0.latencyMs != nil }, "\(polls)")
            let failed = try await lines([file, "--failed"])
            #expect(!failed.isEmpty && failed.allSatisfy { $0.outcome == "error" && $0.failure != nil })
            #expect(failed.contains { $0.party == "tokens" && $0.httpStatus == 503 })
            #expect(failed.count == all.count { $0.outcome == "error" })
            #expect(try await lines([file, "--party", "service"]).count == polls.count)
            #expect(try await lines([file, "--trip", "other"]).isEmpty)
            let table = try await Program.run(["calls", file])
            #expect(table.status == 0 && !table.output.contains("eyJ"))
            #expect(table.output.contains("GET http://127.0.0.1") && table.output.contains("HTTP 503"))
        }
    }

    @Test func `a filter has words that all must fit`() async throws {
        try await recorded { file in
            let failed = try await lines([file, "--failed"])
            #expect(try await lines([file, "--filter", "status:error"]).count == failed.count)
            let refused = try await lines([file, "--filter", "to:tokens status:5xx"])
            #expect(!refused.isEmpty && refused.allSatisfy { $0.party == "tokens" && $0.httpStatus == 503 })
            #expect(try await lines([file, "--filter", "!from:driver"]).allSatisfy { $0.party != "driver" })
        }
    }

    @Test func `says that no call fits`() async throws {
        let ride = Checkout.folder.appending(path: "Tests/RecordingTests/Samples/ride.ndjson").path
        let none = try await Program.run(["calls", ride, "--trip", "nobody"])
        #expect(none.status == 0 && none.output == "No call in the file fits.\n")
    }
}
