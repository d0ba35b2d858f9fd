import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// What happens on a ride besides its statuses: in the present tense while it happens, in the past tense after it.
///
/// A function of the changes of the trip, so that a replay says the same as the session.
struct RideStory: Sendable, Equatable {
    /// Something that happens on a ride.
    enum Event: Sendable, Hashable, CaseIterable {
        /// The service has rejected the token, until there is a new one.
        case rejection
        /// A token could not be fetched, until there is a new one.
        case noToken
        /// The vehicle reports nothing although the service answers.
        case silence
        /// The vehicle is away from its route, until there is a new one.
        case detour
        /// The vehicle does not move, away from its stops and from the stops of others that it serves.
        case standstill
        /// A traffic jam is ahead.
        case jam
        /// A token was fetched before the last one expired.
        case newToken
        /// The service has planned another route to the same stop.
        case newRoute

        /// The panel that shows it.
        var panel: Panel {
            switch self {
            case .rejection, .noToken, .newToken: .token
            case .silence, .detour, .standstill, .jam, .newRoute: .map
            }
        }
    }

    /// A panel that is lit when something changes in it.
    enum Panel: Sendable, Equatable {
        case map, arrival, token
    }

    /// A sentence about an event.
    struct Line: Sendable, Equatable {
        var event: Event
        /// Whether it is over.
        var isOver: Bool
        /// When it began or ended.
        var since: Moment
        /// The number of the current token; 0 without one.
        var token: Int
        /// When the same was reported before; `nil` if something else was in between.
        var previous: Moment?

        /// Whether it stood already when it was reported again.
        func isRepeated(speed: Double) -> Bool {
            previous.map { (since.steady - $0.steady).seconds < RideStory.memory * max(1, speed) } ?? false
        }
    }

    /// The panel that changed last, and when.
    private struct LitPanel: Sendable, Equatable {
        var panel: Panel
        var at: Moment
    }

    /// When each current event began.
    private var current: [Event: Moment] = [:]
    /// The last event that is over.
    private var past: Line?
    /// The number of the current token.
    private var token = 0
    private var change: LitPanel?
    /// The event of the changes that are recorded.
    private var stamp: EventStamp?
    /// The event that began or ended each kind last.
    private var stamps: [Event: EventStamp] = [:]
    /// The seconds between the two reports around the last silence.
    private var silence = 0.0
    /// When the vehicle stopped on this leg by its reports, in the service's time; `nil` while it moves.
    private var standing: Date?

    /// The duration of the caption about an ended event, in seconds of real time.
    static let memory = 8.0
    /// The minimum duration of a silence in seconds of real time: at a high speed, a report that is a moment late is no event.
    static let shortestSilence = 1.0
    /// The real time for which a panel is lit, in seconds.
    static let light = 1.0

    /// The minimum duration of a standstill in seconds; shorter ones are no event.
    static let standstill = 15.0
    /// The minimum distance in meters from the old route for a changed route to count as a new one.
    private static let otherWay = 60.0
    /// The speed in meters per second below which a vehicle counts as stopped.
    private static let slowest = 0.5

    // MARK: Events

    /// Records what an event has changed.
    mutating func handle(_ changes: [JourneyChange]) {
        for change in changes {
            stamp = change.stamp
            switch change.kind {
            case .token(let event, let before): handle(event, before)
            case .findings(let findings):
                if findings.contains(where: { $0.rule.id == "offRoute" }) { begin(.detour, at: change.at) }
            case .status:
                self.change = LitPanel(panel: .arrival, at: change.at)
                for event in [Event.detour, .standstill, .jam] { current[event] = nil }
                standing = nil
                // The status says what is now.
                past = nil
            case .reportsAgain(let silence):
                self.silence = silence.seconds
                report(.silence, at: change.at)
            case .answered(let state, let before): handle(state, after: before, at: change.at)
            default: break
            }
        }
    }

    private mutating func handle(_ event: TokenEvent, _ before: TokenFacts) {
        token = event.status.generation
        switch event.kind {
        case .rejected: begin(.rejection, at: event.at)
        case .failed: begin(.noToken, at: event.at)
        case .stored:
            let hadFailed = current.removeValue(forKey: .noToken) != nil
            if current[.rejection] != nil {
                end(.rejection, at: event.at)
            } else if hadFailed {
                report(.noToken, at: event.at)
            } else if before.fetchReason == .ahead, token > 1, before.isGood(at: event) {
                report(.newToken, at: event.at)
            }
        case .closed:
            current[.rejection] = nil
            current[.noToken] = nil
        case .fetching, .repeated, .discardedLate, .clockDisagreement, .evicted, .omitted: break
        }
    }

