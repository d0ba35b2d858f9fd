import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import Recording

@Suite("Recording format", .ends(within: .quickTest))
struct RecordingFormatTests {
    private let now = Moment(wall: Date(timeIntervalSince1970: 1_767_225_600.25), steady: .milliseconds(12_345))

    private func event(_ content: RecordedEvent.Content) -> RecordedEvent { RecordedEvent(content, at: now) }

    private var schedule: PollSchedule {
        var schedule = PollSchedule(interval: .seconds(5), next: .milliseconds(17_345))
        (schedule.reason, schedule.isPaused, schedule.failures) = (.backOff, true, 3)
        schedule.clampedFrom = .seconds(1)
        return schedule
    }

    /// A report of a driver.
    private static func driverCall(failing: Bool) throws -> Call {
        let fields = "lastLocation,remainingTimeSeconds"
        let url = "http://127.0.0.1:9/v1/providers/acme/vehicles/v1?updateMask=\(fields)"
        let body = #"{"lastLocation":{"location":{"latitude":51,"longitude":3}},"remainingTimeSeconds":60}"#
        let busy = ServiceAnswer(httpStatus: 503, status: "UNAVAILABLE", message: "The service is busy.")
        let answer = Array((failing ? "busy" : "{}").utf8)
        return Call(
            Call.Operation(rawValue: "UpdateVehicle"),
            from: .driver,
            about: RecordingScene.trip.name,
            Call.Request(own: "PUT", url, body: Array(body.utf8), options: nil),
            Call.Answer(status: failing ? 503 : 200, body: answer),
            started: ManualClock().now(),
            ended: ManualClock().now(),
            duration: .nanoseconds(3_749_999),
            failure: failing ? .service(busy, retryAfter: nil) : nil
        )
    }

    @Test func `the report of a driver is played as it was made`() throws {
        for failing in [false, true] {
            let call = try Self.driverCall(failing: failing)
            let recorded = event(.driver(RecordedDriver(journey: RecordingScene.trip, call)))
            var player = RecordingPlayer(provider: RecordingScene.provider)
            let read = try RecordingLine.event(RecordingLine.bytes(recorded).dropLast())
            guard case .feed(.driver(let trip, let played))? = player.item(of: read) else {
                Issue.record("no report: \(read)")
                return
            }
            #expect(trip == RecordingScene.trip)
            #expect(played == call)
        }
    }

