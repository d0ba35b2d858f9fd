import Failures
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import TripScreen

/// That a vehicle reports again is said after its own silence; after an outage of the polls, that there are answers again.
@Suite("Outages", .ends(within: .quickTest))
struct OutageTests {
    /// What is silent for a minute.
    enum Silent: CaseIterable {
        case service, vehicle, vehicleThenBoth
    }

    /// What is said with the first news after a silence.
    private struct Said {
        var story: RideStory.Line?
        var notices: [Notice.Kind] = []
        var lines: [String] = []
    }

    private static func said(after silent: Silent, speed: Double = 1) throws -> Said {
        var trip = try Ride().trip(at: 20)
        trip.traffic = nil
        let id = JourneyID.trip(trip.id)
        var (table, story, state) = (JourneyTable(), RideStory(), TripState(id: id))
        var plain = PlainLines(host: "engine.example", zone: .utc, namesTrips: false)
        var said = Said()
        for second in stride(from: 0.0, through: 100, by: 5) {
            let now = Ride.moment(second)
            let isSilent = (5.0..<100).contains(second)
            let fails = isSilent && (silent == .service || (silent == .vehicleThenBoth && second > 50))
            if !isSilent || silent == .service {
                trip.lastLocation?.serverTime = now.wall - 1
                trip.lastLocation?.updateTime = now.wall - 2
            }
            var report = PollReport(journey: id, started: now)
            report.outcome = fails ? .failure(.refused) : .success(.trip(trip))
            if !fails { state.merge(.trip(trip), of: report) }
            var schedule = PollSchedule(interval: .seconds(5), next: nil)
            schedule.failures = fails ? 1 : 0
            let changes = table.apply(.polled(report, state, schedule), at: now)
            story.handle(changes)
            said.notices = NoticeDetector().notices(of: changes, table).map(\.kind)
            said.lines = plain.lines(for: changes, table)
        }
        said.story = story.line(at: Ride.moment(100), silentFor: nil, speed: speed)
        return said
    }

    @Test func `after an outage of the service, the answers are back`() throws {
        let said = try Self.said(after: .service)
        #expect(said.story == nil)
        #expect(said.notices == [.recovered])
        #expect(said.lines == ["17:01:40  Polling works again after 19 failed polls."])
    }

    @Test func `after the silence of a vehicle, it reports again`() throws {
        let said = try Self.said(after: .vehicle)
        #expect(said.story?.event == .silence && said.story?.isOver == true)
        #expect(said.notices == [.fresh])
        #expect(said.lines == ["17:01:40  The vehicle reports again."])
    }

    @Test func `at a high speed, a silence that is over in a moment is no event for viewers`() throws {
        #expect(try Self.said(after: .vehicle, speed: 15).story?.event == .silence)
        #expect(try Self.said(after: .vehicle, speed: 240).story == nil)
    }

    @Test func `after both, the answers are back and the vehicle reports again`() throws {
        let said = try Self.said(after: .vehicleThenBoth)
        #expect(said.story?.event == .silence && said.story?.isOver == true)
        #expect(said.notices == [.recovered, .fresh])
        #expect(
            said.lines == [
                "17:01:40  Polling works again after 9 failed polls.", "17:01:40  The vehicle reports again.",
            ]
        )
    }
}
