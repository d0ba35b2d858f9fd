package import Foundation
import TripModel

/// The time zone of clock times, passed in so that views do not access the system's time zone.
package struct Zone: Sendable, Equatable {
    /// The offset from UTC in seconds at the start of the session; the offset of all times without ``rules``.
    package var offset: Int
    /// The name, such as `UTC`; empty to omit it.
    package var name: String
    /// Whether clock times have 12 hours.
    package var hasTwelveHours = false
    /// The offset at each time, which changes with daylight saving time; `nil` if it is ``offset`` at all times.
    package var rules: TimeZone?

    package static let utc = Zone(offset: 0, name: "UTC")

    /// The columns of a time of day.
    package var clockWidth: Int { hasTwelveHours ? 11 : 8 }

    /// Returns the time of day, such as `17:04:31` or `5:04:31 PM`.
    ///
    /// If `now` is on another day, the number of days is added: `00:04:31 +1d`.
    package func clock(_ date: Date, now: Date? = nil) -> String {
        let seconds = local(date)
        let ofDay = Self.remainder(seconds, 86_400)
        let time = hasTwelveHours ? Self.halfDayTime(ofDay) : Self.time(ofDay, hour: Self.twoDigits(ofDay / 3600))
        guard let now else { return time }
        let days = (seconds - ofDay) / 86_400 - (local(now) - Self.remainder(local(now), 86_400)) / 86_400
        return days == 0 ? time : "\(time) \(days > 0 ? "+" : "")\(days)d"
    }

    private static func time(_ seconds: Int, hour: String) -> String {
        "\(hour):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))"
    }

    private static func halfDayTime(_ seconds: Int) -> String {
        let hour = seconds / 3600
        return time(seconds, hour: String((hour + 11) % 12 + 1)) + (hour < 12 ? " AM" : " PM")
    }

    /// Returns local seconds since 1970, clamped to 30,000 years.
    private func local(_ date: Date) -> Int {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let utc = seconds.isFinite ? min(max(seconds, -1e12), 1e12) : 0
        return Int(utc) + (rules?.secondsFromGMT(for: Date(timeIntervalSince1970: utc)) ?? offset)
    }

    private static func remainder(_ value: Int, _ divisor: Int) -> Int {
        let rest = value % divisor
        return rest < 0 ? rest + divisor : rest
    }

    /// Returns the name of the zone with its difference from UTC at a time, such as `Europe/Berlin (UTC+1)`, or `UTC`.
    package func fullName(at time: Date) -> String {
        let difference = Self.difference(rules?.secondsFromGMT(for: time) ?? offset)
        let name = rules?.identifier ?? name
        // Some names of zones only repeat the difference.
        return name.isEmpty || name.hasPrefix("UTC") || name.hasPrefix("GMT") ? difference : "\(name) (\(difference))"
    }

    /// Returns a difference from UTC, such as `UTC`, `UTC+1` or `UTC-3:30`.
    private static func difference(_ seconds: Int) -> String {
        let minutes = abs(seconds / 60)
        guard minutes > 0 else { return "UTC" }
        let rest = minutes % 60 == 0 ? "" : ":\(twoDigits(minutes % 60))"
        return "UTC\(seconds < 0 ? "-" : "+")\(minutes / 60)\(rest)"
    }

    package static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : String(value) }
}

extension Zone {
    /// Creates a time zone for a session that starts at this time.
    package init(_ zone: TimeZone, at start: Date, hasTwelveHours: Bool) {
        self.init(
            offset: zone.secondsFromGMT(for: start),
            name: zone.abbreviation(for: start) ?? "",
            hasTwelveHours: hasTwelveHours,
            rules: zone
        )
    }
}
