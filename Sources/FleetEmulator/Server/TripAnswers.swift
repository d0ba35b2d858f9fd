import FleetWire
import Synchronization
import TripModel

/// Trips as bytes, kept until they change: pollers ask far more often than vehicles report.
///
/// What is left until the first waypoint is counted from the moment of each answer, so that it is written anew into what is kept.
final class TripAnswers: Sendable {
    private struct Entry {
        /// The trip as it was encoded, without the time that is left.
        var trip: Trip
        var format: PathFormat
        /// The bytes before and after the time that is left; all bytes are before it where there is none.
        var before: ArraySlice<UInt8>
        var after: ArraySlice<UInt8>
    }

    /// No more trips than these are kept.
    private static let limit = 256
    /// A time that no trip has, to be found again in the bytes.
    private static let mark = Duration.milliseconds(-315_359_999_999)

    private let entries = Mutex<[TripID: Entry]>([:])

    /// The bytes of a trip.
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
