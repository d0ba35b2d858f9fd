import Foundation
import Runtime
import TripModel

/// Something that driver, server and rider disagree about.
package struct SideDifference: Sendable, Equatable {
    /// What differs; the raw value is its name in JSON output.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The rider received another status than the trip had.
        case status
        /// The status has changed since the rider polled.
        case statusNotFetched
        /// The rider received another vehicle.
        case vehicle
        /// The rider received a position that is older than the driver's last report.
        case positionOlder
        /// The driver has reported new positions since the rider polled.
        case positionNotFetched
        /// The service's position differs from the position that the driver reported.
        case positionApart
        /// The rider received another number of waypoints.
        case waypoints
        /// The rider received another ETA.
        case arrival
    }

    /// What differs.
    package var kind: Kind
    /// The difference in seconds, for times.
    package var seconds: Double?
    /// The difference in meters, for positions.
    package var meters: Double?
    /// The value of the server, for names and numbers.
    package var server: String?
    /// The value that the rider received, for names and numbers.
    package var rider: String?
    /// The calls that have shown both values, the rider's last.
    package var evidence: [SideCall]

    /// Whether it is a fault; the other differences only mean that the rider's app has not polled again.
    package var isFault: Bool { kind != .statusNotFetched && kind != .positionNotFetched }

    init(
        _ kind: Kind,
        seconds: Double? = nil,
        meters: Double? = nil,
        server: String? = nil,
        rider: String? = nil,
        by calls: [SideCall?]
    ) {
        (self.kind, self.seconds, self.meters) = (kind, seconds, meters)
        (self.server, self.rider) = (server, rider)
        evidence = calls.compactMap(\.self)
    }
}

/// A rule that compares the sides of a trip.
struct SideRule: Sendable {
    /// Returns the difference; `nil` if the sides agree or one of them is unknown.
    let difference: @Sendable (TripSides) -> SideDifference?

    /// A rider's position may be older than the driver's by this number of seconds: half of the shortest report interval.
    static let positionTolerance = 2.5
    /// The seconds without a call after which the rider's app is not polling: three polls of 5 s.
    static let silence = 15.0
    /// The meters between two positions above which they are different ones.
    static let distance = 50.0
    /// The seconds between two ETAs above which they differ.
    static let arrival = 60.0

    /// All rules.
    static let all = [
        SideRule { sides in
            guard let server = sides.reports[.server], let rider = sides.reports[.rider], let set = server.statusCall,
                let status = server.status, let received = rider.status, status != received
            else { return nil }
            let kind: SideDifference.Kind = sides.riderHasAsked(after: set.time) ? .status : .statusNotFetched
            return SideDifference(kind, server: status.name, rider: received.name, by: [set, rider.call])
        },
        SideRule { sides in
            guard let server = sides.reports[.server], let rider = sides.reports[.rider], let vehicle = server.vehicle,
                let received = rider.vehicle, vehicle != received, sides.riderHasAsked(after: server.time)
            else { return nil }
            return SideDifference(
                .vehicle,
                server: vehicle.rawValue,
                rider: received.rawValue,
                by: [server.vehicleCall, rider.call]
            )
        },
        SideRule { sides in
            guard let driver = sides.reports[.driver], let rider = sides.reports[.rider],
                let reported = driver.locationTime, let received = rider.locationTime
            else { return nil }
            let seconds = reported.timeIntervalSince(received)
            guard seconds > positionTolerance else { return nil }
            let calls = [driver.locationCall, rider.call]
            if sides.riderHasAsked(after: reported) {
                return SideDifference(.positionOlder, seconds: seconds, by: calls)
            }
            guard reported.timeIntervalSince(rider.time) > silence else { return nil }
            return SideDifference(.positionNotFetched, seconds: seconds, by: calls)
        },
        SideRule { sides in
            guard let driver = sides.reports[.driver], let server = sides.reports[.server],
                let reported = driver.location?.coordinate, let known = server.location?.coordinate,
                driver.locationTime == driver.time
            else { return nil }
            let meters = reported.distance(to: known).meters
            guard meters > distance else { return nil }
            return SideDifference(.positionApart, meters: meters, by: [driver.locationCall, server.locationCall])
        },
        SideRule { sides in
            guard let server = sides.reports[.server], let rider = sides.reports[.rider],
                let count = server.waypointsLeft, let received = rider.waypointsLeft, count != received,
                sides.riderHasAsked(after: sides.reports[.driver].map { max($0.time, server.time) } ?? server.time)
            else { return nil }
            return SideDifference(
                .waypoints,
                server: String(count),
                rider: String(received),
                by: [server.routeCall, rider.call]
            )
        },
        SideRule { sides in
            guard let server = sides.reports[.server], let rider = sides.reports[.rider], let eta = server.arrival,
                let received = rider.arrival,
                sides.riderHasAsked(after: sides.reports[.driver].map { max($0.time, server.time) } ?? server.time)
            else { return nil }
            let seconds = eta.timeIntervalSince(received)
            guard abs(seconds) > arrival else { return nil }
            return SideDifference(.arrival, seconds: seconds, by: [server.routeCall, rider.call])
        },
    ]
}
