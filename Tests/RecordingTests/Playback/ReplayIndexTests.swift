import Failures
import FleetTokens
import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Index of a recording", .ends(within: .quickTest))
struct ReplayIndexTests {
    private static let start = Moment(wall: Date(timeIntervalSince1970: 1_767_225_600), steady: .seconds(10))

    private static func header() -> [UInt8] {
        RecordingLine.bytes(
            RecordingHeader(
                program: "1",
                start: RecordedMoment(start),
                seed: 1,
                configuration: .init(provider: "acme", service: "https://h", host: "h", trips: ["tr-1"], interval: 5),
                display: .init(width: 80, height: 24, language: "en", units: "metric", output: "tui"),
                zone: .init(offset: 0, name: "UTC", hasTwelveHours: false)
            )
        )
    }

    private static func poll(
        _ second: Double,
        status: String? = nil,
        error: Int? = nil,
        trip: String = "tr-1"
    ) throws
        -> RecordedEvent
    {
        var report = PollReport(journey: try .trip(TripID(trip)), started: start.advanced(by: .seconds(second)))
        report.finished = report.started
        let text = status.map { #"{"name":"providers/acme/trips/\#(trip)","tripStatus": "\#($0)"}"# } ?? "no"
        report.call = .sample(about: trip, status: error ?? 200, body: Array(text.utf8), at: report.started)
        let answer = Trip(
            id: RecordingScene.tripID,
            provider: try ProviderID("acme"),
            status: TripStatus(name: status ?? "NEW")
        )
        report.outcome = error == nil ? .success(.trip(answer)) : .failure(.timedOut)
        let schedule = PollSchedule(interval: .seconds(5), next: nil)
        return RecordedEvent(.poll(RecordedPoll(report, schedule: schedule)), at: report.finished)
    }

    private static func note(_ second: Double, _ text: String) -> RecordedEvent {
        RecordedEvent(.note(RecordedNote(.note, text)), at: start.advanced(by: .seconds(second)))
    }

    private static func index(_ events: [RecordedEvent], _ more: String = "") -> ReplayIndex {
        let bytes = header() + events.flatMap(RecordingLine.bytes) + Array(more.utf8)
        return ReplayIndex(of: RecordingBytes(bytes), start: start)
    }

    @Test func `has the time of each event, the length and the neighbors of a time`() throws {
        let index = Self.index([
            try Self.poll(1, status: "NEW"), Self.note(2, "x"), try Self.poll(6, status: "NEW"),
            RecordedEvent(.size(RecordedSize(width: 1, height: 1)), at: Self.start.advanced(by: .seconds(9))),
        ])
        #expect(index.count == 3 && index.length == .seconds(9) && index.skipped == 0)
        #expect((0..<3).map(index.time(of:)) == [.seconds(1), .seconds(2), .seconds(6)])
        #expect(index.count(until: .seconds(0.9)) == 0 && index.count(until: .seconds(2)) == 2)
        #expect(index.event(after: .seconds(1), pollsOnly: false) == .seconds(2))
        #expect(index.event(after: .seconds(1), pollsOnly: true) == .seconds(6))
        #expect(index.event(before: .seconds(6), pollsOnly: true) == .seconds(1))
        #expect(index.event(before: .seconds(1), pollsOnly: false) == nil)
        #expect(index.event(after: .seconds(6), pollsOnly: true) == nil)
    }

    @Test func `marks status changes, first failures, findings, notes and failed ends`() throws {
        let finding = Finding(
            time: Self.start.wall,
            journey: try .trip(TripID("tr-1")),
            rule: try #require(FindingRule.all.first),
            severity: .error,
            evidence: []
        )
        var note = finding
        note.severity = .info
        func found(_ second: Double, _ finding: Finding) throws -> RecordedEvent {
            RecordedEvent(
                .findings(RecordedFindings(journey: try .trip(TripID("tr-1")), [finding])),
                at: Self.start.advanced(by: .seconds(second))
            )
        }
        let failure = Failure.timedOut
        let index = Self.index([
            try Self.poll(1, status: "NEW"), try Self.poll(2, status: "NEW", trip: "tr-2"),
            try Self.poll(3, status: "ENROUTE_TO_PICKUP"), try Self.poll(4, error: 503), try Self.poll(5, error: 503),
            try Self.poll(6, status: "ENROUTE_TO_PICKUP"), try Self.poll(7, error: 503), try found(8, finding),
            try found(9, note), Self.note(10, "look \"here\""),
            RecordedEvent(
                .end(RecordedEnd(trip: "tr-1", .failed(failure))),
                at: Self.start.advanced(by: .seconds(11))
            ),
        ])
        let marks = index.marks.map { "\(Int($0.at.seconds)) \($0.kind) \($0.detail)" }
        #expect(
            marks == [
                "3 status ENROUTE_TO_PICKUP", "4 error \(failure.nameInJSON)", "7 error \(failure.nameInJSON)",
                "8 finding \(finding.rule.id)", "10 note look \"here\"", "11 error \(failure.nameInJSON)",
            ]
        )
        #expect(index.mark(after: .seconds(4))?.at == .seconds(7) && index.mark(before: .seconds(4))?.at == .seconds(3))
        #expect(index.mark(after: .seconds(11)) == nil && index.mark(before: .seconds(3)) == nil)
    }

