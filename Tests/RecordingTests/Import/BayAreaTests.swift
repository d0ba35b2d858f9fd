import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// The log of a real afternoon: one vehicle, two trips.
///
/// The recording is not part of the repository.
@Suite(
    "Two trips in the Bay Area",
    .enabled(if: Shared.isThere, Shared.why),
    .ends(within: .quickTest)
)
struct BayAreaTests {
    private let trips: RecordedTrips

    init() throws {
        trips = try BayArea.trips.get()
    }

    @Test func `has 482 snapshots of two trips of one vehicle`() throws {
        #expect(trips.timelines.map(\.id.rawValue.count) == [36, 36])
        #expect(trips.timelines.map(\.vehicleID?.rawValue) == ["Vehicle_1", "Vehicle_1"])
        #expect(trips.timelines.reduce(0) { $0 + $1.snapshots.count } == 482)
        #expect(trips.timelines.map(\.snapshots.count) == [251, 231])
        #expect(trips.timelines.allSatisfy { $0.snapshots.map(\.time) == $0.snapshots.map(\.time).sorted() })
        #expect(trips.start == trips.timelines.first?.snapshots.first?.time)
        #expect(trips.end == trips.timelines.last?.snapshots.last?.time)
    }

    @Test(arguments: [
        (0, [0, 36, 122, 123, 1220]),
        (1, [0, 10, 355, 356, 1107]),
    ])
    func `has each status change at the same second as the log`(trip: Int, seconds: [Int]) throws {
        let snapshots = trips.timelines[trip].snapshots
        let start = try #require(snapshots.first?.time)
        var changes: [(TripStatus?, Int)] = []
        for snapshot in snapshots where changes.last?.0 != snapshot.journey.status.trip {
            changes.append((snapshot.journey.status.trip, Int(snapshot.time.timeIntervalSince(start).rounded())))
        }
        #expect(changes.map(\.0) == [.new, .enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete])
        #expect(changes.map(\.1) == seconds)
    }

    @Test func `a poll shows the status of its answer, whenever it is made`() throws {
        for timeline in trips.timelines {
            let (first, last) = (
                try #require(timeline.snapshots.first).time, try #require(timeline.snapshots.last).time
            )
            for phase in stride(from: 0.0, to: 5, by: 0.1) {
                var state = TripState(id: timeline.id)
                for time in stride(from: first + phase, through: last + 5, by: 5) {
                    let trip = try #require(timeline.snapshot(at: time)).journey
                    let steady = Duration.seconds(time.timeIntervalSince(first))
                    state.merge(trip, serverDate: time, at: Moment(wall: time, steady: steady))
                    #expect(state.journey?.status == trip.status, "\(steady) after the start of \(timeline.id)")
                }
            }
        }
    }

    @Test func `decodes every route, and the vehicle is on it`() throws {
        let driving = trips.timelines.flatMap(\.snapshots).map(\.journey).filter {
            $0.route != nil && !$0.status.isTerminal
        }
        #expect(driving.count == 478)
        let distances = try driving.map { trip in
            let place = try #require(trip.lastLocation?.coordinate)
            return try #require(trip.route?.nearest(to: place)).offRoute
        }.sorted()
        #expect(distances[distances.count / 2] < 1)
        #expect(distances[distances.count * 9 / 10] < 3)
    }

    @Test func `knows the trip of each remaining waypoint`() {
        for timeline in trips.timelines {
            for trip in timeline.snapshots.map(\.journey) where trip.vehicleID != nil && !trip.status.isTerminal {
                #expect(trip.remainingWaypoints.allSatisfy { $0.tripID == timeline.id.trip && $0.path != nil })
                // The driver's app may drive on a moment before the trip's status changes.
                let isLeaving = trip.status == .trip(.arrivedAtPickup) && trip.remainingWaypoints.count == 1
                let isAboard = trip.status == .trip(.enrouteToDropoff) || isLeaving
                #expect(trip.remainingWaypoints.map(\.kind) == (isAboard ? [.dropoff] : [.pickup, .dropoff]))
                #expect(trip.routeEnd?.kind == trip.remainingWaypoints.first?.kind)
                #expect(trip.routeEnd?.tripID == timeline.id.trip)
            }
        }
    }

