import Foundation
import Recording
import Testing
import TripTestSupport

@testable import tripshare

@Suite("Recording and replay", .ends(within: .longTest))
struct RecordTests {
    private static let demo = ["demo", "--speed", "120", "--seed", "1", "--output", "json"]

    /// The events of a file.
    private func events(_ file: URL) throws -> (header: RecordingHeader, events: [RecordedEvent], skipped: Int) {
        var reader = try RecordingReader(bytes: Array(try Data(contentsOf: file)))
        var events: [RecordedEvent] = []
        while let event = reader.next() { events.append(event) }
        return (reader.header, events, reader.skippedCount)
    }

    /// The statuses of the JSON lines of trips, without repetitions.
    private func statuses(_ run: Program.Run) throws -> [String] {
        var statuses: [String] = []
        for line in run.lines {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            guard object["type"] as? String == "trip", let status = object["status"] as? String else { continue }
            if statuses.last != status { statuses.append(status) }
        }
        return statuses
    }

    @Test func `a recorded ride is played with the same statuses and without a skipped line`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "ride.ndjson")
            let recorded = try await Program.run(Self.demo + ["--until", "COMPLETE", "--record", file.path])
            #expect(recorded.status == 0, "\(recorded.errors)")
            let (header, events, skipped) = try events(file)
            #expect(skipped == 0)
            #expect(header.display.output == "json")
            #expect(header.seed == "1")
            let types = Set(events.map(\.content.type))
            #expect(types.isSuperset(of: [.request, .poll, .token]))
            let played = try await Program.run([
                "replay", file.path, "--speed", "600", "--output", "json", "--until", "COMPLETE",
            ])
            #expect(played.status == 0, "\(played.errors)")
            let all = try statuses(recorded)
            #expect(all.last == "COMPLETE")
            #expect(try statuses(played) == all)
        }
    }

    @Test func `never overwrites a file`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "ride.ndjson")
            try Data("mine".utf8).write(to: file)
            let run = try await Program.run(Self.demo + ["--once", "--record", file.path])
            #expect(run.status == 74)
            #expect(run.errors.contains("not overwritten"))
            #expect(try Data(contentsOf: file) == Data("mine".utf8))
        }
    }

    @Test func `following goes on after one message if the file can't be written`() async throws {
        try await Program.withFolder { folder in
            let pipe = folder.appending(path: "pipe")
            #expect(unsafe mkfifo(pipe.path, 0o600) == 0)
            for path in ["/dev/full", folder.path, folder.appending(path: "none/ride").path, pipe.path] {
                let run = try await Program.run(Self.demo + ["--until", "ENROUTE_TO_PICKUP", "--record", path])
                #expect(run.status == 0, "\(path): \(run.errors)")
                #expect(run.errors.components(separatedBy: "no longer recorded").count == 2, "\(path): \(run.errors)")
            }
        }
    }

    @Test func `12 kills during recording lose at most the last line`() async throws {
        try await Program.withFolder { folder in
            var (longest, killed) = (0, 0)
            for number in 0..<12 {
                let file = folder.appending(path: "\(number).ndjson")
                let program = try Program.start(
                    ["demo", "--speed", "30", "--output", "json", "--record", file.path],
                    in: folder
                )
                // Each run is killed after another number of bytes.
                try await FileArrival.wait(forBytes: 500 + 4099 * number, in: file) { program.isOver }
                program.send(SIGKILL)
                // On a loaded machine, a ride may end before the signal arrives.
                if try await program.result().status == SIGKILL { killed += 1 }
                let bytes = Array(try Data(contentsOf: file))
                longest = max(longest, bytes.count)
                var reader = try RecordingReader(bytes: bytes)
                while reader.next() != nil {}
                #expect(reader.skippedCount <= 1)
                if let skipped = reader.skipped.first {
                    #expect(skipped.line == bytes.count { $0 == UInt8(ascii: "\n") } + 1)
                }
            }
            #expect(longest > 20_000)
            #expect(killed >= 9)
        }
    }

    @Test func `says what is wrong with a file that can't be played`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "x")
            #expect(try await Program.run(["replay", file.path]).status == 66)
            let versions = [9, 2].map { #"{"format":"tripshare-recording","version":{"major":\#($0),"minor":1}}"# }
            for text in ["hello", ""] + versions {
                try Data(text.utf8).write(to: file)
                let run = try await Program.run(["replay", file.path, "--output", "plain"])
                #expect(run.status == 65, "\(text): \(run.errors)")
                #expect(!run.errors.isEmpty)
            }
        }
    }
}
