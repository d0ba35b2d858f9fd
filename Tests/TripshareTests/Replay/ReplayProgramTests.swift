import Foundation
import Testing
import TripTestSupport

@testable import tripshare

/// The recording of the airport pickup as a file in a folder.
struct UnpackedRide {
    /// The file.
    let file: URL
    /// The duration in whole seconds, which depends on the load of the machine that made the recording.
    let seconds: Int

    var path: String { file.path }
    /// The duration as the time line shows it.
    var length: String { "\(seconds / 60):" + String(format: "%02d", seconds % 60) }
}

/// Returns the recording of the airport pickup, more than ten minutes long, as a file in the folder.
func unpackedRide(in folder: URL) async throws -> UnpackedRide {
    struct Line: Decodable {
        struct Start: Decodable { var steady: Double }
        var at: Double?
        var start: Start?
    }
    let file = folder.appending(path: "ride.ndjson")
    if !FileManager.default.fileExists(atPath: file.path) {
        let recording = Checkout.folder.appending(path: "Tests/TripshareTests/Recordings/airport-pickup.ndjson.gz")
        let unpacked = try await Program.run(executable: "/usr/bin/gzip", ["-dc", recording.path])
        try Data(unpacked.output.utf8).write(to: file)
    }
    let lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
    func line(_ data: Data?) throws -> Line { try JSONDecoder().decode(Line.self, from: try #require(data)) }
    let start = try #require(try line(lines.first).start?.steady)
    let end = try #require(try line(lines.last).at)
    return UnpackedRide(file: file, seconds: Int(end - start))
}

@Suite("The program replays", .ends(within: .longTest))
struct ReplayProgramTests {
    private func play(_ script: String, _ flags: [String] = [], in folder: URL) async throws -> Program.Run {
        let ride = try await unpackedRide(in: folder)
        let file = folder.appending(path: "script")
        try Data((script + "\n").utf8).write(to: file)
        return try await Program.run(["replay", ride.path, "--lang", "en", "--script", file.path] + flags)
    }

    private func screen(_ name: String, in folder: URL) throws -> String {
        String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
    }

    @Test func `the same time shows the same screen, by a command, by steps and from the command line`() async throws {
        try await Program.withFolder { folder in
            let first = folder.appending(path: "first").path
            let second = folder.appending(path: "second").path
            let run = try await play(
                """
                wait 0:00 /
                key p 7
                type :seek 2:00
                key Enter
                wait 2:00 /
                dump \(first)
                key $
                wait ■
                key ^ . . . .
                type :seek 2:00
                key Enter
                wait 2:00 /
                dump \(second)
                key q
                """,
                in: folder
            )
            #expect(run.status == 0, "\(run.errors)")
            let text = try screen("first", in: folder)
            #expect(try screen("second", in: folder) == text)
            let third = folder.appending(path: "third").path
            // The seek in between ends the second in which the time line shows 2:00 already.
            let other = try await play(
                """
                wait 2:0
                key p 7
                type :seek 1:00
                key Enter
                wait 1:00 /
                type :seek 2:00
                key Enter
                wait 2:00 /
                dump \(third)
                key q
                """,
                ["--from", "2:00"],
                in: folder
            )
            #expect(other.status == 0, "\(other.errors)")
            #expect(try screen("third", in: folder) == text)
        }
    }

    @Test func `stops at the end, and is still there`() async throws {
        try await Program.withFolder { folder in
            let run = try await play(
                "wait Trip complete\nwait ■\npause 0.3\nkey , ^\nwait 0:0\nkey q",
                ["--speed", "600"],
                in: folder
            )
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    @Test func `the status to wait for is found after a jump, and no event is skipped`() async throws {
        try await Program.withFolder { folder in
            let run = try await play(
                "wait /\nkey $\nwait never",
                ["--until", "ARRIVED_AT_PICKUP"],
                in: folder
            )
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `the command line saves a picture that an XML reader reads`() async throws {
        struct Picture: Decodable {
            var root: String
            var width: Double
            var height: Double
            var elements: Int
            var text: String
        }
        try await Program.withFolder { folder in
            let file = folder.appending(path: "now.svg").path
            let text = folder.appending(path: "now.txt").path
            let run = try await play(
                "wait 0:2\nkey p\ntype :picture \(file)\nkey Enter\nwait now.svg\ntype :picture \(text)\nkey Enter\nwait now.txt\nkey q",
                ["--from", "0:20"],
                in: folder
            )
            #expect(run.status == 0, "\(run.errors)")
            let data = try await PythonProgram.run("Tests/TripshareTests/Python/svg.py", [file])
            let picture = try JSONDecoder().decode(Picture.self, from: data)
            #expect(picture.root == "{http://www.w3.org/2000/svg}svg")
            #expect(picture.width > 100 && picture.height > 100 && picture.elements > 50)
            let words = try screen("now.txt", in: folder).split { !$0.isLetter }.filter { $0.count > 4 }
            let missing = Set(words).filter { !picture.text.contains($0) }
            // The second picture was saved later: only its message may be new.
            #expect(words.count > 20 && missing.count <= 2, "\(missing)")
        }
    }

    @Test(arguments: [["--from", "soon"], ["--from", "-5"], ["--loop", "--output", "plain"]])
    func `flags that make no sense are refused`(_ flags: [String]) async throws {
        let run = try await Program.run(["replay", "none"] + flags)
        #expect(run.status == 64)
    }

    @Test func `lines begin at the time of --from`() async throws {
        try await Program.withFolder { folder in
            _ = try await play("wait /\nkey q", in: folder)
            let ride = folder.appending(path: "ride.ndjson").path
            func lines(_ flags: [String]) async throws -> [String] {
                let run = try await Program.run(["replay", ride, "--output", "json", "--speed", "600"] + flags)
                #expect(run.status == 0, "\(run.errors)")
                return run.lines
            }
            let (all, later) = (try await lines([]), try await lines(["--from", "5:00"]))
            #expect(!later.isEmpty && later.count < all.count)
            #expect(later.first?.contains("\"type\"") == true)
            for output in ["json", "plain"] {
                let run = try await Program.run(["replay", ride, "--output", output, "--from", "9:00:00"])
                #expect(run.status == 64 && run.lines.isEmpty)
                #expect(run.errors.contains("--from is after the end: the recording lasts"), "\(run.errors)")
            }
        }
    }

    @Test func `seeks change no result of an expectation, even if the user quits at once`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "expect.yaml")
            let yaml = """
                expect:
                  - {name: Arrives, status: ARRIVED_AT_PICKUP, within: 400}
                  - {name: Ends, status: COMPLETE, within: 1800}
                  - {name: Ends too late, status: COMPLETE, within: 60}
                """
            try Data(yaml.utf8).write(to: file)
            func results(_ script: String, speed: String) async throws -> [[String]] {
                let report = folder.appending(path: "report.json")
                let flags = ["--expect", file.path, "--report", report.path, "--speed", speed]
                let run = try await play(script, flags, in: folder)
                #expect(run.status == 1 && run.errors.contains("1 of 3 expectations failed"), "\(run.errors)")
                let object = try JSONSerialization.jsonObject(with: Data(contentsOf: report)) as? [String: Any]
                let expectations = try #require(object?["expectations"] as? [[String: Any]])
                return expectations.map { $0.map { "\($0)=\($1)" }.sorted() }
            }
            let played = try await results("wait ■\nkey q", speed: "600")
            #expect(played.map { $0.contains("outcome=passed") } == [true, true, false])
            let seeks = """
                wait 0:0
                key p
                type :seek 3:00
                key Enter
                wait 3:00 /
                key ^
                wait 0:00 /
                key $
                wait ■
                type :seek 1:00
                key Enter
                wait 1:00 /
                key q
                """
            #expect(try await results(seeks, speed: "1") == played)
        }
    }
}