    /// A page of a search; a failed one without a call if nothing was sent.
    static func search(
        _ failure: Failure? = nil,
        isSent: Bool = true,
        at now: Moment = ManualClock().now()
    ) -> SearchEvent {
        let url = "https://engine.example/v1/providers/acme/trips:search"
        let began = now.advanced(by: .milliseconds(-125))
        var call = Call(
            .searchTrips,
            about: "",
            Call.Request(own: "POST", url, body: Array(#"{"pageSize":200,"pageToken":"2"}"#.utf8), options: nil),
            Call.Answer(
                status: failure == nil ? 200 : 503,
                headers: [("date", "Thu, 01 Jan 2026 00:00:10 GMT")],
                body: Array(#"{"trips":[\#(RecordingScene.body())]}"#.utf8)
            ),
            started: began,
            ended: now,
            duration: .nanoseconds(3_749_999),
            token: 2,
            failure: failure
        )
        call.cause = .retry
        return SearchEvent(isSent ? call : nil, started: began, finished: now, failure: failure)
    }

    @Test func `a page of a search, a failed one and one without a token are played as they were made`() throws {
        let busy = Failure.service(ServiceAnswer(httpStatus: 503, status: "UNAVAILABLE"), retryAfter: nil)
        for search in [Self.search(), Self.search(busy), Self.search(.sourceTimedOut, isSent: false)] {
            let line = RecordingLine.bytes(event(.search(search))).dropLast()
            var player = RecordingPlayer(provider: RecordingScene.provider)
            guard case .search(let played)? = player.item(of: try RecordingLine.event(line)) else {
                Issue.record("no search: \(String(decoding: line, as: UTF8.self))")
                return
            }
            #expect(played == search && !played.isRequested)
            #expect(String(decoding: line, as: UTF8.self).contains(#""started""#) == (search.call == nil))
        }
    }

    @Test func `a search that the user asked for is marked, one that follows the trips is not`() throws {
        for search in [Self.search(), Self.search(.sourceTimedOut, isSent: false)] {
            let line = RecordingLine.bytes(event(.search(search.requested))).dropLast()
            var player = RecordingPlayer(provider: RecordingScene.provider)
            guard case .search(let played)? = player.item(of: try RecordingLine.event(line)) else {
                Issue.record("no search: \(String(decoding: line, as: UTF8.self))")
                return
            }
            #expect(played == search.requested && played.isRequested)
            #expect(played.call?.cause == search.call?.cause, "a repetition has its own cause")
        }
        var first = Self.search()
        first.call?.cause = nil
        #expect(first.requested.call?.cause == .requested)
    }

    /// One event of each type.
    private func events() async throws -> [RecordedEvent] {
        let scene = RecordingScene()
        let report = try await scene.poll(.init(body: RecordingScene.body()))
        let failed = try await scene.poll(.init(status: 404, body: "gone"))
        let token = TokenEvent(
            context: .journey(RecordingScene.trip),
            at: now,
            kind: .stored(generation: 2),
            status: scene.tokens.status(of: .journey(RecordingScene.trip))
        )
        let finding = Finding(
            time: now.wall,
            journey: RecordingScene.trip,
            rule: FindingRule.all[0],
            severity: .warning,
            evidence: [
                Evidence("a", .seconds(1.5)), Evidence("b", .meters(2)), Evidence("c", .metersPerSecond(3)),
                Evidence("d", .share(0.5)), Evidence("e", .count(7)), Evidence("f", .text("word")),
                Evidence("g", .time(now.wall)),
            ]
        )
        return try [
            .driver(RecordedDriver(journey: RecordingScene.trip, Self.driverCall(failing: true))),
            .request(RecordedRequest(journey: RecordingScene.trip, schedule: schedule)),
            .search(Self.search().requested), .poll(RecordedPoll(report, schedule: schedule)),
            .poll(RecordedPoll(failed, schedule: schedule)),
            .schedule(RecordedScheduleChange(journey: RecordingScene.trip, schedule: schedule)),
            .findings(RecordedFindings(journey: RecordingScene.trip, [finding])),
            .omission(
                RecordedOmission(
                    of: "poll",
                    RecordedSubject(.journey(RecordingScene.trip)),
                    EventOmission(successes: 3, failures: ["HTTP_503": 2])
                )
            ),
            .end(RecordedEnd(trip: "tr-1", .reached(.trip(.complete)))), .end(RecordedEnd(trip: "tr-1", .left)),
            .token(RecordedToken(token)), .key(RecordedKey(key: "c-l")),
            .key(RecordedKey(mouse: "press", x: 3, y: 4)), .size(RecordedSize(width: 120, height: 40)),
            .clock(RecordedClock(speed: 60)),
            .fault(RecordedFault(name: "latency", isActive: true, parameters: ["seconds": "3"])),
            .note(RecordedNote(.mark, "the driver turns \u{202E} around\n")), .screen(RecordedScreen(seen: 3)),
            .screen(
                RecordedScreen(
                    seen: 4,
                    speed: 60,
                    ScreenPicture(width: 80, rows: ["trip-1", "", "⣿ \u{202E}"]).changes(since: nil)
                )
            ), .message(RecordedMessage(.saved, "ride.txt")),
        ].map(event)
    }

    @Test func `every type of event is read as it was written`() async throws {
        let events = try await events()
        var reader = try RecordingReader(bytes: recordingText(events))
        #expect(reader.header == RecordingScene.header)
        var read: [RecordedEvent] = []
        while let event = reader.next() { read.append(event) }
        #expect(read == events)
        #expect(reader.skipped.isEmpty)
        #expect(Set(read.map(\.content.type)) == Set(RecordedEventType.allCases))
    }

    @Test func `a latency is read to the nanosecond, so that a replay rounds it to the same text`() async throws {
        var report = try await RecordingScene().poll(.init(body: RecordingScene.body()))
        for latency in [3_749_999, 3_750_001, 86_400_000_000_001].map(Duration.nanoseconds) {
            report.call?.duration = latency
            var status = TokenStatus(state: .fresh, source: "")
            status.lastFetchDuration = latency
            let poll = RecordedPoll(report, schedule: schedule)
            let read = try RecordingLine.event(RecordingLine.bytes(event(.poll(poll))).dropLast())
            guard case .poll(let played) = read.content else { throw CancellationError() }
            #expect(played.call?.duration == latency)
            let state = RecordedTokenState(status)
            #expect(state.latency.map(Duration.init(recorded:)) == latency)
        }
    }

    @Test func `a line begins with type and times and has no invisible characters`() async throws {
        for event in try await events() {
            let line = String(decoding: RecordingLine.bytes(event), as: UTF8.self)
            let start = #"{"type":"\#(event.content.type.rawValue)","at":12.345,"time":"2026-01-01T00:00:00.250Z","#
            #expect(line.hasPrefix(start))
            #expect(line.hasSuffix("}\n"))
            #expect(line.count { $0 == "\n" } == 1)
            #expect(!line.unicodeScalars.contains { $0.value == 0x202E })
        }
    }

    @Test func `skips a torn last line, unknown types and other text, and counts them`() throws {
        let mark = event(.note(RecordedNote(.mark, "a")))
        var bytes = recordingText([mark])
        bytes += Array("\n\r\n".utf8)
        bytes += Array(#"{"type":"teleport","at":1,"time":"2026-01-01T00:00:00Z"}"#.utf8) + [10]
        bytes += Array("hello\n".utf8)
        bytes += Array(#"{"type":"poll","at":1,"time":"2026-01-01T00:00:00Z"}"#.utf8) + [10]
        bytes += RecordingLine.bytes(mark)
        bytes += RecordingLine.bytes(mark).dropLast(9)
        var reader = try RecordingReader(bytes: bytes)
        #expect(reader.next() == mark)
        #expect(reader.next() == mark)
        #expect(reader.next() == nil)
        #expect(
            reader.skipped == [
                .init(line: 5, problem: .unknownType("teleport")), .init(line: 6, problem: .notJSON),
                .init(line: 7, problem: .unexpected), .init(line: 9, problem: .notJSON),
            ]
        )
        #expect(reader.skippedCount == 4)
    }

    @Test func `a last line without line feed is read`() throws {
        let mark = event(.note(RecordedNote(.mark, "a")))
        var reader = try RecordingReader(bytes: recordingText([mark]).dropLast())
        #expect(reader.next() == mark)
    }

    @Test func `accepts unknown members and newer minor versions and refuses other major ones`() throws {
        let header = String(decoding: RecordingLine.bytes(RecordingScene.header), as: UTF8.self)
        func file(major: Int, minor: Int) -> [UInt8] {
            let newer = header.replacing(
                #""version":{"major":3,"minor":0}"#,
                with: #""version":{"major":\#(major),"minor":\#(minor),"patch":[1]},"later":{"a":null}"#
            )
            #expect(newer != header)
            let line =
                #"{"more":1,"type":"size","width":80,"later":true,"height":24,"at":2,"time":"2026-01-01T00:00:00Z"}"#
            return Array((newer + line + "\n").utf8)
        }
        var reader = try RecordingReader(bytes: file(major: 3, minor: 9))
        #expect(reader.next()?.content == .size(RecordedSize(width: 80, height: 24)))
        let newer = RecordingReader.Failure.newerVersion(.init(major: 4, minor: 0))
        #expect(throws: newer) { try RecordingReader(bytes: file(major: 4, minor: 0)) }
        let older = RecordingReader.Failure.olderVersion(.init(major: 2, minor: 9))
        #expect(throws: older) { try RecordingReader(bytes: file(major: 2, minor: 9)) }
    }

    @Test func `accepts a header with 1,000 trips and refuses larger ones`() throws {
        func header(trips: Int, name: String) -> [UInt8] {
            var header = RecordingScene.header
            header.configuration.trips = (0..<trips).map { "\(name)-\($0)" }
            return RecordingLine.bytes(header)
        }
        #expect(RecordingHeader.mostTrips == 1000)
        let longest = header(trips: 1000, name: String(repeating: "t", count: 60))
        #expect(try RecordingReader(bytes: longest).header.configuration.trips.count == 1000)
        for bytes in [
            header(trips: 1001, name: "t"), header(trips: 100_000, name: "t"),
            header(trips: 1, name: String(repeating: "t", count: RecordingLine.longestHeader)),
        ] {
            #expect(throws: RecordingReader.Failure.headerTooLarge) { try RecordingReader(bytes: bytes) }
        }
    }

    @Test func `says that a file is empty or not a recording`() {
        for text in ["", "\n \n"] {
            #expect(throws: RecordingReader.Failure.empty) { try RecordingReader(bytes: Array(text.utf8)) }
        }
        for text in ["[]", "{}", #"{"type":"header"}"#, "hello", #"{"format":"tripshare-recording"}"#] {
            #expect(throws: RecordingReader.Failure.notRecording) { try RecordingReader(bytes: Array(text.utf8)) }
        }
        #expect(!RecordingReader.isRecording(Array("[]".utf8)))
        #expect(RecordingReader.isRecording(RecordingLine.bytes(RecordingScene.header)))
    }

    @Test func `any cut of a recording is read without a crash`() async throws {
        let bytes = recordingText(try await events())
        for count in stride(from: 0, to: bytes.count, by: 7) {
            guard var reader = try? RecordingReader(bytes: Array(bytes.prefix(count))) else { continue }
            while reader.next() != nil {}
            #expect(reader.skippedCount <= 1)
        }
    }
}
