import Foundation
import Recording
import Testing
import TripModel
import TripTestSupport

@testable import tripshare

@Suite("Verification of recordings", .ends(within: .longTest))
struct VerifyCommandTests {
    private static let ride = Checkout.folder.appending(path: "Tests/RecordingTests/Samples/ride.ndjson").path

    private struct Result: Decodable {
        struct First: Decodable {
            var kind: String
            var line: Int
            var trip: String?
            var row: Int?
            var recorded: String
            var now: String
        }
        var isEqual: Bool
        var polls: Int
        var screens: Int
        var untracedScreens: Int
        var differentEvents: Int
        var differentScreens: Int
        var first: First?
    }

    private static func verify(_ file: String) async throws -> (run: Program.Run, result: Result) {
        let run = try await Program.run(["verify", file, "--output", "json"])
        let line = try #require(run.lines.first, "\(run.errors)")
        return (run, try JSONDecoder().decode(Result.self, from: Data(line.utf8)))
    }

    /// Records the demo on a screen without a terminal, with keys in all views.
    private static func record(in folder: URL) async throws -> Data {
        let script = folder.appending(path: "script")
        let steps = [
            "wait on the way", "key 3", "pause 0.3", "key 4", "pause 0.3", "key 5 Down Down Enter", "pause 0.3",
            "key 6",
            "key 7", "size 120x40", "pause 0.3", "key 1 f z", "pause 1", "type :", "type glyphs blocks", "key Enter",
            "wait Trip complete", "pause 0.3",
        ]
        try Data((steps.joined(separator: "\n") + "\n").utf8).write(to: script)
        let file = folder.appending(path: "ride.ndjson")
        let run = try await Program.run(
            ["demo", "--speed", "10", "--seed", "1", "--script", script.path, "--record", file.path]
        )
        try #require(run.status == 0, "\(run.errors)")
        return try Data(contentsOf: file)
    }

    /// One recording for all tests that read it; each of them awaits the task.
    private static let recorded = Task { try await Program.withFolder { try await record(in: $0) } }

    /// Writes the recording to a folder.
    private static func recording(in folder: URL) async throws -> URL {
        let file = folder.appending(path: "recorded.ndjson")
        try await recorded.value.write(to: file)
        return file
    }

    @Test func `a recorded screen is shown again by this program, and a change of it is named`() async throws {
        try await Program.withFolder { folder in
            let file = try await Self.recording(in: folder)
            let (run, result) = try await Self.verify(file.path)
            #expect(run.status == 0 && result.isEqual, "\(run.output)")
            #expect(result.polls > 20 && result.screens > 20 && result.untracedScreens == 0, "\(run.output)")
            let calls = try await Program.run(["calls", file.path, "--party", "driver", "--output", "json"])
            #expect(calls.lines.count > 10 && calls.output.contains("/vehicles/"), "\(calls.output)")
            #expect(calls.lines.allSatisfy { $0.contains(#""outcome":"ok""#) }, "\(calls.output)")
            let plain = try await Program.run(["verify", file.path])
            #expect(plain.status == 0 && plain.output.hasPrefix("No difference; compared polls: \(result.polls)"))

            // Another program showed another word.
            var lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            let index = try #require(lines.firstIndex { $0.contains(#""type":"screen""#) && $0.contains("3 Token") })
            lines[index] = lines[index].replacing("3 Token", with: "3 Taken")
            let other = folder.appending(path: "other.ndjson")
            try Data(lines.joined(separator: "\n").utf8).write(to: other)
            let changed = try await Self.verify(other.path)
            #expect(changed.run.status == 1 && changed.result.differentScreens > 0)
            #expect(changed.result.first?.kind == "screen" && changed.result.first?.line == index + 1)
            #expect(changed.result.first?.recorded.contains("3 Taken") == true)
            #expect(changed.result.first?.now.contains("3 Token") == true)
            let words = try await Program.run(["verify", other.path])
            #expect(words.status == 1 && words.output.hasPrefix("Line \(index + 1), "), "\(words.output)")
            #expect(words.lines.count == 4 && words.output.contains("Recorded: "))
        }
    }

    @Test func `a recording without a readable event is a failure, not a success`() async throws {
        try await Program.withFolder { folder in
            let file = try await Self.recording(in: folder)
            var lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            for index in lines.indices.dropFirst() {
                lines[index] = lines[index].replacing(#""at":"#, with: #""at":1e12"#)
            }
            let other = folder.appending(path: "other.ndjson")
            try Data(lines.joined(separator: "\n").utf8).write(to: other)
            let run = try await Program.run(["verify", other.path])
            #expect(run.status == 65 && run.output.isEmpty && run.errors.contains("to compare"), "\(run.errors)")
        }
    }

    @Test func `the pictures are a small part of the recording`() async throws {
        try await Program.withFolder { folder in
            let file = try await Self.recording(in: folder)
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            let pictures = lines.filter { $0.contains(#""type":"screen""#) }.reduce(0) { $0 + $1.utf8.count }
            let all = lines.reduce(0) { $0 + $1.utf8.count }
            // A quarter of the rest, what every recording may have, the last picture, and the lines without pictures.
            #expect(pictures < all / 2 + 100_000, "\(pictures) of \(all)")
        }
    }

    @Test func `an outcome and findings that this program does not conclude are named`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "other.ndjson")
            var lines = try String(contentsOfFile: Self.ride, encoding: .utf8).components(separatedBy: "\n")
            let index = try #require(lines.firstIndex { $0.contains(#""type":"poll""#) && $0.contains(#""body":"{"#) })
            lines[index] = lines[index].replacing(#""body":"{"#, with: #""body":"[{"#)
            try Data(lines.joined(separator: "\n").utf8).write(to: file)
            let (run, result) = try await Self.verify(file.path)
            #expect(run.status == 1 && result.first?.kind == "outcome", "\(run.output)")
            #expect(result.first?.line == index + 1 && result.first?.recorded == "OK", "\(run.output)")
            #expect(result.first?.trip == "tr-1")
        }
    }

    @Test func `a recording without a screen is verified, too`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "ride.ndjson").path
            let run = try await Program.run([
                "demo", "--speed", "120", "--scenario", "engine-trouble", "--output", "json", "--record", file,
            ])
            #expect(run.status == 0, "\(run.errors)")
            let verified = try await Self.verify(file)
            #expect(verified.run.status == 0 && verified.result.polls > 5, "\(verified.run.output)")
        }
    }

    @Test func `files that are no recordings are refused as for replay`() async throws {
        try await Program.withFolder { folder in
            #expect(try await Program.run(["verify", folder.appending(path: "none").path]).status == 66)
            let file = folder.appending(path: "x")
            for text in ["hello", "", #"{"format":"tripshare-recording","version":{"major":9,"minor":1}}"#] {
                try Data(text.utf8).write(to: file)
                let run = try await Program.run(["verify", file.path])
                #expect(run.status == 65 && !run.errors.isEmpty && run.output.isEmpty, "\(run.errors)")
            }
        }
    }
}
