import Foundation
import Testing
import TripTestSupport

/// Programs whose files may have 8 KB, as on a disk that is nearly full.
///
/// The limit of a file's size also ends a program by a signal, unless it prevents that.
@Suite("Full disk", .ends(within: .longTest))
struct FullDiskTests {
    private static let limit = 8192

    /// Starts the program with the limit and without standard output; `redirection` is for the shell.
    private static func start(
        _ arguments: [String],
        in folder: URL,
        _ redirection: String = "> /dev/null"
    ) throws
        -> RunningProgram
    {
        // The shell counts blocks of 512 bytes.
        let command = "ulimit -f \(limit / 512); exec \"$0\" \"$@\" \(redirection)"
        return try RunningProgram(path: "/bin/sh", ["-c", command, Program.path] + arguments, in: folder)
    }

    /// Expects whole lines of JSON that nearly reach the limit.
    private static func expectLines(in file: URL) throws {
        let data = try Data(contentsOf: file)
        #expect(data.count <= limit && data.count > limit / 4, "\(data.count) bytes")
        #expect(data.last == UInt8(ascii: "\n"), "\(String(decoding: data.suffix(80), as: UTF8.self))")
        for line in data.split(separator: UInt8(ascii: "\n")) {
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: line) }
        }
    }

    private static let demo = ["demo", "--seed", "1", "--speed", "120", "--until", "COMPLETE"]

    @Test func `a recording ends with a whole line, and the session says so and goes on`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "ride.ndjson")
            let program = try Self.start(Self.demo + ["--output", "plain", "--record", file.path], in: folder)
            let run = try await program.result()
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.components(separatedBy: "no longer recorded").count == 2, "\(run.errors)")
            try Self.expectLines(in: file)
        }
    }

    @Test func `the log of an emulator ends with a whole line, and the emulator says so and goes on`() async throws {
        try await Program.withFolder { folder in
            let (file, errors) = (folder.appending(path: "calls.ndjson"), folder.appending(path: "errors"))
            try Data().write(to: errors)
            let emulator = try Self.start(
                ["emulate", "--speed", "60", "--log", file.path],
                in: folder,
                "> /dev/null 2> '\(errors.path)'"
            )
            defer { emulator.terminate() }
            try await FileArrival.wait(for: "no longer written", in: errors) { emulator.isOver }
            emulator.terminate()
            #expect(try await emulator.result().status == 143)
            let text = try String(contentsOf: errors, encoding: .utf8)
            #expect(text.components(separatedBy: "no longer written").count == 2, "\(text)")
            try Self.expectLines(in: file)
        }
    }

    @Test func `lines of JSON end with a whole line and exit code 74`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "lines")
            let program = try Self.start(Self.demo + ["--output", "json"], in: folder, "> '\(file.path)'")
            let run = try await program.result()
            #expect(run.status == 74 && run.errors.contains("Standard output can't be written"), "\(run.errors)")
            try Self.expectLines(in: file)
        }
    }

    @Test func `an export is absent, with exit code 74`() async throws {
        try await Program.withFolder { folder in
            let (ride, files) = (folder.appending(path: "ride.ndjson"), folder.appending(path: "files"))
            try FileManager.default.createDirectory(at: files, withIntermediateDirectories: false)
            let recorded = try await Program.run(Self.demo + ["--output", "json", "--record", ride.path])
            #expect(recorded.status == 0, "\(recorded.errors)")
            let export = files.appending(path: "ride.har").path
            let program = try Self.start(["export", ride.path, "--format", "har", "--output-file", export], in: folder)
            let run = try await program.result()
            #expect(run.status == 74 && run.errors.contains("can't be written"), "\(run.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).isEmpty)
        }
    }

    @Test func `a report is absent, with exit code 74, and an older one remains`() async throws {
        try await Program.withFolder { folder in
            let files = folder.appending(path: "files")
            try FileManager.default.createDirectory(at: files, withIntermediateDirectories: false)
            let expectations = folder.appending(path: "expect.yaml")
            let many = (1...100).map {
                "\n  - name: Expectation \($0) of a hundred\n    status: COMPLETE\n    within: 3000"
            }
            try Data(("expect:" + many.joined() + "\n").utf8).write(to: expectations)
            let report = files.appending(path: "report.json")
            for old in [nil, "older"] {
                if let old { try Data(old.utf8).write(to: report) }
                let program = try Self.start(
                    Self.demo + ["--output", "plain", "--expect", expectations.path, "--report", report.path],
                    in: folder
                )
                let run = try await program.result()
                #expect(run.status == 74, "\(run.errors)")
                let names = try FileManager.default.contentsOfDirectory(atPath: files.path)
                #expect(names == (old == nil ? [] : ["report.json"]))
                if let old { #expect(try String(contentsOf: report, encoding: .utf8) == old) }
            }
        }
    }
}
