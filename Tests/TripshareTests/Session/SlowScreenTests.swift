import Canvas
import FleetTokens
import Foundation
import Recording
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport

@testable import tripshare

/// A screen that reads late leaves out polls; the recording has them all and still gives the same screen.
@Suite("Recording of a slow screen", .ends(within: .longTest))
struct SlowScreenTests {
    /// The header and the events of a kept recording, without its screens.
    private static func ride() async throws -> (header: RecordingHeader, events: [RecordedEvent]) {
        let file = Checkout.folder.appending(path: "Tests/TripshareTests/Recordings/traffic-jam.ndjson.gz")
        let unpacked = try await Program.run(executable: "/usr/bin/gzip", ["-dc", file.path])
        var reader = try RecordingReader(bytes: Array(unpacked.output.utf8))
        var events: [RecordedEvent] = []
        while let event = reader.next() {
            switch event.content {
            case .request, .poll, .search, .schedule, .findings, .omission, .end, .driver, .token: events.append(event)
            case .screen, .key, .size, .clock, .fault, .note, .message: break
            }
        }
        return (reader.header, events)
    }

    /// The text of a view of a screen that reads once after each group of events.
    private static func text(ofView key: String, readingEach count: Int) async throws -> String {
        let (header, events) = try await ride()
        let provider = try ProviderID(header.configuration.provider)
        var player = RecordingPlayer(provider: provider)
        var screen = try #require(ScreenReplay(header, provider: provider))
        for (index, event) in events.enumerated() {
            screen.handle(event, player.item(of: event))
            guard (index + 1) % count == 0 || index == events.count - 1 else { continue }
            let moment = event.moment
            screen.handle(RecordedEvent(.screen(RecordedScreen(seen: index + 1)), at: moment), nil)
        }
        let end = try #require(events.last).moment
        screen.handle(RecordedEvent(.size(RecordedSize(width: 120, height: 120)), at: end), nil)
        screen.handle(RecordedEvent(.key(RecordedKey(key: key)), at: end), nil)
        #expect(screen.isTraced)
        return screen.canvas.text
    }

    /// The number of entries of the event log.
    private static func entries(readingEach count: Int) async throws -> Int {
        try await text(ofView: "7", readingEach: count).split(separator: "\n").count { $0.contains(":") }
    }

    @Test func `a screen that reads each event leaves nothing out`() async throws {
        #expect(try await !Self.text(ofView: "4", readingEach: 1).contains("counted only"))
    }

    @Test func `what a slow screen leaves out is left out again, with its number`() async throws {
        let network = try await Self.text(ofView: "4", readingEach: 40)
        #expect(network.contains("counted only"), "\(network)")
        #expect(try await Self.text(ofView: "7", readingEach: 40).contains("Trip complete"))
        #expect(try await Self.entries(readingEach: 40) < Self.entries(readingEach: 1))
    }
}
