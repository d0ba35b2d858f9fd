import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Remarks in recordings", .ends(within: .quickTest))
struct RecordedRemarkTests {
    private static let moment = Moment(wall: Date(timeIntervalSince1970: 1_773_476_100), steady: .seconds(100))

    private static func remarks() throws -> [SessionRemark] {
        let noted = moment.wall.addingTimeInterval(-20)
        let trip = try TripID("tr-1")
        return [
            SessionRemark(
                .note("the map is empty"),
                at: noted,
                journey: .trip(trip),
                status: .trip(.enrouteToPickup),
                screen: ["╭─ Map ─╮", "│       │"]
            ),
            SessionRemark(.mark, at: noted, journey: .trip(trip)),
            SessionRemark(.fault("latency", isActive: true), at: moment.wall),
            SessionRemark(.caption("The taxi comes.", while: "status ENROUTE_TO_PICKUP"), at: moment.wall),
        ]
    }

    @Test func `are read as they were written`() throws {
        for remark in try Self.remarks() {
            let line = RecordingLine.bytes(RecordedEvent(.init(remark), at: Self.moment))
            #expect(try SessionRemark(RecordingLine.event(line.dropLast())) == remark)
        }
    }

    @Test func `contain no token`() throws {
        let signature = String("Rm5vQp9xLm2nRt8wYb4cHd7fJg5sKa1eUo6iXz0VqNyTrBhCwE".reversed())
        KnownSecrets.ofProcess.add(token: "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhIn0.\(signature)")
        let remark = SessionRemark(.note("see \(signature)"), at: Self.moment.wall, screen: ["a \(signature) b"])
        let line = String(
            decoding: RecordingLine.bytes(RecordedEvent(.init(remark), at: Self.moment)),
            as: UTF8.self
        )
        #expect(!line.contains(signature.dropFirst(8).prefix(16)))
        #expect(line.contains("<token>"))
    }

    @Test func `a note without the new members, as format 1.0 has it, is read`() throws {
        let line = #"{"type":"note","at":1,"time":"2026-01-01T00:00:00Z","kind":"note","text":"a"}"#
        let remark = try #require(try SessionRemark(RecordingLine.event(line.utf8)))
        #expect(remark.content == .note("a") && remark.journey == nil && remark.screen.isEmpty)
    }

    @Test func `an excerpt has the minutes before a time and is a recording`() throws {
        let events = (0..<40).map { minute in
            let time = Moment(
                wall: Self.moment.wall.addingTimeInterval(Double(minute) * 60),
                steady: .seconds(minute * 60)
            )
            return RecordedEvent(.note(RecordedNote(.note, "\(minute)")), at: time)
        }
        var reader = try RecordingReader(bytes: recordingText(events))
        // The position of the reader does not matter.
        for _ in 0..<30 { _ = reader.next() }
        var excerpt = try RecordingReader(bytes: reader.excerpt(before: .seconds(20 * 60)))
        var texts: [String] = []
        while let event = excerpt.next() {
            if case .note(let note) = event.content { texts.append(note.text) }
        }
        #expect(texts == (5...20).map(String.init))
        #expect(excerpt.header.start.steady == 300)
        #expect(excerpt.skippedCount == 0)
    }
}
