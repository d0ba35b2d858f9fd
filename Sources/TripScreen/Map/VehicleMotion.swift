import Foundation
import TripModel

/// Where the vehicle probably is between two reports of its position.
///
/// A function of the last two reports and the time, so that a replay shows the same as the session:
///
/// - It moves along the route at the reported speed, slower from ``fullSpeed`` on, and stops at ``longest``.
/// - It never moves beyond the next stop, and it does not move at all if it could reach another rider's stop.
/// - After a new report it moves from where it was shown to the truth within ``correction``.
struct VehicleMotion: Sendable, Equatable {
    /// A place of the vehicle.
    struct Place: Sendable, Equatable {
        var coordinate: Coordinate
        /// Degrees clockwise from north; `nil` if unknown.
        var heading: Double?
        /// The estimated way from the last report, with both ends; empty if the place is not ahead of the report.
        var tail: [Coordinate]
    }

    /// The part of the route ahead of a report.
    private struct Way: Sendable, Equatable {
        var route: Route
        /// The distance of the report along the route, in meters from its start.
        var offset: Double
        /// Meters per second.
        var speed: Double
        /// When the service received the report, in its own time.
        var reported: Date

        /// Returns the distance along the route at a time of the service, in meters.
        func offset(at time: Date) -> Double {
            let way = speed * VehicleMotion.secondsAtFullSpeed(after: time.timeIntervalSince(reported))
            return min(offset + way, max(offset, route.length.meters))
        }
    }

    /// What the shown place differed by from the truth when a new report arrived.
    private struct Difference: Sendable, Equatable {
        enum Kind: Sendable, Equatable {
            /// Meters along the route; positive if the vehicle was shown ahead.
            case along(Double)
            /// The place where it was shown, beside the route.
            case from(Coordinate)
        }

        var kind: Kind
        /// When the report arrived.
        var since: Date
    }

    /// The age up to which the reported speed holds, in seconds: driver devices report every 5 s on a trip.
    static let fullSpeed = 5.0
    /// The age in seconds from which the vehicle is shown without movement, because its position is old.
    static let longest = 30.0
    /// The time in which the vehicle moves to the truth after a new report, in seconds.
    static let correction = 1.0
    /// Below this speed in meters per second, the vehicle counts as stationary.
    private static let standing = 0.5
    /// A vehicle at a greater distance from its route in meters is not on it.
    private static let offRoute = 60.0

    private let report: Coordinate
    private let heading: Double?
    private let way: Way?
    private let difference: Difference?

    /// Creates the motion after the last of two reports.
    ///
    /// - Parameters:
    ///   - journey: The journey as last reported; its position must be valid.
    ///   - way: The route to the next waypoint, and the position of the vehicle on it.
    ///   - reports: The last two reports.
    init?(of journey: Journey, on way: RemainingRoute, _ reports: PositionReports) {
        guard let location = journey.lastLocation, let place = location.coordinate, place.isValid else { return nil }
        report = place
        heading = location.heading.map(Double.init)
        let next = journey.remainingWaypoints.first ?? journey.routeEnd
        let isOwn = next?.belongs(to: journey.id.trip) ?? true
        func course(from location: VehicleLocation, at position: Route.Position?) -> Way? {
            guard let route = way.route, let position, position.offRoute < Self.offRoute,
                let reported = location.serverTime ?? location.measuredTime
            else { return nil }
            let rest = route.length.meters - position.offset
            let time = journey.etaToFirstWaypoint?.timeIntervalSince(reported)
            let speed = location.speed ?? time.map { $0 > 0 ? rest / $0 : 0 } ?? 0
            guard speed >= Self.standing else { return nil }
            let farthest = speed * Self.secondsAtFullSpeed(after: Self.longest)
            guard isOwn || farthest < rest else { return nil }
            return Way(route: route, offset: position.offset, speed: speed, reported: reported)
        }
        let current = journey.isUnderWay ? course(from: location, at: way.position) : nil
        self.way = current
        guard reports.last == location, let since = reports.arrived, let previous = reports.previous,
            let from = previous.coordinate, from.isValid
        else {
            difference = nil
            return
        }
        let before = way.route?.nearest(to: from)
        let past = journey.isUnderWay ? course(from: previous, at: before) : nil
        let shown = past.flatMap { way in way.route.position(at: way.offset(at: since)) }
        if let shown, let current {
            difference = Difference(kind: .along(shown.offset - current.offset(at: since)), since: since)
        } else {
            difference = Difference(kind: .from(shown?.coordinate ?? from), since: since)
        }
    }

