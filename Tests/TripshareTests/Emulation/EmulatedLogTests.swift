import Foundation
import Testing
import TripTestSupport

/// `tripshare emulate --log`.
@Suite("Log of the emulator", .ends(within: .longTest))
struct EmulatedLogTests {
    @Test func `a followed ride can be read from the log while the emulator runs, and replayed`() async throws {
        try await Program.withFolder { folder in
            let log = folder.appendingPathComponent("calls.ndjson").path
            try await EmulatedEngine.run(["--speed", "60", "--log", log]) { ready, _ in
                let watch = try await Program.run(
                    ["watch", "--emulator", ready, "--output", "json", "--until", "COMPLETE"]
                )
                #expect(watch.status == 0, "\(watch.errors)")
                let live = try await Program.run(["watch", "--log", log, "--output", "plain", "--until", "COMPLETE"])
                #expect(live.status == 0, "\(live.errors)")
                #expect(live.output.contains("trip-1"))
            }
            let export = try await Program.run(["export", log, "--format", "geojson"])
            #expect(export.status == 0 && export.output.contains("\"trip-1\""), "\(export.errors)")
            try await readCalls(of: log)
        }
    }

    /// Lists the calls of a log and exports them.
    private func readCalls(of log: String) async throws {
        let all = try await Program.run(["calls", log, "--output", "json"])
        #expect(all.status == 0 && all.errors.isEmpty, "\(all.errors)")
        let lines = try all.lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let polls = lines.filter { $0["operation"] as? String == "GetTrip" }
        #expect(
            !polls.isEmpty && polls.allSatisfy { $0["from"] as? String == "rider" && $0["id"] as? String == "trip-1" }
        )
        #expect(lines.contains { $0["operation"] as? String == "UpdateVehicle" && $0["from"] as? String == "driver" })
        #expect(
            lines.allSatisfy { $0["latencyMs"] == nil && $0["credential"] == nil && $0["outcome"] as? String == "ok" }
        )
        let filtered = try await Program.run(["calls", log, "--filter", "op:GetTrip from:rider"])
        #expect(filtered.lines.count == polls.count + 1, "a heading, and a line for each")
        let archive = try await Program.run(["export", log, "--format", "har"])
        #expect(archive.status == 0 && archive.output.contains("\"UpdateVehicle\""), "\(archive.errors)")
    }

    @Test func `an existing file is not overwritten`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("calls.ndjson")
            try Data("kept".utf8).write(to: file)
            let run = try await Program.run(["emulate", "--log", file.path])
            #expect(run.status == 74 && run.errors.contains("already exists"), "\(run.errors)")
            #expect(try Data(contentsOf: file) == Data("kept".utf8))
            let missing = try await Program.run(["emulate", "--log", folder.path + "/none/calls"])
            #expect(missing.status == 74 && missing.errors.contains("can't be written"), "\(missing.errors)")
        }
    }

    @Test func `a start that failed leaves no empty log`() async throws {
        try await EmulatedEngine.run([]) { ready, object in
            let port = try #require((object["fleetEngineURL"] as? String)?.split(separator: ":").last)
            let log = ready + ".calls"
            let run = try await Program.run(["emulate", "--port", "\(port)", "--log", log])
            #expect(run.status == 69, "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: log))
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"))
    func `a full disk ends the log, not the emulator`() async throws {
        try await Program.withFolder { folder in
            let ready = folder.appendingPathComponent("ready.json")
            let emulator = try Program.start(
                ["emulate", "--ready-file", ready.path, "--log", "/dev/full"],
                in: folder
            )
            defer { emulator.terminate() }
            _ = try await FileArrival.wait(for: ready, from: emulator)
            let watch = try await Program.run(["watch", "--emulator", ready.path, "--output", "plain", "--once"])
            #expect(watch.status == 0, "\(watch.errors)")
            emulator.terminate()
            let run = try await emulator.result()
            #expect(run.errors.components(separatedBy: "no longer written").count == 2, "\(run.errors)")
        }
    }
}