    @Test func `marks the first of several failed searches`() throws {
        let busy = Failure.service(ServiceAnswer(httpStatus: 503, status: "UNAVAILABLE"), retryAfter: nil)
        func search(_ second: Double, _ failure: Failure? = nil, isSent: Bool = true) -> RecordedEvent {
            let now = Self.start.advanced(by: .seconds(second))
            let search = RecordingFormatTests.search(failure, isSent: isSent, at: now)
            return RecordedEvent(.search(search.requested), at: now)
        }
        let index = Self.index([
            search(1), search(2, busy), search(3, busy), try Self.poll(4, status: "NEW"), search(5, busy), search(6),
            search(7, busy), search(8, .sourceTimedOut, isSent: false),
        ])
        let marks = index.marks.map { "\(Int($0.at.seconds)) \($0.kind) \($0.detail)" }
        #expect(
            marks == [
                "2 error \(busy.nameInJSON)", "7 error \(busy.nameInJSON)",
                "8 error \(Failure.sourceTimedOut.nameInJSON)",
            ]
        )
    }

    @Test func `damaged, unknown and edited lines are counted or read, and times never decrease`() throws {
        let index = Self.index(
            [try Self.poll(5, status: "NEW"), Self.note(3, "late")],
            """
            { "at": 17, "type": "note", "time": "2026-01-01T00:00:00Z", "kind": "note", "text": "edited" }

            {"type":"unheard","at":18,"time":"2026-01-01T00:00:00Z"}
            {"type":"note","at":19,"ti
            """
        )
        #expect(index.count == 3 && index.skipped == 2)
        #expect((0..<3).map(index.time(of:)) == [.seconds(5), .seconds(5), .seconds(7)])
        #expect(index.marks.map(\.detail) == ["late", "edited"])
    }

    @Test func `a cursor reads the same events as a reader, in pieces of any size`() throws {
        let all = Array(try Data(contentsOf: SampleRide.file))
        var reader = try RecordingReader(bytes: all)
        let start = try #require(reader.header.start.moment)
        let provider = try ProviderID(reader.header.configuration.provider)
        let bytes = RecordingBytes(count: all.count) { Array(all[$0]) }
        let index = ReplayIndex(of: bytes, start: start)
        var cursor = ReplayCursor(bytes, RecordingPlayer(provider: provider), start: start)
        var player = RecordingPlayer(provider: provider)
        var last: TripState?
        while let event = reader.next() {
            let item = player.item(of: event)
            let next = cursor.next(in: index)
            let step = try #require(next)
            #expect(step.moment.wall == event.time && step.items.count == 1)
            guard case .feed(.polled(_, let state, _))? = item else { continue }
            guard case .feed(.polled(_, let other, _))? = step.items.first else {
                Issue.record("no poll")
                return
            }
            #expect(other == state)
            last = other
        }
        #expect(last != nil && cursor.next(in: index) == nil)
        #expect(index.marks.map(\.detail).prefix(2) == ["ENROUTE_TO_PICKUP", "status"])
    }

    @Test func `a line that is too long is left out`() throws {
        let long = #"{"type":"note","at":18,"time":"x","text":""# + String(repeating: "x", count: 9 << 20) + "\"}\n"
        let more = String(decoding: RecordingLine.bytes(Self.note(9, "end")), as: UTF8.self)
        let index = Self.index([Self.note(1, "first")], long + more)
        #expect(index.marks.map(\.detail) == ["first", "end"])
        #expect(index.length == .seconds(9))
    }
}