    private mutating func handle(_ state: TripState, after before: TripState?, at now: Moment) {
        guard let trip = state.journey else { return }
        let isSameLeg =
            before?.journey.map {
                $0.status == trip.status && $0.remainingWaypoints.count == trip.remainingWaypoints.count
            }
            ?? false
        guard trip.isUnderWay else { return }
        if isSameLeg, let old = before?.journey?.route, let new = trip.route, old != new,
            before?.journey?.routeVersion != trip.routeVersion, Self.leads(new, awayFrom: old)
        {
            current[.detour] = nil
            report(.newRoute, at: now)
        }
        recordSpeed(of: trip, at: now)
        let isJammed = trip.hasJamAhead
        if isJammed, current[.jam] == nil { begin(.jam, at: now) }
        if !isJammed, current[.jam] != nil { end(.jam, at: now) }
    }

    /// Returns whether a route leads somewhere else than another route, not only along it with other points.
    private static func leads(_ new: Route, awayFrom old: Route) -> Bool {
        let step = max(1, new.points.count / 40)
        return stride(from: 0, to: new.points.count, by: step).contains { index in
            (old.nearest(to: new.points[index])?.offRoute ?? 0) > Self.otherWay
        }
    }

    private mutating func recordSpeed(of journey: Journey, at now: Moment) {
        guard let location = journey.lastLocation, let speed = location.speed, let time = location.serverTime else {
            return
        }
        guard speed < Self.slowest else {
            standing = nil
            if current[.standstill] != nil { end(.standstill, at: now) }
            return
        }
        // At a door, and at its own stop, a vehicle stops as planned.
        guard !journey.servesOthers, !journey.isAtOwnStop else {
            (standing, current[.standstill]) = (nil, nil)
            return
        }
        let since = standing ?? time
        standing = since
        if time.timeIntervalSince(since) >= Self.standstill { begin(.standstill, at: now) }
    }

    private mutating func begin(_ event: Event, at now: Moment) {
        guard current[event] == nil else { return }
        current[event] = now
        stamps[event] = stamp
        change = LitPanel(panel: event.panel, at: now)
    }

    private mutating func end(_ event: Event, at now: Moment) {
        current[event] = nil
        report(event, at: now)
    }

    private mutating func report(_ event: Event, at now: Moment) {
        let previous = past.flatMap { $0.event == event ? $0.since : nil }
        past = Line(event: event, isOver: true, since: now, token: token, previous: previous)
        stamps[event] = stamp
        change = LitPanel(panel: event.panel, at: now)
    }

    // MARK: Results

    /// Returns what happens, or has just happened.
    ///
    /// - Parameters:
    ///   - now: The displayed time.
    ///   - age: For how long the vehicle reports nothing; `nil` if it reports.
    ///   - speed: Virtual seconds per real second.
    /// - Returns: The line; `nil` if there is nothing to say.
    func line(at now: Moment, silentFor age: Duration?, speed: Double) -> Line? {
        let shortest = Self.shortestSilence * speed
        for event in Event.allCases {
            if event == .silence, let age, age.seconds >= shortest {
                return Line(event: event, isOver: false, since: now, token: token)
            }
            if let since = current[event] { return Line(event: event, isOver: false, since: since, token: token) }
        }
        guard let past, (now.steady - past.since.steady).seconds < Self.memory * max(1, speed) else { return nil }
        return past.event == .silence && (age != nil || silence < shortest) ? nil : past
    }

    /// Returns the event that supports a line; `nil` for a silence, which no event begins.
    func stamp(of line: Line) -> EventStamp? { line.event == .silence && !line.isOver ? nil : stamps[line.event] }

    /// Returns the panel that has changed in the last second of real time.
    func lit(at now: Moment, speed: Double) -> Panel? {
        guard let change, (now.steady - change.at.steady).seconds < Self.light * max(1, speed) else { return nil }
        return change.panel
    }
}

extension TokenFacts {
    /// Whether the token is not known to have ended before the next one was stored, so that no poll had to wait.
    fileprivate func isGood(at event: TokenEvent) -> Bool {
        guard let status = status?.value, let end = status.usableUntil ?? status.expiresAt else { return true }
        return end > event.at.wall.addingTimeInterval(status.clockOffset?.seconds ?? 0)
    }
}

extension Journey {
    /// Whether a traffic jam is ahead of the vehicle, as the map shows it.
    var hasJamAhead: Bool {
        guard isUnderWay, traffic?.intervals.contains(where: { $0.speed == .jam }) == true else { return false }
        return RemainingRoute(
            of: self,
            from: lastLocation.flatMap { $0.coordinate?.isValid == true ? $0.coordinate : nil },
            maximumPoints: MapPicture.maximumPoints
        )
        .lines.contains { $0.path == .jam && $0.points.count > 1 }
    }
}
