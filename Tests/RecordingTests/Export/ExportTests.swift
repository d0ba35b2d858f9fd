import Failures
import FleetWire
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import Recording

@Suite("Exports", .ends(within: .quickTest))
struct ExportTests {
    /// All formats by name.
    private static let formats: [(String, @Sendable (RecordedSession) -> any RecordingExporter)] = [
        ("har", { HARExport($0) }), ("geojson", { _ in GeoJSONExport() }), ("gpx", { _ in GPXExport() }),
        ("csv", { _ in PollTableExport() }), ("csv-positions", { _ in PositionTableExport() }),
        ("fleet-debugger", { FleetDebuggerExport($0) }),
    ]

    private static func export(_ session: RecordedSession, _ name: String) throws -> [UInt8] {
        let make = try #require(formats.first { $0.0 == name }).1
        return try session.export(with: make(session))
    }

    @Test func `the stored recording is what the program writes today`() async throws {
        let bytes = try await SampleRide.recording()
        if ProcessInfo.processInfo.environment["UPDATE_RECORDINGS"] != nil {
            try Data(bytes).write(to: SampleRide.file)
        }
        #expect(try Data(contentsOf: SampleRide.file) == Data(bytes), "UPDATE_RECORDINGS=1 writes it again")
    }

    @Test func `the importer reads the Fleet Debugger file back`() throws {
        let session = try SampleRide.session
        let file = try Self.export(session, "fleet-debugger")
        let log = try RecordedTrips(bytes: file)
        let timeline = try #require(log.timelines.first)
        #expect(log.timelines.count == 1 && timeline.vehicleID?.rawValue == "v1")
        var observed: [RecordedSession.Observation] = []
        session.read { if case .observation(let observation) = $0 { observed.append(observation) } }
        #expect(observed.count == 17)
        for observation in observed {
            let trip = try #require(timeline.snapshot(at: observation.time)?.journey)
            let expected = observation.journey
            #expect(trip.status == expected.status)
            #expect(trip.type == expected.type)
            #expect(trip.vehicleID == expected.vehicleID)
            #expect(trip.pickup == expected.pickup && trip.dropoff == expected.dropoff)
            #expect(trip.pickupTime == expected.pickupTime && trip.dropoffTime == expected.dropoffTime)
            #expect(trip.etaToFirstWaypoint == expected.etaToFirstWaypoint)
            #expect(trip.remainingDistance == expected.remainingDistance)
            #expect(trip.remainingWaypoints.map(\.kind) == expected.remainingWaypoints.map(\.kind))
            #expect(trip.remainingWaypoints.map(\.tripID) == expected.remainingWaypoints.map(\.tripID))
            #expect(trip.actualDropoff == expected.actualDropoff)
            #expect(trip.lastLocation == expected.lastLocation)
            #expect(trip.route?.points.count == expected.route?.points.count)
            for (one, other) in zip(trip.route?.points ?? [], expected.route?.points ?? []) {
                #expect(one.distance(to: other).meters < 2)
            }
        }
    }

    /// Returns the entries of a Fleet Debugger file, and its type.
    private static func entries(_ file: some Sequence<UInt8>) throws -> (NSArray, String) {
        let object = try #require(try JSONSerialization.jsonObject(with: Data(file)) as? [String: Any])
        return (
            try #require(object["rawLogs"] as? NSArray), try #require(object["solutionType"] as? String)
        )
    }

    @Test func `the entries of a log are passed through in their order and spelling`() throws {
        let entries = [
            LogText.trip("CreateTrip", second: 1, status: "NEW"),
            LogText.vehicle(
                second: 2,
                trips: ["t1"],
                request: #","vehicle":{"navstatus":"NAVIGATION_STATUS_ENROUTE_TO_DESTINATION"}"#,
                response: #","waypoints":[{"eta":"2026-01-01T00:05:00Z","encodedpathtowaypoint":"\#(path)"}]"#
            ),
            #"{"insertId":"x","timestamp":"2026-01-01T00:00:01Z","logName":"projects/acme/logs/a%2Fupdate_trip","#
                + #""jsonPayload":{"@type":"x.v1.UpdateTripLog","request":{"tripId":"t1"},"response":null}}"#,
            #"{"insertId":"r","timestamp":"2026-01-01T00:00:02Z","jsonPayload":{"#
                + #""@type":"x.v1.UpdateVehicleRestrictedLog","parentInsertId":"i2","response":{"a":[1.5,true]}}}"#,
        ]
        let log = "[" + entries.joined(separator: ",\n") + "]"
        let session = try RecordedSession(bytes: Array(log.utf8))
        let (written, type) = try Self.entries(try Self.export(session, "fleet-debugger"))
        let original = try #require(try JSONSerialization.jsonObject(with: Data(log.utf8)) as? NSArray)
        #expect(written == original && type == "ODRD")
    }

