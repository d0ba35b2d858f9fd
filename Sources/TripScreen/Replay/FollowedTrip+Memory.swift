import Failures
import Runtime
import TripFeed
import TripModel

extension FollowedTrip {
    /// Returns the approximate number of bytes besides those that it shares with an earlier version of the trip.
    func unsharedBytes(with before: FollowedTrip?) -> Int {
        var bytes = MemoryLayout<FollowedTrip>.stride + Self.fixedBytes
        bytes += state.trail.unsharedBytes(with: before?.state.trail)
        bytes += state.pickupEstimates.unsharedBytes(with: before?.state.pickupEstimates)
        bytes += state.dropoffEstimates.unsharedBytes(with: before?.state.dropoffEstimates)
        bytes += receipt.unsharedBytes(with: before?.receipt)
        bytes += history.entries.unsharedBytes(with: before?.history.entries)
        bytes += calls.entries.unsharedBytes(with: before?.calls.entries)
        bytes += findings.unsharedBytes(with: before?.findings)
        bytes += findingEvents.unsharedBytes(with: before?.findingEvents)
        let known = Set((before?.keptAnswers ?? []).map(\.number))
        for answer in keptAnswers where !known.contains(answer.number) { bytes += answer.body.bytes.count }
        if state.journey?.route != before?.state.journey?.route
            || state.journey?.pathPoints != before?.state.journey?.pathPoints
        {
            bytes += (state.journey?.pathPoints ?? 0) * MemoryLayout<Coordinate>.stride * 2
        }
        bytes += map.lines.reduce(0) { $0 + $1.points.count } * MemoryLayout<MapPoint>.stride
        return bytes
    }

    /// The approximate number of bytes of headers, of texts and of the last answer without its paths.
    private static let fixedBytes = 4 << 10

    private var keptAnswers: [Answer] { answers + [failedAnswer].compactMap(\.self) }
}

extension Journey {
    /// The number of points of all its paths.
    fileprivate var pathPoints: Int {
        (route?.points.count ?? 0) + remainingWaypoints.reduce(0) { $0 + ($1.path?.count ?? 0) }
    }
}
