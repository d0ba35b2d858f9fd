package import Foundation
import TripModel

/// Where clock times are shown for: an offset from UTC, given from outside, so that no view asks for a time zone.
package struct Zone: Sendable, Equatable {
    /// How far the clocks there are ahead of UTC, in seconds.
    package var offset: Int
    /// What it is called, such as `UTC`; empty to leave it out.
    package var name: String

    package static let utc = Zone(offset: 0, name: "UTC")

    /// A zone of an offset in seconds and a name.
    package init(offset: Int, name: String) {
        self.offset = offset
        self.name = name
    }

    /// The time of day, such as `17:04:31`.
    ///
    /// Where `now` is on another day, the days between are added: `00:04:31 +1d`.
    package func clock(_ date: Date, now: Date? = nil) -> String {
        let seconds = local(date)
        let ofDay = Self.remainder(seconds, 86_400)
        let time = [ofDay / 3600, ofDay / 60 % 60, ofDay % 60].map(Self.twoDigits).joined(separator: ":")
        guard let now else { return time }
        let days = (seconds - ofDay) / 86_400 - (local(now) - Self.remainder(local(now), 86_400)) / 86_400
        return days == 0 ? time : "\(time) \(days > 0 ? "+" : "")\(days)d"
    }

    /// Seconds since 1970 there; dates beyond 30,000 years count as those.
    private func local(_ date: Date) -> Int {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        return Int(seconds.isFinite ? min(max(seconds, -1e12), 1e12) : 0) + offset
    }

    private static func remainder(_ value: Int, _ divisor: Int) -> Int {
        let rest = value % divisor
        return rest < 0 ? rest + divisor : rest
    }

    static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : String(value) }
}
