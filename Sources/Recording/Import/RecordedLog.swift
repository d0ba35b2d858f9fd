import Foundation
import Runtime
package import TripFeed
import TripModel

/// A log of Fleet Engine: the trips as riders see them, and what driver, server and rider knew at each time.
package struct RecordedLog: Sendable {
    /// The trips.
    package let trips: RecordedTrips
    /// What each call has changed, in order of time; the feed events are left out.
    package let sides: [LiveLog.Step]

    /// Reads an export of Cloud Logging or a file of Google's Fleet Debugger of at most 64 MiB.
    package init(bytes: [UInt8], limits: FindingLimits = FindingLimits()) throws(RecordingError) {
        let file = try LogFile(bytes)
        let entries = file.entries
        trips = try RecordedTrips(entries, skipped: file.skipped)
        var log = LiveLog(trips: trips.timelines.map(\.id), provider: trips.provider, limits: limits)
        var sides: [LiveLog.Step] = []
        for entry in entries {
            let at = Duration.seconds(max(0, entry.time.timeIntervalSince(trips.start)))
            for item in log.handle(entry, at: Moment(wall: entry.time, steady: at)) {
                guard case .step(var step) = item else { continue }
                step.events = []
                sides.append(step)
            }
        }
        self.sides = sides
    }

    /// Returns the time of a step since the first entry of a trip.
    package func time(of step: LiveLog.Step) -> Duration {
        .microseconds(Int64((max(0, step.time.timeIntervalSince(trips.start)) * 1e6).rounded()))
    }
}
