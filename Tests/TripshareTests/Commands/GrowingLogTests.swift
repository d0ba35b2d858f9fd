import Foundation
import Testing
import TripTestSupport

@testable import tripshare

/// `watch --log FILE --follow` reads what is appended to a file, as `tail -F` does; so does the screen.
@Suite("A log that grows", .ends(within: .longTest))
struct GrowingLogTests {
    private static let ride = LogCommandTests.ride

    private static func append(_ text: String, to file: URL) throws {
        let handle = try FileHandle(forWritingTo: file)
        // A failed write throws; closing loses nothing.
        defer { try? handle.close() }
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
    }

    /// Starts the program with a log of some empty lines and one entry, and ends it after the body.
    private func follow(
        _ arguments: [String],
        emptyLines: Int = 0,
        _ body: (RunningProgram, URL) async throws -> Void
    ) async throws -> Program.Run {
        try await Program.withFolder { folder in
            let log = folder.appending(path: "log")
            let lines = String(repeating: "\n", count: emptyLines) + Self.ride[0] + "\n"
            try Data(lines.utf8).write(to: log)
            let running = try Program.start(["watch", "--log", log.path] + arguments, in: folder)
            try await body(running, log)
            return try await running.result()
        }
    }

    @Test func `shows what is appended, also the rest of a line, until it is interrupted`() async throws {
        let run = try await follow(["--follow", "--output", "plain"]) { running, log in
            try await running.outputs("CreateTrip")
            try Self.append(String(Self.ride[1].prefix(100)), to: log)
            try Self.append(Self.ride[1].dropFirst(100) + "\n", to: log)
            try await running.outputs("UpdateTrip")
            try Self.append(Self.ride[2] + "\n", to: log)
            try await running.outputs("UpdateVehicle")
            running.interrupt()
        }
        #expect(run.status == 130 && run.errors.isEmpty, "\(run.errors)")
    }

    @Test func `ends with the status of an appended entry`() async throws {
        let run = try await follow(["--follow", "--output", "json", "--until", "ENROUTE_TO_PICKUP"]) { running, log in
            try await running.outputs("CreateTrip")
            try Self.append(Self.ride[1] + "\n", to: log)
        }
        #expect(run.status == 0 && run.output.contains(#""outcome":"reached""#), "\(run.output) \(run.errors)")
    }

