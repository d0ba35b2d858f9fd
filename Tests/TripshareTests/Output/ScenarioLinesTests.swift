import FleetEmulator
import Foundation
import Recording
import Runtime
import Synchronization
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import tripshare

/// The lines of `--output json` about all scenarios: their keys and values only change on purpose.
///
/// `UPDATE_LINES=1` with `--filter ScenarioLinesTests` writes the files again.
@Suite("JSON lines of all scenarios", .ends(within: .minutes(10)))
struct ScenarioLinesTests {
    private static let folder = Checkout.folder.appending(path: "Tests/TripshareTests")
    private static let updates = ProcessInfo.processInfo.environment["UPDATE_LINES"] != nil

    private static func unpacked(_ name: String) async throws -> String {
        let run = try await Program.run(executable: "/usr/bin/gzip", ["-dc", folder.appending(path: name).path])
        try #require(run.status == 0, "\(name): \(run.errors)")
        return run.output
    }

    /// Returns what a session writes about the events of a recording, each at its time.
    private static func lines(of recording: String) throws -> [String] {
        var reader = try RecordingReader(bytes: Array(recording.utf8))
        let provider = try ProviderID(reader.header.configuration.provider)
        var player = RecordingPlayer(provider: provider)
        let lines = LineList()
        var output = JSONOutput(host: reader.header.configuration.host, provider: provider) { lines.add($0) }
        let trips = try reader.header.configuration.trips.map { try JourneyID(named: $0) }
        var (completion, table) = (CompletionTracker(goal: .end, trips: trips), JourneyTable())
        while let event = reader.next() {
            let now = event.moment
            if let remark = SessionRemark(event) { output.update(remark, at: now) }
            let content: SessionItem.Content? =
                switch player.item(of: event) {
                case .token(let token, _)?: .token(token)
                case .search(let search)?: .search(search)
                case .feed(let feed)?: .feed(feed)
                case nil: nil
                }
            guard let item = content.map({ SessionItem($0, at: now) }) else { continue }
            let changes = table.apply(item)
            _ = SessionRunner.pass(item, changes, table, to: &output, &completion)
        }
        return lines.all
    }

    @Test(arguments: Scenario.names)
    func `are the kept ones`(scenario: String) async throws {
        let lines = try Self.lines(of: try await Self.unpacked("Recordings/\(scenario).ndjson.gz"))
        if Self.updates { try await Self.write(lines, of: scenario) }
        let kept = try await Self.unpacked("Lines/\(scenario).ndjson.gz").split(separator: "\n").map(String.init)
        #expect(lines.count == kept.count)
        for (number, (line, known)) in zip(lines, kept).enumerated() where line != known {
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

/// The lines that an output wrote.
private final class LineList: Sendable {
    private let lines = Locked<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) { lines.withLock { $0.append(line) } }
}
