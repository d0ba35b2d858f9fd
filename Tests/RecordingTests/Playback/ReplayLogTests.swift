import Foundation
import Recording
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Replay of a log", .ends(within: .minutes(10)))
struct ReplayLogTests {
    @Test func `has the polls of a rider and the calls of the sides in order of time`() throws {
        let entries = [
            LogText.trip("CreateTrip", second: 0, status: "NEW", more: LogText.ends),
            LogText.trip(second: 7, status: "ENROUTE_TO_PICKUP", more: #","vehicleid":"v1""#),
            LogText.vehicle(second: 11, trips: ["t1"], request: #","vehicle":{"lastlocation":{}}"#),
            LogText.trip("GetTrip", second: 13, status: "ENROUTE_TO_PICKUP"),
            LogText.trip(second: 31, status: "COMPLETE"),
        ]
        let log = try RecordedLog(bytes: Array("[\(entries.joined(separator: ","))]".utf8))
        let playback = LogPlayback(log.trips, every: .seconds(5))
        let index = ReplayIndex(of: log, playback)
        var cursor = ReplayCursor(log, playback)
        var (sides, polls) = (0, 0)
        var last = Moment(wall: .distantPast, steady: .zero)
        while let step = cursor.next(in: index) {
            #expect(step.moment.steady >= last.steady)
            last = step.moment
            for item in step.items {
                switch item {
                case .side(let side):
                    sides += 1
                    #expect(side.events.isEmpty)
                case .feed(.polled): polls += 1
                default: break
                }
            }
        }
        #expect(sides == log.sides.count && sides > 0 && polls > 0)
        #expect(index.marks.map(\.detail) == ["ENROUTE_TO_PICKUP", "vehicleMissing", "COMPLETE"])
        #expect(cursor.number == index.count && index.length == last.steady)
    }
}
