import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Log formats", .ends(within: .quickTest))
struct LogFormTests {
    private static let entries = [
        LogText.trip("CreateTrip", second: 0, status: "NEW"),
        LogText.trip(second: 5, status: "ENROUTE_TO_PICKUP", more: #","vehicleid":"v1""#),
        LogText.vehicle(second: 7, trips: ["t1"]),
        LogText.trip(second: 9, status: "COMPLETE"),
    ]

    private static let list = entries.joined(separator: ",\n")
    private static let lines = entries.joined(separator: "\r\n")
    private static let forms: [String] = [
        "[\(list)]",
        "[\(entries.reversed().joined(separator: ","))]",
        list,
        lines,
        "\u{FEFF}\(lines)\r\n",
        "{\"solutionType\":\"ODRD\",\"rawLogs\":[\(list)]}",
    ]

    @Test(arguments: forms)
    func `reads lists, lines and Fleet Debugger files in any order`(text: String) throws {
        let trips = try LogText.read(text)
        #expect(trips.provider.rawValue == "acme")
        #expect(trips.timelines.map(\.id.rawValue) == ["t1"])
        #expect(trips.timelines.first?.vehicleID?.rawValue == "v1")
        #expect(
            trips.timelines[0].snapshots.map(\.journey.status) == [
                .trip(.new), .trip(.enrouteToPickup), .trip(.enrouteToPickup), .trip(.complete),
            ]
        )
        #expect(trips.end.timeIntervalSince(trips.start) == 9)
    }

    @Test func `accepts keys in other spellings and null values`() throws {
        let text = """
            {"insertId":"a","timestamp":"2026-01-01T00:00:00Z","jsonPayload":{"@type":"x.v1.CreateTripLog","errorResponse":null,
            "request":{"trip_id":"t1"},"response":{"name":"providers/acme/trips/t1","status":"TRIP_STATUS_NEW",
            "numberOfPassengers":3,"pickup_point":{"point":{"latitude":1.5,"longitude":-2}},"vehicleId":null}}}
            """
        let trip = try #require(try LogText.read(text).timelines.first?.snapshots.first?.journey)
        #expect(trip.passengers == 3)
        #expect(trip.pickup == Coordinate(latitude: 1.5, longitude: -2))
        #expect(trip.vehicleID == nil)
    }

    @Test func `accepts Fleet Archive entries with the call as the key`() throws {
        let text = """
            [{"serverTime":"2026-01-01T00:00:00Z","createTrip":{"request":{"tripId":"t1"},
            "response":{"name":"providers/acme/trips/t1","tripStatus":"NEW"}}}]
            """
        #expect(try LogText.read(text).timelines.first?.snapshots.map(\.journey.status) == [.trip(.new)])
    }

    @Test func `takes the call from the log's name if it is nowhere else`() throws {
        let text = """
            {"timestamp":"2026-01-01T00:00:00Z","logName":"projects/acme/logs/fleetengine.googleapis.com%2Fcreate_trip",
            "jsonPayload":{"request":{"tripId":"t1"},"response":{"status":"TRIP_STATUS_NEW"}}}
            """
        let trips = try LogText.read(text)
        #expect(trips.provider.rawValue == "acme")
        #expect(trips.timelines.map(\.id.rawValue) == ["t1"])
    }

    @Test func `ignores refused calls`() throws {
        let refused = """
            {"timestamp":"2026-01-01T00:00:03Z","severity":"ERROR","jsonPayload":{"@type":"x.v1.UpdateTripLog",
            "request":{"tripId":"t1","trip":{"status":"TRIP_STATUS_CANCELED"}},
            "errorResponse":{"code":"FAILED_PRECONDITION","httpStatusCode":400}}}
            """
        let snapshots = try LogText.read(Self.entries + [refused]).timelines[0].snapshots
        #expect(snapshots.count == 4)
        #expect(!snapshots.contains { $0.journey.status == .trip(.canceled) })
    }