    /// A path of 400 characters in the alphabet of tokens.
    private let path = String(repeating: "AbC9", count: 100)

    @Test func `what is passed through has no token and no control character`() throws {
        let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"
        let log = "[" + LogText.trip(second: 1, status: "NEW", more: #","a":"\#(token)","b":"\u001B[2J""#) + "]"
        let session = try RecordedSession(bytes: Array(log.utf8))
        let text = String(decoding: try Self.export(session, "fleet-debugger"), as: UTF8.self)
        #expect(text.contains(#""a":"<token>"#) && text.contains(#""b":"\#u{FFFD}[2J""#), "\(text)")
        for part in token.split(separator: ".") { #expect(!text.contains(part), "\(text)") }
    }

    @Test func `the Fleet Debugger file has the fields that Fleet Debugger reads`() throws {
        let file = try JSONSerialization.jsonObject(
            with: Data(Self.export(SampleRide.session, "fleet-debugger"))
        )
        let object = try #require(file as? [String: Any])
        #expect(object["solutionType"] as? String == "ODRD")
        let entries = try #require(object["rawLogs"] as? [[String: Any]])
        var positions = 0
        var times: [String] = []
        for entry in entries {
            times.append(try #require(entry["timestamp"] as? String))
            let payload = try #require(entry["jsonpayload"] as? [String: Any])
            let request = try #require(payload["request"] as? [String: Any])
            let response = try #require(payload["response"] as? [String: Any])
            let type = try #require(payload["@type"] as? String)
            for waypoint in (response["waypoints"] ?? response["remainingwaypoints"]) as? [[String: Any]] ?? [] {
                #expect(["WAYPOINT_TYPE_PICKUP", "WAYPOINT_TYPE_DROP_OFF"].contains(waypoint["type"] as? String))
            }
            if type.hasSuffix(".UpdateVehicleLog") {
                positions += 1
                let location = (request["vehicle"] as? [String: Any])?["lastlocation"] as? [String: Any]
                #expect((location?["rawlocation"] as? [String: Any])?["latitude"] is Double)
                #expect(response["currenttrips"] is [String])
                #expect((entry["labels"] as? [String: String])?["tripshare"] == "reconstructed")
            } else {
                #expect(type.hasSuffix(".GetTripLog"))
                #expect((response["status"] as? String)?.hasPrefix("TRIP_STATUS_") == true)
                #expect(request["tripid"] as? String == "tr-1")
            }
        }
        #expect(positions == 15 && entries.count == 32)
        #expect(times == times.sorted())
    }

    @Test func `a log has positions but no polls`() throws {
        let text = [
            LogText.trip(second: 1, status: "NEW", more: #","vehicleid":"v1""# + LogText.ends),
            LogText.vehicle(
                second: 5,
                trips: ["t1"],
                response: #","lastlocation":{"location":\#(LogText.place(1.5)),"servertime":"2026-01-01T00:00:05Z"}"#
            ),
        ]
        let session = try RecordedSession(bytes: Array("[\(text.joined(separator: ","))]".utf8))
        #expect(!session.hasPolls)
        #expect(String(decoding: try Self.export(session, "geojson"), as: UTF8.self).contains("[1.5,1.5]"))
        #expect(try RecordedTrips(bytes: Self.export(session, "fleet-debugger")).timelines.count == 1)
        #expect(throws: ExportFailure.noPolls) { try Self.export(session, "csv") }
    }

    @Test func `a page of a search is one call of a session, with its body, whatever trips it lists`() throws {
        let now = RecordingScene().clock.now()
        let busy = Failure.service(ServiceAnswer(httpStatus: 503, status: "UNAVAILABLE"), retryAfter: nil)
        let (page, failed) = (RecordingFormatTests.search(), RecordingFormatTests.search(busy))
        var events: [RecordedEvent.Content] = [failed, page].map { .search($0) }
        for name in ["tr-1", "tr-2", "tr-3"] {
            var report = PollReport(journey: .trip(try TripID(name)), started: page.started)
            report.finished = page.finished
            report.call = page.call
            report.call?.subject = name
            report.call?.answer?.body = nil
            let body = RecordingScene.body().replacing("tr-1", with: name)
            report.outcome = .success(.trip(try TripCoding.decode(Array(body.utf8))))
            let schedule = PollSchedule(interval: .seconds(5), next: nil)
            events.append(.poll(RecordedPoll(report, schedule: schedule)))
        }
        let session = try RecordedSession(bytes: recordingText(events.map { RecordedEvent($0, at: now) }))
        let calls = session.calls().calls
        #expect(calls.map(\.call) == [failed.call, page.call].compactMap(\.self))
        var trips: [JourneyID] = []
        session.read { if case .observation(let observation) = $0 { trips.append(observation.journey.id) } }
        #expect(trips.map(\.name) == ["tr-1", "tr-2", "tr-3"])
        let archive = try #require(JSONValue(try Self.export(session, "har")))
        guard case .array(let entries) = archive[path: "log.entries"] else {
            Issue.record("no entries")
            return
        }
        #expect(entries.map { $0[path: "response.status"]?.number } == [503, 200])
        for entry in entries {
            #expect(entry[path: "request.method"]?.string == "POST")
            #expect(entry[path: "request.postData.text"]?.string == #"{"pageSize":200,"pageToken":"2"}"#)
            #expect(entry[path: "response.content.text"]?.string == #"{"trips":[\#(RecordingScene.body())]}"#)
        }
    }

    @Test func `an HTTP Archive of a log has its calls, and no time that the log does not have`() throws {
        let text = [
            LogText.trip(second: 1, status: "NEW", more: #","vehicleid":"v1""# + LogText.ends),
            LogText.vehicle(second: 5, trips: ["t1"]),
        ]
        let session = try RecordedSession(bytes: Array("[\(text.joined(separator: ","))]".utf8))
        let calls = try #require(session.loggedCalls)
        #expect(calls.map(\.operation.rawValue) == ["CreateTrip", "UpdateVehicle"] || calls.count == 2)
        #expect(calls.allSatisfy { $0.duration == nil && $0.credential == nil && $0.request.method == nil })
        let archive = try #require(JSONValue(try Self.export(session, "har")))
        guard case .array(let entries) = archive[path: "log.entries"] else {
            Issue.record("no entries")
            return
        }
        #expect(entries.map { $0["startedDateTime"]?.string } == calls.map { Timestamp.text($0.started.wall) })
        for entry in entries {
            #expect(entry[path: "timings.wait"]?.number == -1 && entry["time"]?.number == 0)
            #expect(entry[path: "response.content.text"]?.string?.isEmpty == false)
            #expect(entry[path: "request.postData.text"]?.string?.isEmpty == false)
            #expect(entry["comment"]?.string == "from a log")
        }
    }

    @Test func `an empty recording has nothing to export`() throws {
        let session = try RecordedSession(bytes: RecordingLine.bytes(RecordingScene.header))
        for (name, _) in Self.formats {
            #expect(throws: ExportFailure.self, "\(name)") { try Self.export(session, name) }
        }
    }

    @Test func `bad files are refused`() {
        #expect(throws: RecordedSession.Failure.log(.empty)) { try RecordedSession(bytes: []) }
        #expect(throws: RecordedSession.Failure.log(.otherKind(.token))) {
            try RecordedSession(bytes: Array(#"{"jwt":"x"}"#.utf8))
        }
        let newer = #"{"type":"header","format":"tripshare-recording","version":{"major":4,"minor":0}}"#
        #expect(throws: RecordedSession.Failure.recording(.newerVersion(.init(major: 4, minor: 0)))) {
            try RecordedSession(bytes: Array(newer.utf8))
        }
        let older = #"{"type":"header","format":"tripshare-recording","version":{"major":1,"minor":1}}"#
        #expect(throws: RecordedSession.Failure.recording(.olderVersion(.init(major: 1, minor: 1)))) {
            try RecordedSession(bytes: Array(older.utf8))
        }
        let broken = #"{"type":"header","format":"tripshare-recording","version":{"major":3,"minor":0}}"#
        #expect(throws: RecordedSession.Failure.recording(.notRecording)) {
            try RecordedSession(bytes: Array(broken.utf8))
        }
    }

    @Test func `torn lines are skipped and counted`() throws {
        let bytes = try [UInt8](Data(contentsOf: SampleRide.file))
        let session = try RecordedSession(bytes: Array(bytes.dropLast(20)))
        #expect(session.read { _ in } == 1)
    }

    @Test func `no export contains any part of a token that someone put into a recording`() throws {
        let signature = "Zk3vQp9xLm2nRt8wYb4cHd7fJg5sKa1eUo6iXz0VqNyTrBhCwD"
        let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJvdGhlciJ9.\(signature)"
        // The places of outside text in a recording, with a token of which this process knows nothing.
        var text = String(decoding: try Data(contentsOf: SampleRide.file), as: UTF8.self)
        let places = [
            ("Bearer <token>", "Bearer \(token)"), ("application/json; charset=UTF-8", token),
            (#""name":"accept","value":"application/json""#, #""name":"cookie","value":"sid=\#(signature)""#),
            ("busy", token), ("v1", token), ("https://engine.example/v1", "https://engine.example/v1/\(token)"),
            ("LOCATION_SENSOR_GPS", token),
        ]
        for (old, new) in places { text = text.replacing(old, with: new) }
        #expect(text.contains(signature))
        let session = try RecordedSession(bytes: Array(text.utf8))
        for (name, _) in Self.formats {
            let file = String(decoding: try Self.export(session, name), as: UTF8.self)
            for start in stride(from: 0, to: signature.count - 12, by: 4) {
                let piece = signature.dropFirst(start).prefix(12)
                #expect(!file.contains(piece), "\(name): \(piece)")
            }
            #expect(!file.contains("eyJ"), "\(name)")
        }
    }

    @Test func `no export contains control characters or direction marks`() throws {
        var text = String(decoding: try Data(contentsOf: SampleRide.file), as: UTF8.self)
        text = text.replacing("busy", with: #"\u001b[31m\u202e\u0000\u0085\u2028"#)
        text = text.replacing("EXCLUSIVE", with: #"\\u001b\\u202e"#)
        let session = try RecordedSession(bytes: Array(text.utf8))
        for (name, _) in Self.formats {
            let file = String(decoding: try Self.export(session, name), as: UTF8.self)
            let found = file.unicodeScalars.filter { scalar in
                let category = scalar.properties.generalCategory
                return (category == .control && scalar != "\n" && scalar != "\r") || category == .format
                    || category == .lineSeparator
            }
            #expect(found.isEmpty, "\(name): \(found)")
        }
    }

    @Test func `a track over the antimeridian is cut into two lines`() throws {
        func place(_ longitude: Double) -> String { #"{"latitude":10,"longitude":\#(longitude)}"# }
        let entries = [
            LogText.trip(second: 1, status: "NEW", more: #","vehicleid":"v1""#),
            LogText.vehicle(second: 5, trips: ["t1"], response: #","lastlocation":{"location":\#(place(179.5))}"#),
            LogText.vehicle(second: 6, trips: ["t1"], response: #","lastlocation":{"location":\#(place(-179.5))}"#),
        ]
        let session = try RecordedSession(bytes: Array("[\(entries.joined(separator: ","))]".utf8))
        let text = String(decoding: try Self.export(session, "geojson"), as: UTF8.self)
        #expect(text.contains("[[[179.5,10],[180,10]],[[-180,10],[-179.5,10]]]"), "\(text)")
        let times = try #require(text.firstMatch(of: /"times":\[\["([^"]+)","([^"]+)"\],\["([^"]+)","([^"]+)"\]\]/))
        let all = [times.1, times.2, times.3, times.4].compactMap { Timestamp.date(String($0)) }
        #expect(all.count == 4 && all[1] == all[2], "the cut points have the same time")
        #expect(all[1].timeIntervalSince(all[0]) == 0.5 && all[3].timeIntervalSince(all[0]) == 1)
    }
}
