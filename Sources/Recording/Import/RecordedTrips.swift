package import Foundation
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
