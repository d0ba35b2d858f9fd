import FleetWire
package import Foundation
import Runtime
import TripFeed
package import TripModel

/// Real rides and shipments, reconstructed from Fleet Engine's logs.
///
/// A log often lacks the requests of riders and recipients. Each trip's state is reconstructed from the answers to the requests of
/// drivers and providers, as a rider would have received it at that time. For a shipment without such requests, it is what the
/// recipient received.
package struct RecordedTrips: Sendable {
    /// The state of a trip from a time on.
    package struct Snapshot: Sendable, Equatable {
        /// When the service received the request.
        package var time: Date
        /// The trip with the versions of its parts, or the shipment.
        ///
        /// `remainingTime` is `nil`, because it depends on the time of the request.
        package var journey: Journey
    }

    /// The history of one trip.
    package struct Timeline: Sendable {
        /// The trip.
        package let id: JourneyID
        /// The last assigned vehicle; `nil` if there was none.
        package let vehicleID: VehicleID?
        /// The states, oldest first; at least one.
        package let snapshots: [Snapshot]

        /// Returns the last snapshot at or before a time; `nil` before the first one.
        package func snapshot(at time: Date) -> Snapshot? {
            let count = count(until: time)
            return count == 0 ? nil : snapshots[count - 1]
        }

        /// Returns the number of snapshots at or before a time.
        func count(until time: Date) -> Int {
            var low = 0
            var high = snapshots.count
            while low < high {
                let middle = (low + high) / 2
                if snapshots[middle].time <= time { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    /// The project that owns the trips.
    package let provider: ProviderID
    /// The trips in order of their first appearance; at least one.
    package let timelines: [Timeline]
    /// The time of the first snapshot.
    package let start: Date
    /// The time of the last snapshot.
    package let end: Date
    /// The lines of the file that were skipped; `nil` if there are none.
    package let skipped: SkippedLines?

    /// The maximum size of a file in bytes: 64 MiB.
    package static let maximumBytes = LogFile.maximumBytes

    /// Reads an export of Cloud Logging or a file of Google's Fleet Debugger of at most 64 MiB.
    ///
    /// Refused requests are ignored. Trips of other projects than the first trip's are skipped. Lines that cannot be read
    /// are skipped, too.
    package init(bytes: [UInt8]) throws(RecordingError) {
        let file = try LogFile(bytes)
        try self.init(file.entries, skipped: file.skipped)
    }

    /// Reconstructs the trips from entries in order of time.
    init(_ entries: [LogEntry], skipped: SkippedLines? = nil) throws(RecordingError) {
        guard let provider = entries.lazy.filter({ $0.isDelivery || $0.tripID != nil }).compactMap(\.provider).first
        else {
            throw .noTrips
        }
        var builder = TimelineBuilder(provider: provider)
        for entry in entries where entry.provider == nil || entry.provider == provider {
            try builder.handle(entry)
        }
        guard !builder.timelines.isEmpty else { throw .noTrips }
        self.init(provider: provider, timelines: builder.timelines, skipped: skipped)
    }

    /// Computes the first and the last time from the timelines.
    private init(provider: ProviderID, timelines: [Timeline], skipped: SkippedLines?) {
        (self.provider, self.skipped) = (provider, skipped)
        self.timelines = timelines
        start = timelines.compactMap(\.snapshots.first?.time).min() ?? .distantPast
        end = timelines.compactMap(\.snapshots.last?.time).max() ?? .distantPast
    }

    /// The fields that no snapshot of an active trip contains, because the log format lacks them or they are unreadable.
    ///
    /// ``TripField/missedStatuses`` is one of them if the log skips no status: then only a poll can have missed one.
    package var absentFields: Set<TripField> {
        let skips = timelines.contains { timeline in
            zip(timeline.snapshots, timeline.snapshots.dropFirst()).contains { before, after in
                !after.journey.statusesSkipped(after: before.journey.status).isEmpty
            }
        }
        return unreadFields.union(skips ? [] : [.missedStatuses])
    }

    private var unreadFields: Set<TripField> {
        var absent: Set<TripField> = [.remainingWaypoints, .route, .etaToFirstWaypoint, .lastLocation]
        for snapshot in timelines.lazy.flatMap(\.snapshots) {
            let trip = snapshot.journey
            if !trip.remainingWaypoints.isEmpty { absent.remove(.remainingWaypoints) }
            if trip.route != nil { absent.remove(.route) }
            if trip.firstArrival != nil { absent.remove(.etaToFirstWaypoint) }
            if trip.lastLocation?.coordinate != nil { absent.remove(.lastLocation) }
            if absent.isEmpty { break }
        }
        return absent
    }

    /// Returns the rides shifted to a new start; all times in all snapshots are shifted, including the versions.
    package func shifted(to newStart: Date) -> RecordedTrips {
        let delta = newStart.timeIntervalSince(start)
        return RecordedTrips(
            provider: provider,
            timelines: timelines.map { timeline in
                Timeline(
                    id: timeline.id,
                    vehicleID: timeline.vehicleID,
                    snapshots: timeline.snapshots.map {
                        Snapshot(time: $0.time.addingTimeInterval(delta), journey: $0.journey.shifted(by: delta))
                    }
                )
            },
            skipped: skipped
        )
    }
}

extension Trip {
    /// Creates the trip of an answer, which replaces the known state; without versions that matter.
    ///
    /// The other trips of its vehicle determine the owners of waypoints. The known state provides the traffic.
    init(
        _ answer: LogMessage<TripMessage>,
        _ id: TripID,
        in provider: ProviderID,
        known: Trip?,
        others: [Trip],
        paths: inout PathDecoder
    ) {
        self = answer.trip(id, in: provider, &paths)
        // It depends on the time of the request, and the stops of other trips are not updated.
        (remainingTime, vehicleWaypoints) = (nil, [])
        lastLocationSnappable = lastLocation?.coordinate != nil && route != nil
        traffic = traffic.flatMap { $0.along(route, known: known) }
        let matcher = WaypointMatcher(trip: self, others: others)
        remainingWaypoints = matcher.waypoints(remainingWaypoints)
        routeEnd = matcher.routeEnd(routeEnd, among: remainingWaypoints)
    }
}

extension Traffic {
    /// Returns the traffic along a route of a log.
    ///
    /// The service's point indices refer to a finer path than the route, which the log does not contain. Indices beyond the
    /// route are used only if they have a single class of traffic, because then no boundary is needed. Otherwise the previous
    /// traffic along the same route is retained.
    fileprivate func along(_ route: Route?, known: Trip?) -> Traffic? {
        guard let route, let speed = intervals.first?.speed else { return nil }
        let last = (path ?? route.points).count - 1
        if intervals.allSatisfy({ 0 <= $0.start && $0.start < $0.end && $0.end <= last }) { return self }
        guard last > 0, intervals.allSatisfy({ $0.speed == speed }) else {
            return known?.route == route ? known?.traffic : nil
        }
        return Traffic(intervals: [Interval(start: 0, end: last, speed: speed)], path: path)
    }
}

/// Access to values of log entries, whose keys the parser has normalized.
extension JSONValue {
    /// The members, where it is an object.
    var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The elements of a list.
    var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The number rounded to an integer.
    var integer: Int? { logNumber.map { Int(clamped: $0.rounded()) } }

    /// Returns this value merged with another value: objects are merged by member, other values are replaced.
    func merged(with other: JSONValue) -> JSONValue {
        guard case .object(let mine) = self, case .object(let theirs) = other else { return other }
        var members = mine
        for member in theirs {
            if let index = members.lastIndex(where: { $0.key == member.key }) {
                members[index].value = members[index].value.merged(with: member.value)
            } else {
                members.append(member)
            }
        }
        return .object(members)
    }
}