    /// The calls of a backend and a van about one parcel, as Cloud Logging has them.
    private static let parcel: [String] = {
        func entry(_ call: String, _ second: Int, _ response: String) -> String {
            let payload =
                #"{"@type":"type.googleapis.com/maps.fleetengine.v1.\#(call)Log","request":{},"response":\#(response)}"#
            let time = "2026-01-01T00:00:\(second)Z"
            return #"{"insertId":"p\#(second)","jsonPayload":\#(payload),"resource":{"labels":{"resource_container":"#
                + #""projects/p"},"type":"fleetengine.googleapis.com/Fleet"},"timestamp":"\#(time)"}"#
        }
        let place = #""plannedLocation":{"point":{"latitude":51,"longitude":4}}"#
        let task = #""name":"providers/p/tasks/t","type":"DELIVERY","trackingId":"s",\#(place)"#
        let stop = #"{"stop":{\#(place),"tasks":[{"taskId":"t"}],"state":"ENROUTE"},"drivingDuration":"120s"}"#
        let location = #"{"location":{"latitude":51.02,"longitude":4},"serverTime":"2026-01-01T00:00:19Z"}"#
        let outcome = #""taskOutcome":"SUCCEEDED","taskOutcomeTime":"2026-01-01T00:00:49Z""#
        return [
            entry("CreateTask", 10, #"{\#(task),"state":"OPEN"}"#),
            entry(
                "UpdateDeliveryVehicle",
                20,
                #"{"name":"providers/p/deliveryVehicles/v","lastLocation":\#(location),"remainingVehicleJourneySegments":[\#(stop)]}"#
            ),
            entry("UpdateTask", 50, #"{\#(task),"state":"CLOSED",\#(outcome)}"#),
        ]
    }()

    @Test func `follows a parcel until it is handed over, also by the rest of a line`() async throws {
        try await Program.withFolder { folder in
            let log = folder.appending(path: "log")
            try Data((Self.parcel[0] + "\n").utf8).write(to: log)
            let running = try Program.start(
                ["watch", "--log", log.path, "--follow", "--output", "plain", "--until", "SUCCEEDED"],
                in: folder
            )
            try await running.outputs("The shipment is open")
            try Self.append(Self.parcel[1] + "\n", to: log)
            try await running.outputs("You are the next stop")
            try Self.append(String(Self.parcel[2].prefix(200)), to: log)
            try Self.append(Self.parcel[2].dropFirst(200) + "\n", to: log)
            let run = try await running.result()
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect(run.output.contains("Handed over"), "\(run.output)")
        }
    }

    @Test func `reads a replaced log to its end, and then the new one from its beginning`() async throws {
        let run = try await follow(["--follow", "--output", "plain"]) { running, log in
            try await running.outputs("CreateTrip")
            try Self.append(Self.ride[1] + "\n{\"torn", to: log)
            let old = log.deletingLastPathComponent().appending(path: "log.1")
            try FileManager.default.moveItem(at: log, to: old)
            try Data((Self.ride[2] + "\n").utf8).write(to: log)
            try await running.outputs("UpdateVehicle")
            try Self.append(Self.ride[3] + "\n", to: log)
            try await running.outputs("GetTrip")
            running.interrupt()
        }
        #expect(run.status == 130 && run.output.contains("UpdateTrip"), "\(run.output)")
        #expect(run.errors.split(separator: "\n").count == 1 && run.errors.contains("Line 3"), "\(run.errors)")
    }

    @Test func `reads a truncated log from its beginning`() async throws {
        // The new log is shorter than what was read, however late the program looks at it.
        let emptyLines = Self.ride[1].utf8.count
        let run = try await follow(["--follow", "--output", "plain"], emptyLines: emptyLines) { running, log in
            try await running.outputs("CreateTrip")
            let handle = try FileHandle(forWritingTo: log)
            try handle.truncate(atOffset: 0)
            try handle.close()
            try Self.append(Self.ride[1] + "\n", to: log)
            try await running.outputs("UpdateTrip")
            running.interrupt()
        }
        #expect(run.status == 130 && run.errors.isEmpty, "\(run.errors)")
    }

    @Test func `follows a log behind a link`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "files/log")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data((Self.ride[0] + "\n").utf8).write(to: file)
            let link = folder.appending(path: "link")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            let running = try Program.start(["watch", "--log", link.path, "--follow", "--output", "plain"], in: folder)
            try await running.outputs("CreateTrip")
            try Self.append(Self.ride[1] + "\n", to: file)
            try await running.outputs("UpdateTrip")
            running.interrupt()
            #expect(try await running.result().status == 130)
        }
    }

    @Test(arguments: [[], ["--once"]])
    func `without --follow it ends at the present end of the log`(flags: [String]) async throws {
        let run = try await follow(["--output", "json"] + flags) { _, _ in }
        #expect(run.status == 0 && run.output.contains(#""outcome":"log_ended""#), "\(run.errors)")
    }

    @Test(arguments: [["--log", "-"], ["trip-1"], ["--log", "file", "--once"]])
    func `--follow needs a file and more than its last state`(flags: [String]) async throws {
        let run = try await Program.run(["watch", "--follow"] + flags)
        #expect(run.status == 64 && run.errors.contains("--log FILE"), "\(run.errors)")
    }

    @Test func `the screen goes on with the log`() async throws {
        try await Program.withFolder { folder in
            let log = folder.appending(path: "log")
            try Data((Self.ride[0] + "\n").utf8).write(to: log)
            try await PseudoTerminal.run([Program.path, "watch", "--log", log.path], width: 120, height: 40) {
                terminal in
                try await terminal.wait(for: "CreateTrip")
                try Self.append(Self.ride.dropFirst().joined(separator: "\n") + "\n", to: log)
                try await terminal.wait(for: "The rider got NEW although")
                terminal.send("q")
                #expect(try await terminal.end() == .exited(0))
            }
        }
    }

    @Test func `standard input is read even if there is a file with its name`() async throws {
        try await Program.withFolder { folder in
            try Data("{}\n".utf8).write(to: folder.appending(path: "-"))
            try Data((Self.ride[0] + "\n").utf8).write(to: folder.appending(path: "log"))
            let command = "cd '\(folder.path)' && cat log | '\(Program.path)' watch --log -"
            try await PseudoTerminal.run(["/bin/sh", "-c", command], width: 120, height: 40) { terminal in
                try await terminal.wait(for: "CreateTrip")
                terminal.send("q")
                #expect(try await terminal.end() == .exited(0))
            }
        }
    }

    @Test(arguments: ["mkfifo log && exec 3<>log && log --output json", "touch log && log --output plain --follow"])
    func `a timeout before the first entry is a failure`(command: String) async throws {
        try await Program.withFolder { folder in
            let log = "log() { '\(Program.path)' watch --log log --timeout 0.5 \"$@\"; }"
            let run = try await Program.run(executable: "/bin/sh", ["-c", "cd '\(folder.path)'; \(log); \(command)"])
            #expect(run.status == 69 && run.errors.contains("--timeout"), "\(run.errors)")
        }
    }

    // MARK: Reading

    @Test func `one file after the other, whole and in order`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "growing-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // A folder that stays in the temporary folder fails no test.
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "log")
        var file = GrowingFile(path.path)
        defer { file.close() }
        func read(_ count: Int = 4) -> String {
            var text: [UInt8] = []
            while true {
                let piece = file.next(count)
                if piece.isEmpty { return String(decoding: text, as: UTF8.self) }
                text += piece
            }
        }
        #expect(read().isEmpty)
        try Data("first\nsec".utf8).write(to: path)
        #expect(read() == "first\nsec")
        try Self.append("ond\n", to: path)
        #expect(read() == "ond\n" && read().isEmpty)
        // Replaced while something is left to read.
        try Self.append("torn", to: path)
        try FileManager.default.moveItem(at: path, to: folder.appending(path: "old"))
        #expect(read() == "torn" && read().isEmpty)
        try Data("new\n".utf8).write(to: path)
        #expect(read() == "\nnew\n")
        // Truncated and written again.
        let handle = try FileHandle(forWritingTo: path)
        try handle.truncate(atOffset: 0)
        #expect(read().isEmpty)
        try handle.write(contentsOf: Data("x\n".utf8))
        try handle.close()
        #expect(read().contains("x\n"))
    }

    @Test func `what is appended just before a replacement is read first`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "growing-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // A folder that stays in the temporary folder fails no test.
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "log")
        try Data("first\n".utf8).write(to: path)
        var replace: (() throws -> Void)?
        var file = GrowingFile(path.path) {
            // Between the read at the end and the look at the path.
            #expect(throws: Never.self) { try replace?() }
            replace = nil
            return GrowingFile.Identity(path: $0)
        }
        defer { file.close() }
        #expect(String(decoding: file.next(100), as: UTF8.self) == "first\n")
        replace = {
            try Self.append("last\n", to: path)
            try FileManager.default.moveItem(at: path, to: folder.appending(path: "old"))
            try Data("new\n".utf8).write(to: path)
        }
        #expect(String(decoding: file.next(100), as: UTF8.self) == "last\n")
        #expect(String(decoding: file.next(100), as: UTF8.self) == "new\n")
        #expect(file.next(100).isEmpty)
    }
}
