package import Foundation
package import TripFeed
package import TripModel

/// Rides that really took place, read from the logs that Fleet Engine wrote of them.
///
/// A log tells of the requests of drivers and providers, not of what riders saw; from the answers to those requests each
/// trip's state is put together again, as a rider would have been told it at that time.
package struct RecordedTrips: Sendable {
    /// What was known of a trip from a time on.
    package struct Snapshot: Sendable, Equatable {
        /// When the service received the request that brought it.
        package var time: Date
        /// The trip, with the versions of its parts; its remaining time is `nil`, as it depends on when one asks.
        package var trip: Trip
    }

    /// All that happened to one trip.
    package struct Timeline: Sendable {
        /// The trip.
        package let id: TripID
        /// The last vehicle that served it; `nil` where there never was one.
        package let vehicleID: VehicleID?
        /// Its states, oldest first, at least one.
        package let snapshots: [Snapshot]

        /// The state at a time: the last snapshot that is not later; `nil` before the first.
        package func snapshot(at time: Date) -> Snapshot? {
            var low = 0
            var high = snapshots.count
            while low < high {
                let middle = (low + high) / 2
                if snapshots[middle].time <= time { low = middle + 1 } else { high = middle }
            }
            return low == 0 ? nil : snapshots[low - 1]
        }
    }

    /// The project that owns the trips.
    package let provider: ProviderID
    /// The trips in the order in which the log first tells of them, at least one.
    package let timelines: [Timeline]
    /// The time of the first snapshot of all.
    package let start: Date
    /// The time of the last snapshot of all.
    package let end: Date

    /// Reads an export of Cloud Logging or a file of Google's Fleet Debugger, of 64 MiB at most.
    ///
    /// Requests that the service refused leave no trace. Trips of another project than the first trip's are left out.
    package init(bytes: [UInt8]) throws(RecordingError) {
        let entries = try LogFile.entries(bytes)
        guard let provider = entries.lazy.filter({ $0.tripID != nil }).compactMap(\.provider).first else {
            throw .noTrips
        }
        var builder = TimelineBuilder(provider: provider)
        for entry in entries where entry.provider == nil || entry.provider == provider {
            try builder.take(entry)
        }
        guard !builder.timelines.isEmpty else { throw .noTrips }
        self.init(provider: provider, timelines: builder.timelines)
    }

    /// Sets the first and the last time from the timelines.
    private init(provider: ProviderID, timelines: [Timeline]) {
        self.provider = provider
        self.timelines = timelines
        start = timelines.compactMap(\.snapshots.first?.time).min() ?? .distantPast
        end = timelines.compactMap(\.snapshots.last?.time).max() ?? .distantPast
    }

    /// The fields that no snapshot of a trip under way has: the format of the log lacks them, or cannot be read.
    package var absentFields: Set<TripField> {
        var absent: Set<TripField> = [.remainingWaypoints, .route, .etaToFirstWaypoint, .lastLocation]
        for snapshot in timelines.lazy.flatMap(\.snapshots) {
            let trip = snapshot.trip
            if !trip.remainingWaypoints.isEmpty { absent.remove(.remainingWaypoints) }
            if trip.route != nil { absent.remove(.route) }
            if trip.firstArrival != nil { absent.remove(.etaToFirstWaypoint) }
            if trip.lastLocation?.coordinate != nil { absent.remove(.lastLocation) }
            if absent.isEmpty { break }
        }
        return absent
    }

    /// The same rides at another time: every time in every snapshot moves as the start does, the versions included.
    package func shifted(to newStart: Date) -> RecordedTrips {
        let delta = newStart.timeIntervalSince(start)
        return RecordedTrips(
            provider: provider,
            timelines: timelines.map { timeline in
                Timeline(
                    id: timeline.id,
                    vehicleID: timeline.vehicleID,
                    snapshots: timeline.snapshots.map {
                        Snapshot(time: $0.time.addingTimeInterval(delta), trip: $0.trip.shifted(by: delta))
                    }
                )
            }
        )
    }
}
