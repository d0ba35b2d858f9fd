import Failures
import Foundation
import Runtime
import TripFeed
import TripModel

/// A ride of which the whole truth is known: when the vehicle arrived, what it reported, and which polls were answered.
///
/// All times are seconds after the start.
struct GeneratedRide {
    static let start = Date(timeIntervalSince1970: 1_773_476_000)

    /// A report of the vehicle with the estimate that the service gets with it.
    struct Report {
        let time: Double
        let estimate: Double
    }

    /// A poll; what it shows is older by `cached`.
    struct Poll {
        let time: Double
        let isAnswered: Bool
        let cached: Double
    }

    /// When the vehicle arrived at the pickup, and when the trip was complete.
    let arrival, end: Double
    /// The reports of the vehicle; none while it is silent.
    let reports: [Report]
    /// The polls.
    let polls: [Poll]
    /// How far the service's clock is ahead.
    let serviceAhead: Double
    /// Whether the service shows no position.
    let isHidden: Bool
    /// The estimate of the drop-off.
    let dropoff: Double

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
        arrival = number(30...240)
        end = arrival + number(20...200)
        serviceAhead = Bool.random(using: &random) ? 0 : number(-300...300)
        isHidden = Int.random(in: 0..<4, using: &random) == 0
        dropoff = number(60...500)
        let silence = number(0...300)
        let silent = silence...(silence + number(0...120))
        var (reports, time) = ([Report](), 0.0)
        // A forecast that is renewed rarely passes while the vehicle is under way.
        var estimate = arrival + number(-90...90)
        while time < end {
            if Int.random(in: 0..<5, using: &random) == 0 { estimate = max(time, arrival + number(-60...60)) }
            if !silent.contains(time) { reports.append(Report(time: time, estimate: estimate)) }
            time += number(2...10)
        }
        self.reports = reports
        let outages = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
            let begin = number(0...400)
            return begin...(begin + number(5...150))
        }
        let interval = number(2...25)
        let isCached = Int.random(in: 0..<4, using: &random) == 0
        var polls: [Poll] = []
        time = 0
        while time < end + 120 {
            let isAnswered = !outages.contains { [time] in $0.contains(time) }
            polls.append(Poll(time: time, isAnswered: isAnswered, cached: isCached ? min(time, number(0...40)) : 0))
            time += interval
        }
        self.polls = polls
    }

    /// The session with these events.
    struct Session {
        var table = JourneyTable()
        var state: TripState
        let id: JourneyID
    }

    func session() throws -> Session {
        let id = JourneyID.trip(try TripID("t"))
        return Session(state: TripState(id: id), id: id)
    }

    static func moment(_ second: Double) -> Moment { Moment(wall: start + second, steady: .seconds(second)) }

    /// A time of the service's clock.
    func service(_ second: Double) -> Date { Self.start + second + serviceAhead }

    /// The second of a time of the service's clock.
    func second(_ date: Date) -> Double { date.timeIntervalSince(Self.start) - serviceAhead }

    /// What the service knows at a time.
    private func trip(at time: Double) throws -> Trip {
        let own = try TripID("t")
        var trip = Trip(id: own, provider: try ProviderID("p"), status: .enrouteToPickup)
        (trip.pickup, trip.dropoff) = (Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 0, longitude: 0.1))
        trip.vehicleID = try VehicleID("v")
        trip.dropoffTime = service(dropoff)
        let way = [(Waypoint.Kind.pickup, trip.pickup), (.dropoff, trip.dropoff)]
        trip.remainingWaypoints = way.map { Waypoint(coordinate: $1, tripID: own, kind: $0) }
        let last = reports.last { $0.time <= time }
        if let last, !isHidden {
            trip.lastLocation = VehicleLocation(coordinate: Coordinate(latitude: 0, longitude: -0.01))
            trip.lastLocation?.serverTime = service(last.time)
        }
        // A hidden vehicle's service has the estimate of the arrival all the same.
        if let last { trip.etaToFirstWaypoint = service(last.estimate) }
        trip.pickupTime = trip.etaToFirstWaypoint
        if time >= arrival { (trip.status, trip.etaToFirstWaypoint) = (.arrivedAtPickup, nil) }
        if time >= end {
            (trip.status, trip.remainingWaypoints) = (.complete, [])
            trip.dropoffTime = service(end)
        }
        return trip
    }

    /// Applies a poll to a session.
    func apply(_ poll: Poll, to session: inout Session) throws {
        let now = Self.moment(poll.time)
        var report = PollReport(journey: session.id, started: now)
        if poll.isAnswered {
            let answer = Journey.trip(try trip(at: poll.time - poll.cached))
            report.outcome = .success(answer)
            session.state.merge(
                answer,
                serverDate: service(poll.time),
                cacheAge: .seconds(poll.cached),
                sent: now,
                at: now
            )
        } else {
            report.outcome = .failure(.service(ServiceAnswer(httpStatus: 503), retryAfter: nil))
        }
        let schedule = PollSchedule(interval: .seconds(5), next: nil)
        _ = session.table.apply(.polled(report, session.state, schedule), at: now)
    }
}
