import Foundation
import Testing
import TransportLive
import TripTestSupport

/// `tripshare track` against an emulator.
@Suite("Track command", .ends(within: .longTest))
struct TrackCommandTests {
    /// Starts an emulator with a van.
    private static func withVan(
        _ arguments: [String] = [],
        _ body: @escaping @Sendable (_ ready: String, HandDrivenVan) async throws -> Void
    ) async throws {
        try await EmulatedEngine.run(arguments) { path, ready in
            let texts = ready.compactMapValues { $0 as? String }
            try await withLiveHTTPTransport { transport in
                try await body(path, HandDrivenVan(texts, over: transport))
            }
        }
    }

    private static func lines(_ output: String, _ type: String) throws -> [[String: Any]] {
        try output.split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }.filter { $0["type"] as? String == type }
    }

    @Test(arguments: ["rest", "grpc"])
    func `shows what the recipient sees, and what is hidden`(_ transport: String) async throws {
        try await Self.withVan(["--grpc-port", "0"]) { ready, van in
            try await van.create("t-1", for: "s-1")
            let track = ["track", "s-1", "--emulator", ready, "--transport", transport, "--once", "--output", "json"]
            func shipment() async throws -> [String: Any] {
                let run = try await Program.run(track)
                #expect(run.status == 0, "\(run.errors)")
                let line = try #require(try Self.lines(run.output, "trip").last)
                #expect(line["trip"] as? String == "taskTrackingInfo/s-1")
                #expect(try Self.lines(run.output, "poll").last?["call"] as? String == "GetTaskTrackingInfo")
                return try #require(line["shipment"] as? [String: Any]).merging(line) { own, _ in own }
            }
            let early = try await shipment()
            #expect(early["state"] as? String == "OPEN" && early["status"] as? String == "OPEN")
            #expect((early["hidden"] as? [String])?.count == 6 && early["location"] == nil && early["stopsLeft"] == nil)
            try await van.drive(to: ["t-1"])
            let shown = try await shipment()
            #expect(shown["stopsLeft"] as? Int == 1 && shown["location"] != nil && shown["eta"] != nil)
            #expect(shown["hidden"] as? [String] == [])
            try await van.finish("t-1", "FAILED")
            let failed = try await shipment()
            #expect(failed["status"] as? String == "FAILED" && failed["outcome"] as? String == "FAILED")
        }
    }

    @Test func `follows a shipment to its end and says what happened`() async throws {
        try await Self.withVan { ready, van in
            try await van.create("t-1", for: "s-1")
            try await van.drive(to: ["t-1"])
            try await Program.withFolder { folder in
                let program = try Program.start(["track", "s-1", "--emulator", ready, "--interval", "1"], in: folder)
                defer { program.terminate() }
                try await program.outputs("You are the next stop")
                try await van.finish("t-1", "SUCCEEDED")
                try await program.outputs("Handed over.")
                try await van.drive(to: [])
                let run = try await program.result()
                #expect(run.status == 0, "\(run.errors)")
                #expect(run.output.contains("Handed over."))
                #expect(!run.output.contains("Pickup") && !run.output.contains("driver"), "\(run.output)")
            }
        }
    }

    @Test func `a trip and a shipment with the same ID are followed side by side with a token each`() async throws {
        try await Self.withVan { ready, van in
            try await van.create("t-1", for: "trip-1")
            for command in [["track", "trip-1", "trips/trip-1"], ["watch", "trip-1", "taskTrackingInfo/trip-1"]] {
                let run = try await Program.run(command + ["--emulator", ready, "--once", "--output", "json"])
                #expect(run.status == 0, "\(run.errors)")
                let trips = try Self.lines(run.output, "trip").compactMap { $0["trip"] as? String }
                #expect(Set(trips) == ["trip-1", "taskTrackingInfo/trip-1"])
                let tokens = try Self.lines(run.output, "token").filter { $0["event"] as? String == "stored" }
                #expect(Set(tokens.compactMap { $0["trip"] as? String }) == Set(trips) && tokens.count == 2)
            }
        }
    }

    @Test func `a recording shows the same shipment when it is played`() async throws {
        try await Self.withVan { ready, van in
            try await van.create("t-1", for: "s-1")
            try await van.drive(to: ["t-1"])
            try await Program.withFolder { folder in
                let file = folder.appendingPathComponent("s.ndjson").path
                let live = try await Program.run([
                    "track", "s-1", "--emulator", ready, "--once", "--output", "json", "--record", file,
                ])
                #expect(live.status == 0, "\(live.errors)")
                let played = try await Program.run(["replay", file, "--speed", "600", "--output", "json"])
                #expect(played.status == 0, "\(played.errors)")
                func shipment(_ output: String) throws -> NSDictionary? {
                    try Self.lines(output, "trip").last?["shipment"] as? NSDictionary
                }
                #expect(try shipment(live.output) != nil)
                #expect(try shipment(live.output) == shipment(played.output))
                let check = try await Program.run(["verify", file])
                #expect(check.status == 0, "\(check.output)")
            }
        }
    }

    @Test func `a shipment that does not exist is named as one, with what to check`() async throws {
        try await Self.withVan { ready, _ in
            let run = try await Program.run(["track", "s-9", "--emulator", ready, "--wait", "0"])
            #expect(run.status == 66, "\(run.errors)")
            #expect(run.errors.contains("shipment s-9") && run.errors.contains("tracking ID"), "\(run.errors)")
            #expect(!run.errors.contains("trip ") && !run.output.contains("trip s-9"), "\(run.output)\(run.errors)")
        }
    }

    @Test func `--until waits for a status of the shipment`() async throws {
        try await Self.withVan { ready, van in
            try await van.create("t-1", for: "s-1")
            try await van.drive(to: ["t-1"])
            try await van.finish("t-1", "FAILED")
            let run = try await Program.run([
                "track", "s-1", "--emulator", ready, "--until", "FAILED", "--timeout", "60",
            ])
            #expect(run.status == 0, "\(run.errors)")
            try await van.drive(to: [])
            let other = try await Program.run([
                "track", "s-1", "--emulator", ready, "--until", "SUCCEEDED", "--wait", "0", "--interval", "1",
            ])
            #expect(other.status == 1 && other.errors.contains("FAILED"), "\(other.status) \(other.errors)")
        }
    }

    @Test func `the URL of --tracking-token-url is used for shipments alone`() async throws {
        try await EmulatedEngine.run([]) { _, ready in
            let texts = ready.compactMapValues { $0 as? String }
            try await withLiveHTTPTransport { transport in
                let van = try await HandDrivenVan(texts, over: transport)
                try await van.create("t-1", for: "s-1")
                let service = [
                    "--fleet-engine-url", try #require(texts["fleetEngineURL"]),
                    "--provider-id", try #require(texts["providerId"]), "--once",
                ]
                let (trips, shipments) = (try #require(texts["tokenURL"]), try #require(texts["trackingTokenURL"]))
                let both = try await Program.run(
                    ["track", "s-1", "trips/trip-1", "--token-url", trips, "--tracking-token-url", shipments] + service
                )
                #expect(both.status == 0, "\(both.errors)")
                let alone = try await Program.run(["track", "s-1", "--tracking-token-url", shipments] + service)
                #expect(alone.status == 0, "\(alone.errors)")
                let wrong = try await Program.run(["track", "s-1", "--token-url", trips] + service)
                #expect(wrong.status == 78 || wrong.status == 64, "\(wrong.status) \(wrong.errors)")
                let twice = try await Program.run(
                    ["track", "s-1", "--token-env", "T", "--tracking-token-url", shipments] + service
                )
                #expect(twice.status == 64 && twice.errors.contains("--tracking-token-url"))
            }
        }
    }

    @Test func `expectations of a shipment are judged`() async throws {
        try await Self.withVan { ready, van in
            try await van.create("t-1", for: "s-1")
            try await van.drive(to: ["t-1"])
            try await van.finish("t-1", "FAILED")
            try await Program.withFolder { folder in
                for (status, code) in [("FAILED", Int32(0)), ("SUCCEEDED", 1)] {
                    let file = folder.appendingPathComponent("\(status).yaml")
                    try Data("expect:\n  - trip: taskTrackingInfo/s-1\n    status: \(status)\n".utf8).write(to: file)
                    let run = try await Program.run([
                        "track", "s-1", "--emulator", ready, "--once", "--expect", file.path,
                    ])
                    #expect(run.status == code, "\(status): \(run.output) \(run.errors)")
                }
                let file = folder.appendingPathComponent("other.yaml")
                try Data("expect:\n  - trip: s-2\n    status: OPEN\n".utf8).write(to: file)
                let run = try await Program.run(["track", "s-1", "--emulator", ready, "--once", "--expect", file.path])
                #expect(run.status == 65 && run.errors.contains("taskTrackingInfo/s-1"), "\(run.errors)")
            }
        }
    }

    @Test func `doctor checks a shipment, and a hidden vehicle is no mistake`() async throws {
        try await Self.withVan { ready, van in
            try await van.create("t-1", for: "s-1")
            let doctor = ["doctor", "taskTrackingInfo/s-1", "--emulator", ready]
            let early = try await Program.run(doctor)
            #expect(
                early.status == 0 && early.output.contains("By the sender's rules"),
                "\(early.output)\(early.errors)"
            )
            let missing = try await Program.run(["doctor", "taskTrackingInfo/s-9", "--emulator", ready])
            #expect(
                missing.status == 66 && missing.output.contains("shipment s-9"),
                "\(missing.output)\(missing.errors)"
            )
        }
    }

    @Test func `without a tracking ID it says what is missing`() async throws {
        let run = try await Program.run(["track"])
        #expect(run.status == 64 && run.errors.contains("tracking ID"), "\(run.errors)")
    }
}
