import Foundation
package import TripModel

/// Numbers as people read them, the same in every locale.
package enum Wording {
    /// A length of time like a stop watch, without its sign: `4:12`, `1:04:12`; whole seconds, rounded down.
    package static func watch(_ duration: Duration) -> String {
        let seconds = whole(abs(duration.seconds))
        let tail = Zone.twoDigits(seconds % 60)
        guard seconds >= 3600 else { return "\(seconds / 60):\(tail)" }
        return "\(seconds / 3600):\(Zone.twoDigits(seconds / 60 % 60)):\(tail)"
    }

    /// A difference with its sign, such as `+3:12`; `±0:00` where there is none.
    package static func difference(_ duration: Duration) -> String {
        if abs(duration.seconds) < 1 { return "±0:00" }
        return (duration < .zero ? "-" : "+") + watch(duration)
    }

    /// A time from now on: `in 4:12`, `now`, `overdue 1:05`.
    package static func countdown(_ duration: Duration) -> String {
        if duration.seconds >= 1 { return "in \(watch(duration))" }
        return duration.seconds <= -1 ? "overdue \(watch(duration))" : "now"
    }

    /// A length of time in words: `0.4 s`, `12 s`, `4 min 5 s`, `2 h 3 min`, `5 days`; without its sign.
    package static func span(_ duration: Duration) -> String {
        let exact = abs(duration.seconds)
        if exact > 0, exact < 1 { return "\(decimal(exact, 1)) s" }
        let seconds = whole(exact)
        if seconds < 60 { return exact < 10 && exact != exact.rounded() ? "\(decimal(exact, 1)) s" : "\(seconds) s" }
        if seconds < 3600 { return seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds / 60) min \(seconds % 60) s" }
        if seconds < 172_800 {
            return seconds / 60 % 60 == 0 ? "\(seconds / 3600) h" : "\(seconds / 3600) h \(seconds / 60 % 60) min"
        }
        return "\(seconds / 86_400) days"
    }

    /// An age, coarser the older it is: `42 s`, `12 min`, `3 h`, `5 days`; negative ones carry their sign.
    package static func age(_ duration: Duration) -> String {
        let seconds = whole(abs(duration.seconds.rounded(.down)))
        let sign = duration.seconds < 0 && seconds > 0 ? "-" : ""
        if seconds < 100 { return "\(sign)\(seconds) s" }
        if seconds < 5940 { return "\(sign)\(seconds / 60) min" }
        return seconds < 172_800 ? "\(sign)\(seconds / 3600) h" : "\(sign)\(seconds / 86_400) days"
    }

    /// The time that a request took: `12 ms`, `1.24 s`.
    package static func latency(_ duration: Duration) -> String {
        let milliseconds = duration.seconds * 1000
        if milliseconds > 0, milliseconds < 10 { return "\(decimal(milliseconds, 1)) ms" }
        return milliseconds < 1000 ? "\(whole(milliseconds)) ms" : "\(decimal(milliseconds / 1000, 2)) s"
    }

    /// A way: `350 m`, `1.2 km`, `12 km`.
    package static func distance(_ distance: Distance) -> String {
        let meters = distance.meters
        guard meters.isFinite else { return "not known" }
        if abs(meters) < 995 { return "\(whole((meters / 10).rounded() * 10)) m" }
        return abs(meters) < 9950 ? "\(decimal(meters / 1000, 1)) km" : "\(whole((meters / 1000).rounded())) km"
    }

    /// A short way to the metre: `7 m`.
    package static func meters(_ meters: Double) -> String {
        meters < 995 ? "\(whole(meters.rounded())) m" : distance(Distance(meters: meters))
    }

    /// A size: `812 B`, `4.1 kB`, `2.0 MB`.
    package static func bytes(_ count: Int) -> String {
        if count < 1000 { return "\(count) B" }
        return count < 1_000_000 ? "\(decimal(Double(count) / 1000, 1)) kB" : "\(decimal(Double(count) / 1e6, 1)) MB"
    }

    /// A speed of metres per second as `32 km/h`; a little below zero is standing.
    package static func speed(_ metersPerSecond: Double) -> String {
        "\(whole(max(0, metersPerSecond * 3.6).rounded())) km/h"
    }

    /// A direction: `NE 47°`.
    package static func heading(_ degrees: Int) -> String {
        let turned = ((degrees % 360) + 360) % 360
        let names = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
        return "\(names[(turned * 2 + 45) / 90 % 8]) \(turned)°"
    }

    /// A number and its noun: `1 poll`, `2 polls`.
    package static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(plural ?? noun + "s")"
    }

    /// A number with so many digits behind the point.
    static func decimal(_ value: Double, _ digits: Int) -> String {
        let factor = digits == 1 ? 10 : 100
        let scaled = whole((abs(value) * Double(factor)).rounded())
        let rest = scaled % factor
        let tail = digits == 1 ? String(rest) : Zone.twoDigits(rest)
        return "\(value < 0 && scaled > 0 ? "-" : "")\(scaled / factor).\(tail)"
    }

    /// The whole part, bounded, so that no number from outside can trap.
    static func whole(_ value: Double) -> Int {
        value.isFinite ? Int(min(max(value, -1e15), 1e15)) : 0
    }
}
