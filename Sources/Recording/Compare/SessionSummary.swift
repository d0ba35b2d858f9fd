import Failures
package import Foundation
import Runtime
package import TripFeed
package import TripModel

/// What two sessions are compared by: times relative to the start, what riders see, counts of polls, errors and findings.
package struct SessionSummary: Sendable, Equatable {
    /// A predicted arrival from a time on.
    package struct Estimate: Sendable, Equatable {
        /// When it was received, in seconds since the start.
        package var received: Double
        /// The predicted arrival in seconds since the start; `nil` if there is no prediction any more.
        package var arrival: Double?
    }

    /// The first time of a status.
    package struct StatusTime: Sendable, Equatable {
        /// The status.
        package var status: JourneyStatus
        /// Seconds since the start.
        package var time: Double
    }

    /// What happened to one trip.
    package struct TripSummary: Sendable, Equatable {
        /// The trip.
        package var id: JourneyID
        /// The statuses in order of their first appearance, at most ``SessionSummary/mostStatuses``.
        package var statuses: [StatusTime] = []
        /// The predictions of the pickup, each until the next one.
        package var pickup: [Estimate] { arrivals[.pickup] ?? [] }
        /// The predictions of the drop-off.
        package var dropoff: [Estimate] { arrivals[.dropoff] ?? [] }
        /// The predictions and promises by place.
        package fileprivate(set) var arrivals: [SessionDifference.Place: [Estimate]] = [:]
        /// The ETAs of the remaining waypoints: 0 is the last waypoint, the trip's drop-off.
        fileprivate(set) var stops: [Int: [Estimate]] = [:]
        /// The values that a rider sees.
        package fileprivate(set) var values = TripValues()
        /// When the parts of the trip happened.
        package var milestones = TripMilestones()
        /// When it was last observed, by the service's clock.
        fileprivate var observed: Date?
        /// The number of polls.
        package var polls = 0
        /// The number of failed polls by code.
        package var errors: [String: Int] = [:]
        /// The number of findings by rule.
        package var findings: [String: Int] = [:]
    }

    static let mostStatuses = 64
    /// The maximum number of remaining waypoints whose ETAs are compared.
    static let mostStops = 64

    /// The trips in order of their first appearance.
    package private(set) var trips: [TripSummary] = []
    /// The longest poll interval in seconds; 0 for a log.
    package private(set) var interval: Double
    /// Whether the file contains polls; a log never does.
    package private(set) var hasPolls: Bool
    /// The number of lines that were skipped because they are torn or unknown.
    package private(set) var skipped = 0

    /// The first poll or observation.
    package private(set) var start: Date?
    private var indices: [JourneyID: Int] = [:]

    /// Summarizes a session; times count from its first poll or observation.
    package init(_ session: RecordedSession) {
        interval = session.header?.configuration.interval ?? 0
        hasPolls = session.hasPolls
        var summary = self
        summary.skipped = session.read { summary.handle($0) }
        self = summary
    }

    private mutating func handle(_ event: RecordedSession.Event) {
        switch event {
        case .poll(let poll):
            if start == nil { start = poll.state.serviceTime(poll.report.started) }
            interval = max(interval, poll.schedule.interval.recorded)
            let index = index(of: poll.report.journey)
            // What an injected fault held back says nothing about the service.
            guard poll.report.failure?.isHeldBack != true else { break }
            trips[index].polls += 1
            if let code = poll.report.failure?.nameInJSON { trips[index].errors[code, default: 0] += 1 }
        case .observation(let observation): handle(observation)
        case .findings(let trip, let findings):
            let index = index(of: trip)
            for finding in findings { trips[index].findings[finding.rule.id, default: 0] += 1 }
        case .driver, .token, .search, .fault, .note: break
        }
    }

    private mutating func handle(_ observation: RecordedSession.Observation) {
        let trip = observation.journey
        let start = self.start ?? observation.time
        self.start = start
        let time = observation.time.timeIntervalSince(start)
        let index = index(of: trip.id)
        trips[index].milestones.record(trip, at: observation.time, after: trips[index].observed)
        trips[index].observed = observation.time
        if trips[index].statuses.count < Self.mostStatuses,
            !trips[index].statuses.contains(where: { $0.status == trip.status })
        {
            trips[index].statuses.append(StatusTime(status: trip.status, time: time))
        }
        trips[index].values.record(trip, at: time)
        // The time of an ended part is no prediction.
        let rank = trip.status.rank ?? 0
        let isKnown = [trip.pickupTime, trip.dropoffTime].contains(trip.etaToFirstWaypoint)
        let window = trip.shipment?.targetTimeWindow
        let times: [(SessionDifference.Place, Date?)] = [
            (.pickup, rank < 2 ? trip.pickupTime : nil), (.dropoff, rank < 5 ? trip.dropoffTime : nil),
            (.nextStop, rank < 5 && !isKnown ? trip.etaToFirstWaypoint : nil), (.windowStart, window?.start),
            (.windowEnd, window?.end),
        ]
        for (place, arrival) in times {
            Self.note(arrival, at: time, since: start, in: &trips[index].arrivals[place, default: []])
        }
        let stops = trip.remainingWaypoints.suffix(Self.mostStops).reversed().map(\.eta)
        for stop in 0..<max(stops.count, (trips[index].stops.keys.max() ?? -1) + 1) {
            let eta = stop < stops.count ? stops[stop] : nil
            guard eta != nil || trips[index].stops[stop] != nil else { continue }
            Self.note(eta, at: time, since: start, in: &trips[index].stops[stop, default: []])
        }
    }

    private static func note(_ arrival: Date?, at time: Double, since start: Date, in estimates: inout [Estimate]) {
        let arrival = arrival.map { $0.timeIntervalSince(start) }
        if estimates.isEmpty ? arrival != nil : estimates[estimates.count - 1].arrival != arrival {
            estimates.append(Estimate(received: time, arrival: arrival))
        }
    }

    private mutating func index(of journey: JourneyID) -> Int {
        if let index = indices[journey] { return index }
        indices[journey] = trips.count
        trips.append(TripSummary(id: journey))
        return trips.count - 1
    }
}
