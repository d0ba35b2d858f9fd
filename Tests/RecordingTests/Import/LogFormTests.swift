import Foundation
import Recording
import Testing
import TripModel
import TripTestSupport

@Suite("Log formats", .ends(within: .minutes(10)))
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
            trips.timelines[0].snapshots.map(\.trip.status) == [.new, .enrouteToPickup, .enrouteToPickup, .complete]
        )
        #expect(trips.end.timeIntervalSince(trips.start) == 9)
    }

    @Test func `accepts keys in other spellings and null values`() throws {
        let text = """
            {"insertId":"a","timestamp":"2026-01-01T00:00:00Z","jsonPayload":{"@type":"x.v1.CreateTripLog","errorResponse":null,
            "request":{"trip_id":"t1"},"response":{"name":"providers/acme/trips/t1","status":"TRIP_STATUS_NEW",
            "numberOfPassengers":3,"pickup_point":{"point":{"latitude":1.5,"longitude":-2}},"vehicleId":null}}}
            """
        let trip = try #require(try LogText.read(text).timelines.first?.snapshots.first?.trip)
        #expect(trip.passengers == 3)
        #expect(trip.pickup == Coordinate(latitude: 1.5, longitude: -2))
        #expect(trip.vehicleID == nil)
    }

    @Test func `accepts Fleet Archive entries with the call as the key`() throws {
        let text = """
            [{"serverTime":"2026-01-01T00:00:00Z","createTrip":{"request":{"tripId":"t1"},
            "response":{"name":"providers/acme/trips/t1","tripStatus":"NEW"}}}]
            """
        #expect(try LogText.read(text).timelines.first?.snapshots.map(\.trip.status) == [.new])
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
        #expect(!snapshots.contains { $0.trip.status == .canceled })
    }

    @Test func `merges restricted logs into their parent entry`() throws {
        let restricted = """
            {"insertId":"r","timestamp":"2026-01-01T00:00:01Z","jsonPayload":{"@type":"x.v1.CreateTripRestrictedLog",
            "parentInsertId":"i0","response":{"pickupPoint":{"point":{"latitude":1,"longitude":2}},"status":"TRIP_STATUS_COMPLETE"}}}
            """
        let snapshots = try LogText.read(Self.entries + [restricted]).timelines[0].snapshots
        #expect(snapshots.count == 4)
        #expect(snapshots.first?.trip.pickup == Coordinate(latitude: 1, longitude: 2))
        #expect(snapshots.first?.trip.status == .new)
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
