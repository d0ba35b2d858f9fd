import Failures
import FleetEmulator
import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

@testable import tripshare

/// A number that traps in a reader ends the process of the tests, so that reading is the check.
@Suite("Extreme numbers", .ends(within: .longTest))
struct ExtremeNumbersTests {
    /// Lines that the kept recordings lack.
    private static let otherLines: [String] = {
        let head = #""at":1,"time":"2026-03-14T08:15:01Z""#
        let subject = #""subject":{"id":"trip-1","kind":"trip"}"#
        let schedule = #"{"failures":0,"interval":5,"isPaused":false,"next":6,"reason":"interval","clampedFrom":1}"#
        return [
            #"{"type":"clock",\#(head),"speed":2}"#,
            #"{"type":"size",\#(head),"width":80,"height":24}"#,
            #"{"type":"key",\#(head),"mouse":"press","x":1,"y":1}"#,
            #"{"type":"schedule",\#(head),"trip":"trip-1","schedule":\#(schedule)}"#,
            #"{"type":"omission",\#(head),"of":"poll",\#(subject),"successes":3,"failures":{"OTHER":2}}"#,
            #"{"type":"omission",\#(head),"of":"token",\#(subject),"successes":3,"failures":{"OTHER":2}}"#,
        ]
    }()

    /// The lines of a kept recording, the shortest first, after its header.
    private static func recorded(_ name: String) async throws -> (header: String, lines: [String]) {
        let lines = String(decoding: try await RecordedReplay.bytes(name), as: UTF8.self).split(separator: "\n")
        let header = String(try #require(lines.first))
        return (header, lines.dropFirst().map(String.init).sorted { $0.utf8.count < $1.utf8.count })
    }

    /// Returns variants of lines for each number of each type of line; the readers skip the others.
    private static func variants(of lines: [String]) -> [String] {
        var known: Set<String> = []
        return lines.flatMap { line in
            let type = line.prefix(18)
            let places = ExtremeNumbers.places(in: Array(line.utf8)).filter {
                known.insert("\(type) \($0.key)").inserted
            }
            return ExtremeNumbers.variants(of: line, places).filter { (try? RecordingLine.event($0.utf8)) != nil }
        }
    }

    /// Reads a recording as each command does.
    private static func read(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard let session = try? RecordedSession(bytes: bytes), let reader = session.reader else { return }
        let summary = SessionSummary(session)
        let english = Localizer.english
        let comparison = SessionComparison(summary, try Self.plain.get())
        for difference in comparison.differences {
            _ = difference.text(english)
            _ = try JSONEncoder().encode(DifferenceLine(difference))
        }
        _ = english.span(.seconds(comparison.tolerance))
        let verification = SessionVerification(reader, provider: session.provider)
        _ = verification.text(english)
        _ = try JSONEncoder().encode(VerificationLine(verification))
        for format in ExportFormat.allCases {
            // Some sessions have nothing to export in some formats.
            _ = try? format.file(of: session)
        }
    }

    private static let plain = Result<SessionSummary, any Error> {
        let file = Checkout.folder.appending(path: "Tests/RecordingTests/Samples/ride.ndjson")
        return SessionSummary(try RecordedSession(bytes: [UInt8](Data(contentsOf: file))))
    }

    /// Writes the events of a recording as `replay` does without a screen.
    private static func replay(_ text: String) throws {
        var reader = try RecordingReader(bytes: Array(text.utf8))
        let provider = try ProviderID("p")
        var player = RecordingPlayer(provider: provider)
        var table = JourneyTable()
        var plain = PlainOutput(PlainLines(host: "127.0.0.1", zone: .utc, namesTrips: true)) { _ in }
        var json = JSONOutput(host: "127.0.0.1", provider: provider) { _ in }
        while let event = reader.next() {
            guard let item = player.item(of: event).flatMap({ SessionItem(played: $0, at: event.moment) }) else {
                continue
            }
            let changes = table.apply(item)
            plain.receive(item, changes, table)
            json.receive(item, changes, table)
        }
    }

    @Test func `every number of a recording's header is read or refused by every reader`() async throws {
        let (header, lines) = try await Self.recorded("off-route")
        let poll = try #require(lines.first { $0.hasPrefix(#"{"type":"poll""#) })
        let rest = [poll, Self.otherLines[0], Self.otherLines[4]].joined(separator: "\n")
        for variant in ExtremeNumbers.variants(of: header) { try Self.read(variant + "\n" + rest) }
    }

    @Test func `every number of a recording's lines is read or skipped by every reader`() async throws {
        let (header, lines) = try await Self.recorded("token-trouble")
        let others = try await Self.recorded("off-route").lines.filter { $0.hasPrefix(#"{"type":"findings""#) }
        let text = ([header] + Self.variants(of: Self.otherLines + others + lines)).joined(separator: "\n")
        try Self.read(text)
        try Self.replay(text)
    }

    @Test func `numbers of two lines that are out of range are skipped, not added`() throws {
        let line = Self.otherLines[4].replacing(#""successes":3"#, with: #""successes":9223372036854775807"#)
        #expect(throws: RecordingLine.Problem.unexpected) { try RecordingLine.event(line.utf8) }
        #expect(throws: RecordingLine.Problem.unexpected) {
            try RecordingLine.event(Self.otherLines[0].replacing(#""speed":2"#, with: #""speed":1e-100"#).utf8)
        }
        #expect(throws: Never.self) { try RecordingLine.event(Self.otherLines[4].utf8) }
    }

    @Test func `every number of an answer is read or refused, and shown`() async throws {
        let (header, lines) = try await Self.recorded("off-route")
        let recorded = try RecordingReader(bytes: Array(header.utf8)).header
        // The longest answer has the most numbers.
        let line = try #require(lines.last { $0.hasPrefix(#"{"type":"poll""#) })
        let event = try RecordingLine.event(line.utf8)
        guard case .poll(var poll) = event.content, let body = poll.call?.answer?.body else {
            Issue.record("the line has no answer")
            return
        }
        var session = [Array((header + "\n").utf8)]
        var decoder = RecordingPlayer(provider: try ProviderID("p"))
        for variant in ExtremeNumbers.variants(of: String(decoding: body.bytes, as: UTF8.self)) {
            poll.call?.answer?.body = StoredBody(Array(variant.utf8))
            let event = RecordedEvent(.poll(poll), at: event.moment)
            // A refused answer has no numbers.
            guard case .feed(.polled(let report, _, _))? = decoder.item(of: event), report.failure == nil else {
                continue
            }
            session.append(RecordingLine.bytes(event))
        }
        #expect(session.count > 100)
        let text = String(decoding: session.joined(), as: UTF8.self)
        try Self.replay(text)
        let recording = try RecordedSession(bytes: Array(text.utf8))
        for format in [ExportFormat.geojson, .fleetDebugger, .markdown] { _ = try format.file(of: recording) }
        var screen = try #require(ScreenReplay(showing: recorded, provider: try ProviderID("p")))
        var player = RecordingPlayer(provider: try ProviderID("p"))
        var reader = try RecordingReader(bytes: Array(text.utf8))
        var count = 0
        while let event = reader.next() {
            screen.handle(event, player.item(of: event))
            count += 1
            // Of each number, other values are drawn.
            if count.isMultiple(of: 41) { _ = screen.canvas }
        }
    }

    /// Calls of both sides with all numbers that the importer reads.
    private static let log: [String] = {
        func entry(_ call: String, _ request: String, _ answer: String) -> String {
            let payload = #"{"@type":"x.v1.\#(call)Log","request":\#(request),\#(answer)}"#
            return #"{"insertid":"N","timestamp":"2026-01-01T00:00:00Z","jsonpayload":\#(payload)}"#
        }
        let place = #"{"latitude":51.5,"longitude":3.5}"#
        let path = S2Polyline.encode([
            Coordinate(latitude: 51.5, longitude: 3.5), Coordinate(latitude: 51.51, longitude: 3.52),
            Coordinate(latitude: 51.52, longitude: 3.53),
        ])
        let position = #"""
            {"location":\#(place),"rawlocation":\#(place),"heading":90,"speed":8,"latlngaccuracy":5,"servertime":"2026-01-01T00:00:00Z"}
            """#
        let traffic = #"""
            {"speedreadinginterval":[{"startpolylinepointindex":0,"endpolylinepointindex":1,"speed":"SPEED_LOG_SLOW"}]}
            """#
        let waypoint = #"""
            {"location":{"point":\#(place)},"encodedpathtowaypoint":"\#(path)","distancemeters":90,"traffictowaypoint":\#(traffic)}
            """#
        let trip = #"""
            {"name":"providers/acme/trips/t1","status":"TRIP_STATUS_ENROUTE_TO_PICKUP","vehicleid":"v1","numberofpassengers":1,
            "intermediatedestinationindex":0,"intermediatedestinations":[{"point":\#(place)}],"pickuppoint":{"point":\#(place)},
            "remainingdistancemeters":900,"currentroutesegment":"\#(path)","currentroutesegmenttraffic":\#(traffic),
            "lastlocation":\#(position),"remainingwaypoints":[\#(waypoint)]}
            """#.replacing("\n", with: "")
        let stretches = #"{"roadstretch":[{"offsetmeters":10,"lengthmeters":200,"style":"SLOWER_TRAFFIC"}]}"#
        let vehicle =
            #"{"name":"providers/acme/vehicles/v1","currenttrips":["t1"],"currentroutesegment":"\#(path)","lastlocation":{"location":\#(place),"speedkmph":30,"horizontalaccuracy":4},"remainingdistancemeters":800}"#
        return [
            entry("UpdateTrip", #"{"tripid":"t1"}"#, #""response":\#(trip)"#),
            entry(
                "UpdateVehicle",
                #"{"vehicleid":"v1","vehicle":{"currentroutesegmenttraffic":\#(stretches)}}"#,
                #""response":\#(vehicle)"#
            ),
            entry("GetTrip", #"{"tripid":"t1"}"#, #""errorresponse":{"httpstatuscode":403,"code":"X","message":"no"}"#),
        ]
    }()

    @Test func `every number of a log is read or left out by every reader`() async throws {
        let variants = Self.log + Self.log.flatMap { ExtremeNumbers.variants(of: $0) }
        let lines = variants.enumerated().map { number, line in
            let time = Timestamp.text(Date(timeIntervalSince1970: 1_767_225_600 + Double(number)))
            return line.replacing(#""insertid":"N""#, with: #""insertid":"\#(number)""#)
                .replacing("2026-01-01T00:00:00Z", with: time)
        }
        let bytes = Array(lines.joined(separator: "\n").utf8)
        let trips = try RecordedTrips(bytes: bytes)
        #expect(trips.timelines.count == 1 && trips.end > trips.start)
        let session = try RecordedSession(bytes: bytes)
        // A log has no polls, which some formats need.
        for format in ExportFormat.allCases { _ = try? format.file(of: session) }
        _ = SessionComparison(SessionSummary(session), try Self.plain.get()).differences.map {
            $0.text(.english)
        }
        _ = try EmulatedWorld(.recording(trips), seed: 1, clock: ScaledClock(speed: 1))
        let log = try RecordedLog(bytes: bytes)
        var table = JourneyTable()
        var plain = PlainOutput(PlainLines(host: "127.0.0.1", zone: .utc, namesTrips: true)) { _ in }
        var json = JSONOutput(host: "127.0.0.1", provider: trips.provider) { _ in }
        var playback = LogPlayback(trips, every: .seconds(5))
        while let step = playback.next() {
            let now = Moment(wall: trips.start.addingTimeInterval(step.at.seconds), steady: step.at)
            for event in step.events {
                let item = SessionItem(.feed(event), at: now)
                let changes = table.apply(item)
                plain.receive(item, changes, table)
                json.receive(item, changes, table)
            }
        }
        #expect(!log.sides.isEmpty)
    }

    /// A scenario with a number of each kind.
    private static let scenario = """
        title: t
        about: a
        begins: 2026-03-14T08:15:00Z
        token-lifetime: 60
        places:
          home: [51.04, -29.98]
        vehicles:
          - id: v1
            at: home
            capacity: 4
            steps:
              - wait: 5
              - silent: 3
              - assign: t1
              - drive: {to: t1 pickup, pace: 2, slow: [0.1, 0.2], red-light: 0.5, jam: {at: 0.5, seconds: 20}}
              - drive: {to: t1 dropoff, silent: [0.1, 0.2], tunnel: [0.3, 0.4], leaves-route-at: 0.1}
                caption: c
                expect: {overdue: 5, delay: [1, 9], position-age: 4, others-ahead: 1, within: 60}
        trips:
          - {id: t1, pickup: East Gate, dropoff: home, passengers: 2}
        events:
          - {at: 9, fault: {on: engine, kind: latency, seconds: 1, count: 2}}
        expect:
          - {trip: t1, status: COMPLETE, within: 600}
        """

    @Test func `every number of a scenario is read or refused`() throws {
        let variants = ExtremeNumbers.variants(of: Self.scenario)
        var accepted = 0
        // Planning the ways takes long: of each number, every third value is read.
        for variant in [Self.scenario] + stride(from: 0, to: variants.count, by: 3).map({ variants[$0] }) {
            do throws(YAMLFileError) {
                _ = try Scenario(yaml: variant, name: "x", file: "x.yaml")
                accepted += 1
            } catch {
                // The first one is the scenario itself.
                guard accepted > 0 else { throw error }
            }
        }
        #expect(accepted > 1)
    }

    @Test func `every number of a ready file is read or refused`() async throws {
        let clock = #"{"real":"2026-01-01T00:00:00Z","virtual":"2026-01-01T00:00:00Z","speed":2,"paused":false}"#
        let text = #"""
            {"fleetEngineURL":"http://127.0.0.1:1","tokenURL":"x","vehicleTokenURL":"x","providerId":"p","tripIds":[],
            "vehicleIds":[],"clock":\#(clock),"process":{"pid":1,"started":"x","ticks":1}}
            """#
        try await Program.withFolder { folder in
            let path = folder.appending(path: "ready.json").path
            for variant in ExtremeNumbers.variants(of: text) {
                try Data(variant.utf8).write(to: URL(filePath: path))
                guard let (_, anchor) = try? ReadyFile.read(path) else { continue }
                _ = ScaledClock(anchor: anchor).now()
            }
        }
    }
}
