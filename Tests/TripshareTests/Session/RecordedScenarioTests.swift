import FleetEmulator
import Foundation
import Recording
import Testing
import TripModel
import TripTestSupport
import TripText

@testable import tripshare

/// Recordings of all scenarios, with the screens of their time: this program concludes and shows the same.
///
/// `UPDATE_RECORDINGS=1` with `--filter RecordedScenarioTests` records the scenarios again, after a change of what is shown.
@Suite("Recorded scenarios", .ends(within: .adjustableTest))
struct RecordedScenarioTests {
    private static let folder = Checkout.folder.appending(path: "Tests/TripshareTests/Recordings")
    private static let updates = ProcessInfo.processInfo.environment["UPDATE_RECORDINGS"] != nil

    /// The steps on the screen: each view once; the scenarios take up to half an hour.
    private static let script = """
        wait trip
        pause 3
        key 3
        pause 1
        key 4
        pause 1
        key 5
        pause 1
        key 6
        pause 1
        key 7
        pause 1
        key 2
        pause 1
        key 1
        pause 16
        """

    private static func record(_ scenario: String, to file: URL) async throws {
        try await Program.withFolder { folder in
            let script = folder.appending(path: "script")
            try Data((Self.script + "\n").utf8).write(to: script)
            let recording = folder.appending(path: "\(scenario).ndjson")
            let run = try await Program.run([
                "demo", "--scenario", scenario, "--speed", "60", "--seed", "1", "--interval", "20", "--lang", "en",
                "--script", script.path, "--record", recording.path,
            ])
            #expect(run.status == 0, "\(run.errors)")
            let gzip = try await Program.run(executable: "/usr/bin/gzip", ["-9n", recording.path])
            #expect(gzip.status == 0, "\(gzip.errors)")
            _ = try? FileManager.default.removeItem(at: file)
            try FileManager.default.moveItem(at: URL(filePath: recording.path + ".gz"), to: file)
        }
    }

    @Test(arguments: Scenario.names)
    func `is verified`(scenario: String) async throws {
        let file = Self.folder.appending(path: "\(scenario).ndjson.gz")
        if Self.updates { try await Self.record(scenario, to: file) }
        let unpacked = try await Program.run(executable: "/usr/bin/gzip", ["-dc", file.path])
        try #require(unpacked.status == 0, "UPDATE_RECORDINGS=1 records the scenario: \(unpacked.errors)")
        let reader = try RecordingReader(bytes: Array(unpacked.output.utf8))
        let provider = try ProviderID(reader.header.configuration.provider)
        let result = SessionVerification(reader, provider: provider)
        #expect(result.isEqual, "\(result.text(.english).joined(separator: "\n"))")
        #expect(result.polls > 2 && result.screens > 2 && result.untracedScreens == 0 && result.skipped == 0)
    }

    @Test func `no recording is left of a scenario that does not exist any more, and all are small`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files) == Set(Scenario.names.map { "\($0).ndjson.gz" }))
        let sizes = try files.map { try Data(contentsOf: Self.folder.appending(path: $0)).count }
        #expect(sizes.allSatisfy { $0 < 150_000 } && sizes.reduce(0, +) < 1_500_000, "\(sizes)")
    }
}
