import Foundation
import Recording
import Testing
import TripTestSupport

@testable import tripshare

/// `B` and `m` with the built program.
@Suite("Bug reports and notes", .serialized, .terminalTurn, .ends(within: .longTest))
struct BugReportTests {
    private static let script = """
        wait on the way to the pickup
        key m
        type the map <is> | wrong
        key Enter m Enter
        key B y
        wait .tar.gz
        wait Trip complete
        key R
        wait Receipt of
        dump end.txt
        key q
        """

    private static func write(_ text: String, _ name: String, in folder: URL) throws -> String {
        let file = folder.appending(path: name)
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    @Test func `demo: the archive, the recording, both reports and the replay have the notes`() async throws {
        try await Program.withFolder { folder in
            let script = try Self.write(Self.script, "script", in: folder)
            let wanted = try Self.write("expect:\n  - {name: Arrives, status: COMPLETE}\n", "e.yaml", in: folder)
            let demo = ["demo", "--seed", "1", "--script", script, "--expect", wanted]
            let run = try await Program.run(
                in: folder,
                demo + ["--speed", "10", "--record", "ride.ndjson", "--report", "r.xml"]
            )
            #expect(run.status == 0, "\(run.errors)")
            let archive = try #require(try Unpacked.archives(in: folder).first)
            #expect(archive.lastPathComponent.wholeMatch(of: /tripshare-\d{8}-\d{6}-trip-1\.tar\.gz/) != nil)
            let files = try await Unpacked.files(archive)
            #expect(Set(files.keys) == ["report.md", "screen.txt", "recording.ndjson", "curl.sh"])
            let report = try #require(files["report.md"])
            for part in [
                "# Bug report: trip trip-1", "`ENROUTE_TO_PICKUP`", "## Token", "| `aud` |", "No poll of",
                "## Findings",
                "the map \\<is\\> \\| wrong", "age of the position, by the service", "tripshare 0.1.0",
                "| project | `tripshare-demo` |", "Bearer $TOKEN", "- pending: Arrives", "Distance to pickup",
            ] {
                #expect(report.contains(part), "\(part) is missing in \(report)")
            }
            #expect(files["screen.txt"]?.contains("╭─ Map") == true)
            #expect(files["curl.sh"]?.hasPrefix("curl -sS -H \"Authorization: Bearer $TOKEN\"") == true)
            var reader = try RecordingReader(bytes: Array(try #require(files["recording.ndjson"]).utf8))
            while reader.next() != nil {}
            #expect(reader.skippedCount == 0)
            let end = try String(contentsOf: folder.appending(path: "end.txt"), encoding: .utf8)
            #expect(end.contains("Receipt of trip-1") && end.contains("Trip complete"))
            let junit = try String(contentsOf: folder.appending(path: "r.xml"), encoding: .utf8)
            #expect(junit.contains("ENROUTE_TO_PICKUP: the map &lt;is&gt; | wrong\"></property>"))
            #expect(junit.contains("<property name=\"mark\""))
            #expect(junit.contains("<system-out>\n"))

            let ride = folder.appending(path: "ride.ndjson").path
            let played = try await Program.run(["replay", ride, "--speed", "600", "--output", "json"])
            let remarks = played.lines.filter { $0.contains(#""type":"remark""#) }
            #expect(remarks.contains { $0.contains(#""kind":"note""#) && $0.contains("the map <is> | wrong") })
            #expect(remarks.contains { $0.contains(#""kind":"mark""#) })
            #expect(played.lines.contains { $0.contains(#""type":"receipt""#) })
            let plain = try await Program.run(["replay", ride, "--speed", "600", "--output", "plain"])
            #expect(plain.output.contains("Note: the map <is> | wrong."))
            #expect(plain.output.contains("Receipt of trip-1, Ride: "))
        }
    }

    @Test func `replay: a bug report of the same minute never overwrites the first`() async throws {
        try await Program.withFolder { folder in
            let ride = folder.appending(path: "ride.ndjson").path
            let demo = ["demo", "--seed", "1", "--speed", "120", "--output", "json", "--record", ride]
            #expect(try await Program.run(demo + ["--until", "ARRIVED_AT_PICKUP"]).status == 0)
            // The clock does not advance after the end of a replay, so that both reports have the same time.
            let script = try Self.write(
                "wait resume\nkey B y\nwait trip-1.tar.gz\nkey B y\nwait trip-1-2.tar.gz\nkey q\n",
                "script",
                in: folder
            )
            let run = try await Program.run(in: folder, ["replay", ride, "--speed", "20", "--script", script])
            #expect(run.status == 0, "\(run.errors)")
            let archives = try Unpacked.archives(in: folder)
            #expect(archives.count == 2)
            // In order of the names the first report is the last: its name has no number.
            let files = try await Unpacked.files(try #require(archives.last))
            #expect(files["report.md"]?.contains("| played | a recording of tripshare") == true)
            var reader = try RecordingReader(bytes: Array(try #require(files["recording.ndjson"]).utf8))
            var count = 0
            while reader.next() != nil { count += 1 }
            #expect(count > 3 && reader.skippedCount == 0)
        }
    }

    @Test func `a folder that can't be written gives one message and leaves nothing`() async throws {
        try await Program.withFolder { folder in
            let script = try Self.write("wait km/h\nkey B y\nwait can't be saved\nkey q\n", "script", in: folder)
            // Root may write in every folder but those of the kernel.
            let run = try await Program.run(
                in: URL(filePath: "/proc"),
                ["demo", "--seed", "1", "--speed", "20", "--script", script]
            )
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    @Test func `a full disk gives the reason and leaves no file`() async throws {
        try await Program.withFolder { folder in
            // The limit of a file's size in blocks of 512 bytes is as small as a disk without room.
            let script = try Self.write("wait km/h\nkey B y\nwait can't be saved\nkey q\n", "script", in: folder)
            let command = "trap '' XFSZ; ulimit -f 4; cd \(folder.path) && exec \"$0\" \"$@\""
            let run = try await Program.run(
                executable: "/bin/sh",
                ["-c", command, Program.path, "demo", "--seed", "1", "--speed", "20", "--script", script]
            )
            #expect(run.status == 0, "\(run.errors)")
            #expect(try Unpacked.archives(in: folder).isEmpty)
        }
    }
}
