import Foundation
import Testing
import TripTestSupport

@testable import tripshare

/// `replay --once`: the last state of each trip of a file.
@Suite("The last state of a recording", .ends(within: .longTest))
struct ReplayOnceTests {
    private static func lines(_ name: String) async throws -> [String] {
        String(decoding: try await RecordedReplay.bytes(name), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func object(_ line: some StringProtocol) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    /// The status in the last answer to a poll of each trip.
    private static func statuses(_ lines: [String]) throws -> [String: String] {
        var statuses: [String: String] = [:]
        for line in lines where line.hasPrefix(#"{"type":"poll""#) {
            let poll = try object(line)
            guard let call = poll["call"] as? [String: Any], let answer = call["ans"] as? [String: Any],
                answer["status"] as? Int == 200, let trip = poll["trip"] as? String
            else { continue }
            statuses[trip] = try object(try #require(answer["body"] as? String))["tripStatus"] as? String
        }
        return statuses
    }

    private func run(_ lines: [String], _ arguments: [String]) async throws -> Program.Run {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "ride.ndjson")
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
            return try await Program.run(["replay", file.path, "--once"] + arguments)
        }
    }

    @Test(arguments: ["airport-pickup", "driver-cancels", "token-trouble"])
    func `has the status of the last answer, without waiting for the times between`(_ name: String) async throws {
        let lines = try await Self.lines(name)
        let expected = try Self.statuses(lines)
        #expect(expected.count == 1)
        // Played at its own speed, each takes minutes.
        let json = try await run(lines, ["--output", "json", "--timeout", "60"])
        let objects = try json.lines.map(Self.object)
        let trips = objects.filter { $0["type"] as? String == "trip" }
        #expect(trips.map { $0["status"] as? String } == expected.values.map { $0 }, "\(json.output)")
        #expect(trips.map { $0["trip"] as? String } == expected.keys.map { $0 })
        #expect(objects.last?["type"] as? String == "end" && !json.output.contains(#""type":"receipt""#))
        let plain = try await run(lines, ["--lang", "en"])
        #expect(plain.status == json.status && plain.lines.count == 1, "\(plain.output) \(plain.errors)")
    }

    @Test func `has the last failure, too, if no answer came after it`() async throws {
        let lines = try await Self.lines("engine-trouble")
        // The first answer of an error; which of them a poll meets is up to the recorded run.
        let failures = lines.enumerated().compactMap { index, line in
            line.firstMatch(of: /^\{"type":"poll".*"status":([45]\d\d)\}/).map { (index, String($0.1)) }
        }
        let (failed, status) = try #require(failures.first)
        let json = try await run(Array(lines[...failed]), ["--output", "json"])
        #expect(json.status == 0, "\(json.errors)")
        let objects = try json.lines.map(Self.object)
        #expect(objects.map { $0["type"] as? String } == ["poll", "trip", "poll", "end"], "\(json.output)")
        #expect(objects.first?["httpStatus"] as? Int == 200)
        #expect(objects.dropLast().last?["httpStatus"] as? Int == Int(status))
        #expect(objects.last?["outcome"] as? String == "recording_ended")
        let plain = try await run(Array(lines[...failed]), ["--lang", "en"])
        #expect(plain.lines.count == 2 && plain.lines.last?.contains("fault") == true, "\(plain.output)")
        // Later answers replace the failure.
        let whole = try await run(lines, ["--lang", "en"])
        #expect(whole.lines.count == 1 && !whole.output.contains("fault"), "\(whole.output)")
    }

    @Test func `has every trip of a project, also one that begins after the others have ended`() async throws {
        let first = try await Self.lines("driver-cancels")
        let trip = try #require(try Self.statuses(first).keys.first)
        let second = first.dropFirst().map { line in
            line.replacing(trip, with: "later").replacing(/^(\{"type":"\w+","at":)([0-9.]+)/) { match in
                "\(match.1)\((Double(match.2) ?? 0) + 10_000)"
            }
        }
        let header = first[0].replacing(#""trips":["\#(trip)"]"#, with: #""trips":[]"#)
        #expect(header != first[0])
        let lines = [header] + first.dropFirst() + second
        let plain = try await run(lines, ["--lang", "en"])
        #expect(plain.lines.map { $0.contains(trip) } == [true, false], "\(plain.output)")
        #expect(plain.lines.map { $0.contains("later") } == [false, true])
        // A replay does not end with the first trip either.
        try await Program.withFolder { folder in
            let file = folder.appending(path: "project.ndjson")
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
            let from = ["--from", "2:40:00", "--speed", "600"]
            let all = try await Program.run(["replay", file.path, "--output", "json"] + from)
            let ends = try all.lines.map(Self.object).filter { $0["type"] as? String == "end" }
            #expect(ends.contains { $0["trip"] as? String == "trips/later" || $0["trip"] as? String == "later" })
        }
    }

    @Test func `of a log, it is what a rider would have seen last`() async throws {
        let json = try await run(LogCommandTests.ride, ["--output", "json"])
        #expect(json.status == 0, "\(json.errors)")
        let trips = try json.lines.map(Self.object).filter { $0["type"] as? String == "trip" }
        #expect(trips.map { $0["trip"] as? String } == ["ride-1"])
        // The rider's own answer is later than that of the server's update.
        #expect(trips.map { $0["status"] as? String } == ["NEW"])
    }

    @Test(arguments: [["--until", "COMPLETE"], ["--output", "tui"], ["--loop"], ["--script", "x"]])
    func `can't be combined with what needs a session`(_ other: [String]) async throws {
        let run = try await Program.runInProcess(["replay", "/dev/null", "--once"] + other)
        #expect(run.status == 64, "\(run.errors)")
    }

    @Test func `expectations are judged by the whole recording`() async throws {
        let lines = try await Self.lines("driver-cancels")
        try await Program.withFolder { folder in
            let file = folder.appending(path: "e.yaml").path
            try Data("expect:\n  - {name: Driver is coming, status: ENROUTE_TO_PICKUP}\n".utf8).write(
                to: URL(filePath: file)
            )
            let run = try await run(lines, ["--lang", "en", "--expect", file])
            #expect(run.status == 0 && run.output.contains("Expectation passed: Driver is coming"), "\(run.output)")
        }
    }
}