    @Test func `skips and counts damaged lines, and reads entries that came twice once`() throws {
        let damaged = ["hello"] + Self.entries.map { $0 + "\n" + $0.prefix(60) } + ["\u{0}", Self.entries[0]]
        let trips = try LogText.read(damaged.joined(separator: "\n"))
        #expect(trips.timelines.first?.snapshots.count == 4)
        #expect(trips.skipped?.count == 6 && trips.skipped?.first == 1)
        #expect(try LogText.read(Self.list).skipped == nil)
        let cut = try LogText.read(String("{\"rawLogs\":[\(Self.list)]}".dropLast(20)))
        #expect(cut.timelines.first?.snapshots.count == 3 && cut.skipped?.count == 1)
    }

    @Test func `has the same states, whatever the order and wherever a line is torn`() throws {
        var random = SeededGenerator(seed: 30)
        for _ in 0..<300 {
            var lines = Self.entries.shuffled(using: &random)
            let torn = lines[0].utf8.prefix(Int.random(in: 1..<lines[0].utf8.count, using: &random))
            lines.insert(String(decoding: torn, as: UTF8.self), at: Int.random(in: 0...lines.count, using: &random))
            let text = lines.joined(separator: "\n")
            let trips = try LogText.read(text)
            #expect(trips.timelines[0].snapshots.map(\.journey.status.rank) == [0, 1, 1, 5])
            #expect(trips.skipped?.count == 1)
            var log = LiveLog(trips: [])
            #expect(log.collect(Array(text.utf8)) && log.collect(nil))
            var states: [Journey] = []
            while let items = log.handleCollected(2, now: { Moment(wall: $0, steady: .zero) }) {
                for case .step(let step) in items {
                    for case .polled(let report, _, _) in step.events {
                        if case .success(let trip) = report.outcome { states.append(trip) }
                    }
                }
            }
            #expect(states == trips.timelines[0].snapshots.map(\.journey))
            #expect(log.skipped == trips.skipped)
        }
    }

    @Test func `reports a skipped status if the log skips it, not if only a poll has missed it`() throws {
        func skipped(_ statuses: [String]) throws -> [String] {
            let lines = statuses.enumerated().map { second, status in
                LogText.trip(second: second, status: status, more: #","vehicleid":"v1""#)
            }
            var playback = LogPlayback(try LogText.read(lines), every: .seconds(5))
            var rules: [String] = []
            while let step = playback.next() {
                for case .found(_, let findings) in step.events { rules += findings.map(\.rule.id) }
            }
            return rules.filter { $0 == "statusSkipped" }
        }
        let all = ["NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE"]
        #expect(try skipped(all).isEmpty)
        #expect(try skipped(["NEW", "ENROUTE_TO_DROPOFF", "COMPLETE"]) == ["statusSkipped"])
    }

    @Test func `merges restricted logs into their parent entry`() throws {
        let restricted = """
            {"insertId":"r","timestamp":"2026-01-01T00:00:01Z","jsonPayload":{"@type":"x.v1.CreateTripRestrictedLog",
            "parentInsertId":"i0","response":{"pickupPoint":{"point":{"latitude":1,"longitude":2}},"status":"TRIP_STATUS_COMPLETE"}}}
            """
        let snapshots = try LogText.read(Self.entries + [restricted]).timelines[0].snapshots
        #expect(snapshots.count == 4)
        #expect(snapshots.first?.journey.pickup == Coordinate(latitude: 1, longitude: 2))
        #expect(snapshots.first?.journey.status == .trip(.new))
    }

    @Test func `skips entries of other services and projects`() throws {
        let foreign = [
            #"{"timestamp":"2026-01-01T00:00:02Z","textPayload":"hello"}"#,
            #"{"timestamp":"when?","jsonpayload":{"@type":"x.v1.CreateTripLog"}}"#,
            LogText.trip(second: 3, status: "CANCELED").replacingOccurrences(of: "acme", with: "other"),
        ]
        #expect(try LogText.read(Self.entries + foreign).timelines[0].snapshots.count == 4)
    }
}