    @Test func `has traffic that fits its path and the road stretches that the driver sent`() {
        let traffic = trips.timelines.flatMap(\.snapshots).filter { $0.journey.traffic != nil }
        #expect(traffic.count > 400)
        for trip in traffic.map(\.journey) {
            guard let traffic = trip.traffic else { continue }
            let points = traffic.path ?? trip.route?.points ?? []
            #expect(traffic.intervals.first?.start == 0)
            #expect(traffic.intervals.last.map { $0.end < points.count } == true)
            #expect(zip(traffic.intervals, traffic.intervals.dropFirst()).allSatisfy { $0.end == $1.start })
        }
        #expect(traffic.contains { $0.journey.traffic?.intervals.contains { $0.speed == .jam } == true })
    }

    @Test func `removes route and arrival once the trip is complete`() throws {
        for timeline in trips.timelines {
            let trip = try #require(timeline.snapshots.last).journey
            #expect(trip.status == .trip(.complete))
            #expect(trip.etaToFirstWaypoint == nil && trip.remainingDistance == nil)
            #expect(trip.route == nil && trip.routeVersion == nil && trip.remainingWaypoints.isEmpty)
            #expect(trip.actualPickup?.time != nil && trip.actualDropoff?.time != nil)
            #expect(trip.lastLocation?.coordinate != nil && trip.lastLocation?.serverTime == nil)
        }
    }

    @Test func `gives a part a new version only when it changes`() {
        for timeline in trips.timelines {
            for (before, after) in zip(timeline.snapshots, timeline.snapshots.dropFirst()) {
                #expect(
                    (before.journey.route == after.journey.route)
                        == (before.journey.routeVersion == after.journey.routeVersion)
                )
                #expect(
                    (before.journey.traffic == after.journey.traffic)
                        == (before.journey.trip?.trafficVersion == after.journey.trip?.trafficVersion)
                )
            }
        }
    }

    @Test func `shifting moves every time and loses nothing`() throws {
        let newStart = Date(timeIntervalSince1970: 1_800_000_000)
        let moved = trips.shifted(to: newStart)
        #expect(moved.start == newStart)
        #expect(abs(moved.end.timeIntervalSince(moved.start) - trips.end.timeIntervalSince(trips.start)) < 1e-3)
        for (old, new) in zip(trips.timelines, moved.timelines) {
            let delta = newStart.timeIntervalSince(trips.start)
            for (before, after) in zip(old.snapshots, new.snapshots) {
                #expect(after.time == before.time.addingTimeInterval(delta))
                #expect(
                    after.journey.etaToFirstWaypoint == before.journey.etaToFirstWaypoint?.addingTimeInterval(delta)
                )
                #expect(after.journey.status == before.journey.status && after.journey.route == before.journey.route)
            }
            let first = new.snapshots.first { $0.journey.route != nil }
            #expect(first?.journey.routeVersion == first.map { Version(Self.text($0.time)) })
        }
    }

    @Test func `returns the last snapshot that is not later`() throws {
        let timeline = trips.timelines[0]
        #expect(timeline.snapshot(at: trips.start.addingTimeInterval(-0.001)) == nil)
        #expect(timeline.snapshot(at: trips.start) == timeline.snapshots[0])
        #expect(timeline.snapshot(at: timeline.snapshots[7].time.addingTimeInterval(0.001)) == timeline.snapshots[7])
        #expect(timeline.snapshot(at: .distantFuture) == timeline.snapshots.last)
    }

    /// A time as written in a version, in microseconds.
    private static func text(_ time: Date) -> String {
        let micros = Int((time.timeIntervalSince1970 * 1e6).rounded())
        let seconds = Date(timeIntervalSince1970: Double(micros / 1_000_000))
        let fraction = String(micros % 1_000_000 + 1_000_000).dropFirst()
        return seconds.formatted(.iso8601).dropLast() + "." + fraction + "Z"
    }
}

/// The recording, read once.
enum BayArea {
    static let trips = Result { try RecordedTrips(bytes: [UInt8](Data(contentsOf: Shared.recording))) }
}
