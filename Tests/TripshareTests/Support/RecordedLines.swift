import Foundation
import Recording
import Runtime
import Synchronization
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import tripshare

/// The lines of `--output json` about a recording, as a session writes them.
enum RecordedLines {
    private static let folder = Checkout.folder.appending(path: "Tests/TripshareTests")

    /// Returns a packed file among those of these tests.
    static func unpacked(_ name: String) async throws -> String {
        let run = try await Program.run(executable: "/usr/bin/gzip", ["-dc", folder.appending(path: name).path])
        try #require(run.status == 0, "\(name): \(run.errors)")
        return run.output
    }

    /// Returns what a session writes about the events of a recording, each at its time.
    static func all(of recording: String) throws -> [String] {
        var reader = try RecordingReader(bytes: Array(recording.utf8))
        let provider = try ProviderID(reader.header.configuration.provider)
        var player = RecordingPlayer(provider: provider)
        let lines = LineList()
        var output = JSONOutput(host: reader.header.configuration.host, provider: provider) { lines.add($0) }
        let trips = try reader.header.configuration.trips.map { try JourneyID(named: $0) }
        var (completion, table) = (CompletionTracker(goal: .end, trips: trips), JourneyTable())
        while let event = reader.next() {
            let now = event.moment
            guard let item = player.item(of: event).flatMap({ SessionItem(played: $0, at: now) }) else { continue }
            let changes = table.apply(item)
            _ = SessionRunner.pass(item, changes, table, to: &output, &completion)
        }
        return lines.all
    }
}

/// The lines that an output wrote.
private final class LineList: Sendable {
    private let lines = Locked<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) { lines.withLock { $0.append(line) } }
}
