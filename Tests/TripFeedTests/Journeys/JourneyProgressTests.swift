import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// How long polls fail, and how many stops are before the own one.
@Suite("Outages and stops of a trip", .ends(within: .quickTest))
struct JourneyProgressTests {
    private var scene: JourneyScene

    init() throws { scene = try JourneyScene() }

    private static let unavailable = Failure.service(ServiceAnswer(httpStatus: 503), retryAfter: nil)
    private static let forbidden = Failure.service(ServiceAnswer(httpStatus: 403), retryAfter: nil)

    @Test mutating func `an outage is as long as the time since the first failed poll, whatever fails`() {
        scene.answer()
        #expect(scene.facts?.outage == nil)
        var reached: [Int] = []
        for poll in 0..<6 {
            scene.fail(poll < 3 ? Self.unavailable : Self.forbidden)
            if scene.facts?.outage?.reaches(.seconds(10)) == true { reached.append(poll) }
        }
        // The polls end 5 s apart: the third one is 10 s after the first one.
        #expect(reached == [2])
        #expect(scene.facts?.outage?.length == .seconds(25))
        #expect(scene.facts?.outage?.since.wall == JourneyScene.start + 5)
    }

    @Test mutating func `an answer ends an outage, and the next one begins anew`() {
        for _ in 0..<4 { scene.fail(Self.unavailable) }
        #expect(scene.facts?.outage?.length == .seconds(15))
        scene.answer()
        #expect(scene.facts?.outage == nil)
        scene.fail(Self.unavailable)
        #expect(scene.facts?.outage?.length == .zero && scene.facts?.outage?.reaches(.seconds(1)) == false)
        scene.fail(Self.unavailable)
        #expect(scene.facts?.outage?.reaches(.seconds(1)) == true)
    }

    /// Sets the stops of other trips before the own pickup.
    private mutating func setOthers(_ count: Int) throws {
        let other = try TripID("other")
        let own = scene.trip.remainingWaypoints.filter { $0.tripID != other }
        let others = (0..<count).map { number in
            Waypoint(
                coordinate: Coordinate(latitude: 1, longitude: Double(number)),
                tripID: other,
                kind: number.isMultiple(of: 2) ? .pickup : .dropoff
            )
        }
        scene.trip.remainingWaypoints = others + own
    }

    @Test mutating func `the stops of others before the own one fall to a number once, also if some are added`() throws
    {
        var found: [Int] = []
        for (answer, count) in [4, 3, 2, 3, 2, 1, 0].enumerated() {
            try setOthers(count)
            scene.answer()
            #expect(scene.facts?.stopsAhead?.count == count)
            if scene.facts?.stopsAhead?.fallsTo(2) == true { found.append(answer) }
        }
        #expect(found == [2])
        #expect(scene.facts?.stopsAhead?.arrival.kind == .pickup)
    }

    @Test mutating func `each own stop has its approach`() throws {
        try setOthers(0)
        scene.answer()
        #expect(scene.facts?.stopsAhead?.fallsTo(0) == true)
        scene.answer()
        #expect(scene.facts?.stopsAhead?.fallsTo(0) == false)
        scene.trip.status = .arrivedAtPickup
        scene.answer()
        #expect(scene.facts?.stopsAhead == nil, "the vehicle is there")
        scene.trip.status = .enrouteToDropoff
        scene.trip.remainingWaypoints.removeFirst()
        scene.answer()
        #expect(scene.facts?.stopsAhead?.arrival.kind == .dropoff)
        #expect(scene.facts?.stopsAhead?.fallsTo(0) == true)
    }

    @Test mutating func `an answer without waypoints says nothing about the stops`() {
        scene.trip.remainingWaypoints = []
        scene.answer()
        #expect(scene.facts?.stopsAhead == nil)
    }

    @Test func `the count of a shipment has its own stop in it`() throws {
        var info = TaskTrackingInfo(trackingID: try TrackingID("s"), provider: try ProviderID("p"), state: .open)
        let id = Journey.shipment(info).id
        var (table, state) = (JourneyTable(), TripState(id: id))
        var counts: [Int?] = []
        for (number, left) in [nil, 3, 1, 0].enumerated() {
            info.remainingStopCount = left
            let now = Moment(wall: JourneyScene.start + Double(number), steady: .seconds(number))
            var report = PollReport(journey: id, started: now)
            report.outcome = .success(.shipment(info))
            state.merge(.shipment(info), of: report)
            _ = table.apply(.polled(report, state, PollSchedule(interval: .seconds(5), next: nil)), at: now)
            counts.append(table[id]?.stopsAhead?.count)
        }
        #expect(counts == [nil, 2, 0, 0])
    }
}
