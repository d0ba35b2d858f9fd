import Foundation
import Testing
import TripTestSupport

@testable import tripshare

@Suite("tripshare watch --trips-file", .ends(within: .longTest))
struct TripsFileTests {
    private func trips(_ output: String) throws -> Set<String> {
        let lines = try output.split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        return Set(lines.compactMap { $0["type"] as? String == "poll" ? $0["trip"] as? String : nil })
    }

    @Test func `polls the trips of standard input until they end`() async throws {
        try await EmulatedEngine.run(["--speed", "100"]) { ready, _ in
            let run = try await Program.run(
                ["watch", "--emulator", ready, "--trips-file", "-", "--output", "json"],
                input: "# the ride\n\ntrip-1\ntrip-1 # again\n"
            )
            #expect(run.status == 0, "\(run.errors)")
            #expect(try trips(run.output) == ["trip-1"])
            #expect(run.lines.last?.contains("\"outcome\":\"reached\"") == true)
        }
    }

    @Test func `an object removes a trip from standard input, and a line that begins with a hyphen adds one`()
        async throws
    {
        try await EmulatedEngine.run(["--speed", "100"]) { ready, _ in
            // The other trips do not exist: without being removed, they would be waited for and end the program with 66.
            let run = try await Program.run(
                ["watch", "--emulator", ready, "--trips-file", "-", "--output", "json"],
                input: """
                    unknown-1
                    {"add": "trip-1"}
                    -7
                    {}
                    {"remove": "unknown-1"}
                      {"remove":"trips/-7"}
                    {"remove": "{}"}
                    {"remove": "never-1"}
                    {"delete": "trip-1"}
                    {"remove": "trip-1", "add": "trip-1"}
                    {"remove": 1}
                    {"remove": "trip-1
                    {"remove": "trip-1#"}

                    """
            )
            #expect(run.status == 0, "\(run.errors)")
            #expect(
                run.lines.contains { $0.contains("unknown-1") && $0.contains("\"outcome\":\"left\"") },
                "\(run.output)"
            )
            for trip in ["-7", "{}"] {
                #expect(run.lines.contains { $0.contains("\"\(trip)\"") && $0.contains("\"outcome\":\"left\"") })
            }
            #expect(run.errors.contains("Line 8") && run.errors.contains("‘never-1’"))
            for line in 9...13 { #expect(run.errors.contains("Line \(line) "), "\(run.errors)") }
            #expect(!run.errors.contains("unknown-1"))
            #expect(run.lines.contains { $0.contains("\"trip-1\"") && $0.contains("\"outcome\":\"reached\"") })
        }
    }

    @Test func `adds and removes trips when the file changes`() async throws {
        try await EmulatedEngine.run(["--speed", "20"]) { ready, _ in
            try await Program.withFolder { folder in
                let file = folder.appendingPathComponent("trips.txt")
                try Data("unknown-1\n".utf8).write(to: file)
                let watch = try Program.start(
                    [
                        "watch", "--emulator", ready, "--trips-file", file.path, "--output", "json", "--until",
                        "ENROUTE_TO_PICKUP", "--timeout", "600",
                    ],
                    in: folder
                )
                // The file may change before or after the program has read it. The end is the same.
                try Data("unknown-1\ntrip-1\n".utf8).write(to: file, options: .atomic)
                try Data("trip-1\n".utf8).write(to: file, options: .atomic)
                let run = try await watch.result()
                #expect(run.status == 0, "\(run.errors)")
                #expect(try trips(run.output).contains("trip-1"))
                #expect(run.lines.last?.contains("trip-1") == true)
            }
        }
    }

    @Test func `a line of a file is a trip, also one that begins with a hyphen`() async throws {
        try await EmulatedEngine.run(["--speed", "100"]) { ready, _ in
            try await Program.withFolder { folder in
                let file = folder.appendingPathComponent("trips.txt")
                try Data("-7\ntrip-1\n".utf8).write(to: file)
                let run = try await Program.run([
                    "watch", "--emulator", ready, "--trips-file", file.path, "--output", "json", "--once",
                ])
                #expect(try trips(run.output).isSuperset(of: ["-7", "trip-1"]), "\(run.errors)")
                try Data("{\"remove\": \"trip-1\"}\n".utf8).write(to: file)
                let object = try await Program.run([
                    "watch", "--emulator", ready, "--trips-file", file.path, "--output", "json", "--once",
                ])
                #expect(object.status == 65, "\(object.errors)")
            }
        }
    }

    @Test(
        arguments: [
            ("trip-1", .add("trip-1")), ("-1 # new", .add("-1")), (" { } ", .add("{ }")),
            ("{\"add\":\"-1\"}", .add("-1")),
            ("{\"add\":\" a\\nb \"}", .add(" a\nb ")), ("{\"remove\": \"trips/-1\"}", .remove("trips/-1")),
            ("{\"remove\": \"a#\"}", .remove("a#")), ("{\"a\":\"b\"}", .invalid), ("{\"add\":[]}", .invalid),
            ("{:}", .invalid),
            ("", nil), ("  # {\"add\": \"a\"}", nil),
        ] as [(String, TripsLine?)]
    )
    func `a line of standard input adds or removes a trip`(line: String, change: TripsLine?) {
        #expect(TripsLine(line) == change)
    }

    @Test func `waits for a file without any trip`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("trips.txt")
            try Data("\n# nothing yet\n".utf8).write(to: file)
            let run = try await Program.runInProcess([
                "watch", "--provider-id", "p", "--token-env", "X", "--trips-file", file.path, "--timeout", "0.5",
            ])
            #expect(run.status == 0)
            #expect(run.output.isEmpty)
        }
    }

    @Test(arguments: ["", "# no trip yet\n"])
    func `an empty file ends a single poll with a message`(content: String) async throws {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("trips.txt")
            try Data(content.utf8).write(to: file)
            let run = try await Program.runInProcess([
                "watch", "--provider-id", "p", "--token-env", "X", "--trips-file", file.path, "--once",
            ])
            #expect(run.status == 65)
            #expect(run.errors.contains("names no trip") && run.errors.contains("--once"), "\(run.errors)")
        }
    }

    @Test(
        arguments: [
            ("a:b\n", 65), ("providers/q/trips/t\n", 65), ("\u{FFFD}\u{0}", 0), (String(repeating: "x", count: 65), 65),
        ] as [(String, Int32)]
    )
    func `reports a line that is not a trip`(content: String, status: Int32) async throws {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("trips.txt")
            try Data(content.utf8).write(to: file)
            let run = try await Program.runInProcess([
                "watch", "--provider-id", "p", "--token-env", "X", "--trips-file", file.path, "--once",
            ])
            #expect(status == 0 || run.status == status, "\(run.errors)")
            #expect(!run.errors.isEmpty)
        }
    }

    @Test func `reports a missing file, and standard input for both keys and trips`() async throws {
        let missing = try await Program.run([
            "watch", "--provider-id", "p", "--token-env", "X", "--trips-file", "/no/such/file",
        ])
        #expect(missing.status == 66)
        let both = try await Program.run([
            "watch", "--provider-id", "p", "--token-env", "X", "--trips-file", "-", "--output", "tui",
        ])
        #expect(both.status == 64)
    }
}
