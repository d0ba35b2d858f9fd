import FleetWire
import Runtime
import Synchronization
import TripModel

/// Caches encoded trips until they change, because polls are much more frequent than reports.
///
/// The remaining time to the first waypoint depends on the time of the answer, so it is inserted into the cached bytes.
final class TripAnswers: Sendable {
    private struct Entry {
        /// The encoded trip, without the remaining time.
        var trip: Trip
        var format: PathFormat
        /// The bytes before and after the remaining time; `before` holds all bytes if there is none.
        var before: ArraySlice<UInt8>
        var after: ArraySlice<UInt8>
    }

    /// The maximum number of cached trips.
    private static let limit = 256
    /// A marker value that no trip has, to find the position of the remaining time in the bytes.
    private static let mark = Duration.milliseconds(-315_359_999_999)

    private let entries = Mutex<[TripID: Entry]>([:])

    /// Returns the encoded trip.
    func bytes(of trip: Trip, format: PathFormat) -> [UInt8] {
        var timeless = trip
        timeless.remainingTime = nil
        let entry: Entry
        if let known = entries.withLock({ $0[trip.id] }), known.format == format,
            (known.after.isEmpty) == (trip.remainingTime == nil), known.trip == timeless
        {
            entry = known
        } else {
            entry = Self.entry(timeless, hasTime: trip.remainingTime != nil, format)
            entries.withLock { entries in
                if entries.count >= Self.limit { entries.removeAll() }
                entries[trip.id] = entry
            }
        }
        guard let time = trip.remainingTime else { return Array(entry.before) }
        return entry.before + Array(DurationText.text(time).utf8) + entry.after
    }

    private static func entry(_ timeless: Trip, hasTime: Bool, _ format: PathFormat) -> Entry {
        var marked = timeless
        if hasTime { marked.remainingTime = mark }
        let bytes = TripCoding.encode(marked, format: format)
        let text = Array(DurationText.text(mark).utf8)
        let place = hasTime ? bytes.indices.first { bytes[$0...].starts(with: text) } : nil
        return Entry(
            trip: timeless,
            format: format,
            before: bytes[..<(place ?? bytes.endIndex)],
            after: place.map { bytes[($0 + text.count)...] } ?? []
        )
    }
}
