import Foundation
import Recording
import Testing
import TripModel
import TripTestSupport

@Suite("Logs with many trips", .ends(within: .quickTest))
struct ManyTripsTests {
    /// A log of trips that are all live at the end.
    private static func log(trips: Int) -> [UInt8] {
        let entries = (0..<trips).map { number in
            let trip = "t\(number)"
            return LogText.trip("CreateTrip", trip, second: number / 4, status: "NEW")
                .replacing(#""insertid":"i"#, with: #""insertid":"\#(trip)-"#)
        }
        return Array(entries.joined(separator: "\n").utf8)
    }

    /// Returns the processor time for reading and playing a log, per trip.
    private static func time(trips: Int) throws -> Duration {
        let bytes = log(trips: trips)
        return try ProcessorTime.used {
            let log = try RecordedLog(bytes: bytes)
            #expect(log.trips.timelines.count == trips && log.sides.count == trips)
            var playback = LogPlayback(log.trips, every: .seconds(5))
            var count = 0
            while playback.nextTime != nil, playback.next() != nil { count += 1 }
            #expect(count == trips)
        } / trips
    }

    @Test func `the time per trip does not grow with the number of live trips`() throws {
        _ = try Self.time(trips: 100)
        let few = try Self.time(trips: 500)
        let many = try Self.time(trips: 2600)
        #expect(many < few * 2.5, "\(few), \(many)")
    }
}