    /// Returns how many seconds at full speed a vehicle drives that becomes slower as its report ages.
    static func secondsAtFullSpeed(after age: Double) -> Double {
        guard age > fullSpeed else { return max(0, age) }
        let slowing = longest - fullSpeed
        let time = min(age, longest) - fullSpeed
        return fullSpeed + time - time * time / (2 * slowing)
    }

    /// Returns the place at a time of the service.
    func place(at time: Date) -> Place {
        let rest = difference.map { 1 - min(1, max(0, time.timeIntervalSince($0.since) / Self.correction)) } ?? 0
        guard let way else {
            guard rest > 0, case .from(let start) = difference?.kind else {
                return Place(coordinate: report, heading: heading, tail: [])
            }
            return Place(coordinate: report.interpolated(to: start, fraction: rest), heading: heading, tail: [])
        }
        var offset = way.offset(at: time)
        if rest > 0, case .along(let meters) = difference?.kind {
            offset = min(max(0, offset + meters * rest), way.route.length.meters)
        }
        guard let position = way.route.position(at: offset) else {
            return Place(coordinate: report, heading: heading, tail: [])
        }
        var place = Place(coordinate: position.coordinate, heading: heading, tail: [])
        if rest > 0, case .from(let start) = difference?.kind {
            place.coordinate = position.coordinate.interpolated(to: start, fraction: rest)
        } else if offset > way.offset {
            place.heading = Self.heading(at: position, of: way.route) ?? heading
            place.tail = Self.points(of: way.route, from: way.offset, to: position)
        }
        return place
    }

    /// Returns the direction of the route at a position.
    private static func heading(at position: Route.Position, of route: Route) -> Double? {
        let segment = min(position.segment, route.points.count - 2)
        guard segment >= 0, route.offsets[segment] < route.offsets[segment + 1] else { return nil }
        return route.points[segment].bearing(to: route.points[segment + 1])
    }

    /// Returns the points of a part of a route.
    private static func points(of route: Route, from offset: Double, to end: Route.Position) -> [Coordinate] {
        guard let start = route.position(at: offset), start.segment <= end.segment else { return [] }
        return [start.coordinate] + route.points[(start.segment + 1)..<(end.segment + 1)] + [end.coordinate]
    }
}

/// The last two reports of the vehicle's position.
package struct PositionReports: Sendable, Equatable {
    /// The last report.
    private(set) var last: VehicleLocation?
    /// When the first answer with it arrived, in the service's time; `nil` before the second report.
    private(set) var arrived: Date?
    /// The report before; `nil` if there is none or a long time is between both.
    private(set) var previous: VehicleLocation?

    /// Takes the position of an answer that arrived at a time of the service.
    mutating func add(_ location: VehicleLocation?, at time: Date) {
        guard let location, location != last else { return }
        guard let last else {
            self.last = location
            return
        }
        let isNear = Self.time(of: location).flatMap { now in
            Self.time(of: last).map { now.timeIntervalSince($0) < VehicleMotion.longest }
        }
        (previous, arrived, self.last) = (isNear == true ? last : nil, time, location)
    }

    private static func time(of location: VehicleLocation) -> Date? { location.serverTime ?? location.measuredTime }
}
