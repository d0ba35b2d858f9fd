import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Replay of a log", .ends(within: .quickTest))
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

    /// The times of the polls of a log with two entries, in seconds.
    private func polls(entries distance: Double) throws -> [Double] {
        let end = Timestamp.text(Date(timeIntervalSince1970: 1_767_225_600 + distance))
        let entries = [
            LogText.trip("CreateTrip", second: 0, status: "NEW"),
            LogText.trip(second: 1, status: "COMPLETE").replacing(LogText.time(1), with: end),
        ]
        let log = try RecordedLog(bytes: Array("[\(entries.joined(separator: ","))]".utf8))
        var playback = LogPlayback(log.trips, every: .seconds(5))
        #expect(ReplayIndex(of: log, playback).count < 100)
        var times: [Double] = []
        while let step = playback.next() { times.append(step.at.seconds) }
        return times
    }

    @Test func `polls at the regular interval while a log has entries every two minutes`() throws {
        #expect(try polls(entries: 120) == Array(stride(from: 0.0, through: 125, by: 5)))
    }

    @Test(arguments: [7.0, 30, 365, 3650])
    func `polls seldom where a log has no entry for days, and regularly again at the next entry`(days: Double) throws {
        let end = days * 86_400 + 2
        let times = try polls(entries: end)
        #expect(times.count < 60)
        #expect(times.prefix(25).elementsEqual(stride(from: 0, to: 125, by: 5)))
        let last = try #require(times.firstIndex { $0 >= end })
        #expect(times[last] < end + 5 && times[last] - times[last - 1] == 5 && times.count == last + 2)
    }
}
