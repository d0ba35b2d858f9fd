import Foundation
import Testing
import TripTestSupport

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

    @Test func `standard input removes trips`() async throws {
        try await EmulatedEngine.run(["--speed", "100"]) { ready, _ in
            // The other trips do not exist: without being removed, they would be waited for and end the program with 66.
            let run = try await Program.run(
                ["watch", "--emulator", ready, "--trips-file", "-", "--output", "json"],
                input: "unknown-1\ntrip-1\nproviders/tripshare-demo/trips/-7\n-unknown-1\n- -7\n-never-1 # unknown\n"
            )
            #expect(run.status == 0, "\(run.errors)")
            #expect(
                run.lines.contains { $0.contains("unknown-1") && $0.contains("\"outcome\":\"left\"") },
                "\(run.output)"
            )
            #expect(run.lines.contains { $0.contains("\"-7\"") && $0.contains("\"outcome\":\"left\"") })
            #expect(run.errors.contains("Line 6") && run.errors.contains("‘never-1’"))
            #expect(!run.errors.contains("unknown-1"))
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
