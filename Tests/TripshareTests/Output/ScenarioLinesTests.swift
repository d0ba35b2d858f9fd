import FleetEmulator
import Foundation
import Testing
import TripTestSupport

/// The lines of `--output json` about all scenarios: their keys and values only change on purpose.
///
/// `UPDATE_LINES=1` with `--filter ScenarioLinesTests` writes the files again.
@Suite("JSON lines of all scenarios", .ends(within: .longTest))
struct ScenarioLinesTests {
    private static let folder = Checkout.folder.appending(path: "Tests/TripshareTests")
    private static let updates = ProcessInfo.processInfo.environment["UPDATE_LINES"] != nil

    @Test(arguments: Scenario.names)
    func `are the stored ones`(scenario: String) async throws {
        let lines = try RecordedLines.all(of: try await RecordedLines.unpacked("Recordings/\(scenario).ndjson.gz"))
        if Self.updates { try await Self.write(lines, of: scenario) }
        let recorded = try await RecordedLines.unpacked("Lines/\(scenario).ndjson.gz").split(separator: "\n").map(
            String.init
        )
        #expect(lines.count == recorded.count)
        for (number, (line, known)) in zip(lines, recorded).enumerated() where line != known {
            Issue.record("line \(number + 1): \(line)\ninstead of: \(known)")
            break
        }
    }

    private static func write(_ lines: [String], of scenario: String) async throws {
        let file = folder.appending(path: "Lines/\(scenario).ndjson.gz")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try await Program.withFolder { folder in
            let plain = folder.appending(path: "lines")
            try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: plain)
            let gzip = try await Program.run(executable: "/usr/bin/gzip", ["-9n", plain.path])
            try #require(gzip.status == 0, "\(gzip.errors)")
            // It does not exist when it is written for the first time.
            _ = try? FileManager.default.removeItem(at: file)
            try FileManager.default.moveItem(at: URL(filePath: plain.path + ".gz"), to: file)
        }
    }

    @Test func `no file is left of a scenario that does not exist any more`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.appending(path: "Lines").path)
        #expect(Set(files) == Set(Scenario.names.map { "\($0).ndjson.gz" }))
    }
}
