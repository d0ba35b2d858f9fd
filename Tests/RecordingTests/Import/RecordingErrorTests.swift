import Foundation
import Recording
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Invalid recordings", .ends(within: .quickTest))
struct RecordingErrorTests {
    private static let log = "[" + LogText.trip("CreateTrip", second: 0, status: "NEW") + "]"
    private static let delivery = LogText.entry("UpdateDeliveryVehicle", second: 0, request: "{}", response: "{}")

    @Test(
        arguments: [
            ("", .empty),
            (" \r\n\t", .empty),
            ("[]", .empty),
            (#"{"rawLogs":[]}"#, .empty),
            ("hello", .notJSON(offset: 0)),
            (#"{"a":1}  oops"#, .notJSON(offset: 9)),
            (#"{"a" 1}"#, .notJSON(offset: 5)),
            (#"["\x"]"#, .notJSON(offset: 3)),
            ("[1-1]", .notJSON(offset: 1)),
            (String(log.dropLast(2)), .truncated),
            (#"{"a":"b"#, .truncated),
            ("tru", .truncated),
            ("[1, 2]", .otherKind(.otherJSON)),
            (#"{"type":"FeatureCollection","features":[]}"#, .otherKind(.otherJSON)),
            (#"{"token":"x","expiresAt":1}"#, .otherKind(.token)),
            ("eyJhbGciOiJSUzI1NiJ9.e30.c2ln", .otherKind(.token)),
            ("\u{1F}\u{8B}", .notJSON(offset: 0)),
            (delivery, .noTrips),
            (LogText.vehicle(second: 0, trips: ["t1"]), .noTrips),
            (String(repeating: "[", count: 100), .tooDeep(limit: 64)),
        ] as [(String, RecordingError)]
    )
    func `reports what the file is instead`(text: String, error: RecordingError) {
        #expect(throws: error) { try LogText.read(text) }
    }

    @Test func `refuses damaged compressed files and files over 64 MiB`() {
        #expect(throws: RecordingError.otherKind(.gzip)) {
            try RecordedTrips(bytes: [0x1F, 0x8B, 8, 0])
        }
        #expect(throws: RecordingError.otherKind(.zip)) {
            try RecordedTrips(bytes: [0x50, 0x4B, 3, 4])
        }
        #expect(throws: RecordingError.tooLarge(limit: 67_108_864)) {
            try RecordedTrips(bytes: [UInt8](repeating: 0x20, count: 67_108_865))
        }
    }

    @Test func `refuses a log with more than 200,000 snapshots`() {
        let trips = (0..<500).map { "t\($0)" }
        let created = trips.map {
            LogText.trip("CreateTrip", $0, second: 0, status: "NEW", more: #","vehicleid":"v1""#)
                .replacing("\"i0\"", with: "\"\($0)\"")
        }
        let update = LogText.vehicle(second: 1, trips: [])
        #expect(throws: RecordingError.tooManySnapshots(limit: 200_000)) {
            try LogText.read(created + (0..<400).map { update.replacing("\"i1\"", with: "\"u\($0)\"") })
        }
    }

    @Test func `returns a recording or an error for any changed or missing byte`() throws {
        let entry = LogText.trip(
            "CreateTrip",
            second: 0,
            status: "NEW",
            more: LogText.ends + #","x":[1e5,true,null,"\ud83d\ude00"]"#
        )
        let bytes = Array(entry.utf8)
        var random = SeededGenerator(seed: 7)
        for index in bytes.indices {
            var changed = bytes
            changed[index] = UInt8.random(in: 0...255, using: &random)
            // Which error is thrown does not matter, only that nothing traps.
            let trips = try? RecordedTrips(bytes: changed)
            #expect(trips?.timelines.isEmpty != true)
            #expect(throws: index == 0 ? RecordingError.empty : .truncated) {
                try RecordedTrips(bytes: Array(bytes[..<index]))
            }
        }
    }

    @Test func `treats invalid numbers and locations as unknown`() throws {
        let more = """
            ,"numberofpassengers":1e300,"remainingdistancemeters":"NaN","pickuppoint":{"point":{"latitude":91,"longitude":0}},
            "currentroutesegment":"!!","vehicleid":"a/b","etatofirstwaypoint":"soon","lastlocation":{"heading":-1e99}
            """
        let trip = try #require(try LogText.read(LogText.trip(second: 0, status: "NEW", more: more)).timelines.first)
            .snapshots[0].journey
        #expect(trip.passengers == nil && trip.remainingDistance == nil && trip.pickup == nil)
        #expect(trip.route == nil && trip.vehicleID == nil && trip.etaToFirstWaypoint == nil)
        #expect(trip.lastLocation?.heading == nil)
    }
}
