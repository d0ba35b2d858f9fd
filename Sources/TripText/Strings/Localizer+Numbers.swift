import Foundation
import Runtime
package import TripModel

/// Number formats of the language; the examples are English.
extension Localizer {
    /// Returns a duration as on a stopwatch, without its sign: `4:12`, `1:04:12`; rounded down to whole seconds.
    package func watch(_ duration: Duration) -> String {
        let seconds = Self.whole(abs(duration.seconds))
        let tail = Zone.twoDigits(seconds % 60)
        guard seconds >= 3600 else { return "\(seconds / 60):\(tail)" }
        return "\(seconds / 3600):\(Zone.twoDigits(seconds / 60 % 60)):\(tail)"
    }

    /// Returns a signed difference, such as `+3:12`; `±0:00` below 1 s.
    package func difference(_ duration: Duration) -> String {
        if abs(duration.seconds) < 1 { return "±0:00" }
        return (duration < .zero ? "−" : "+") + watch(duration)
    }

    /// Returns the time until an event: `in 4:12`, `now`.
    package func countdown(_ duration: Duration) -> String {
        duration.seconds >= 1 ? self(.countdownAhead(duration: watch(duration))) : self(.countdownNow)
    }

    /// Returns a duration with units, without its sign: `0.4 s`, `12 s`, `4 min 5 s`, `2 h 3 min`, `5 days`.
    package func span(_ duration: Duration) -> String {
        let exact = abs(duration.seconds)
        let seconds = Self.whole(exact)
        if exact > 0, exact < 10, exact < 1 || exact != exact.rounded() {
            return self(.seconds(seconds: decimal(exact, 1)))
        }
        if seconds < 60 { return self(.seconds(seconds: String(seconds))) }
        if seconds < 3600 {
            let minutes = String(seconds / 60)
            return seconds % 60 == 0
                ? self(.minutes(minutes: minutes))
                : self(.minutesSeconds(minutes: minutes, seconds: String(seconds % 60)))
        }
        guard seconds < 172_800 else { return self(.days(count: seconds / 86_400)) }
        let hours = String(seconds / 3600)
        let minutes = seconds / 60 % 60
        return minutes == 0
            ? self(.hours(hours: hours)) : self(.hoursMinutes(hours: hours, minutes: String(minutes)))
    }

    /// Returns an age in its largest suitable unit: `42 s`, `12 min`, `3 h`, `5 days`; negative ages have a minus sign.
    ///
    /// It is rounded down, but a negative one of less than a millisecond is an inaccuracy of the clocks.
    package func age(_ duration: Duration) -> String {
        let exact = duration.seconds
        let seconds = Self.whole(abs((exact > -0.001 && exact < 0 ? 0 : exact).rounded(.down)))
        let sign = duration.seconds < 0 && seconds > 0 ? "−" : ""
        if seconds < 100 { return sign + self(.seconds(seconds: String(seconds))) }
        if seconds < 5940 { return sign + self(.minutes(minutes: String(seconds / 60))) }
        return sign
            + (seconds < 172_800 ? self(.hours(hours: String(seconds / 3600))) : self(.days(count: seconds / 86_400)))
    }

    /// Returns the duration of a request: `12 ms`, `1.24 s`.
    package func latency(_ duration: Duration) -> String {
        let milliseconds = duration.seconds * 1000
        if milliseconds > 0, milliseconds < 10 { return "\(decimal(milliseconds, 1)) ms" }
        return milliseconds < 1000 ? "\(Self.whole(milliseconds)) ms" : "\(decimal(milliseconds / 1000, 2)) s"
    }

    /// Returns a distance: `350 m`, `1.2 km`, `12 km`; or `850 ft`, `0.8 mi`, `12 mi`.
    package func distance(_ distance: Distance) -> String {
        guard distance.meters.isFinite else { return self(.notKnown) }
        let (small, large) = lengths(distance.meters)
        if abs(small) < 995 { return short(String(Self.whole((small / 10).rounded() * 10))) }
        let number = abs(large) < 9.95 ? decimal(large, 1) : String(Self.whole(large.rounded()))
        return long(number)
    }

    /// Returns a short distance in whole meters or feet, such as `7 m`; from 995 on like ``distance(_:)``.
    package func meters(_ meters: Double) -> String {
        let small = lengths(meters).small
        return small < 995 ? short(String(Self.whole(small.rounded()))) : distance(Distance(meters: meters))
    }

    /// Returns the longest round length up to a number of meters, and its text, for a scale bar: `500 m`, `2 km`.
    package func roundLength(atMost meters: Double) -> (meters: Double, name: String) {
        let isLarge = lengths(meters).large >= 1
        let isMetric = units == .metric
        let unit = isMetric ? (isLarge ? 1000 : 1) : (isLarge ? Self.mile : Self.foot)
        let room = meters / unit
        var length = pow(10, log10(room).rounded(.down))
        if length * 5 <= room { length *= 5 } else if length * 2 <= room { length *= 2 }
        let number = String(Self.whole(length))
        return (length * unit, isLarge ? long(number) : short(number))
    }

    private static let foot = 0.3048
    private static let mile = 1609.344

    /// Returns a length in the smaller unit.
    private func short(_ number: String) -> String {
        self(units == .metric ? .meters(number: number) : .feet(number: number))
    }

    /// Returns a length in the larger unit.
    private func long(_ number: String) -> String {
        self(units == .metric ? .kilometers(number: number) : .miles(number: number))
    }

    private func lengths(_ meters: Double) -> (small: Double, large: Double) {
        units == .metric ? (meters, meters / 1000) : (meters / Self.foot, meters / Self.mile)
    }

    /// Returns a size: `812 B`, `4.1 kB`, `2.0 MB`.
    package func bytes(_ count: Int) -> String {
        if count < 1000 { return "\(count) B" }
        return count < 1_000_000 ? "\(decimal(Double(count) / 1000, 1)) kB" : "\(decimal(Double(count) / 1e6, 1)) MB"
    }

    /// Returns a speed in meters per second as `32 km/h` or `20 mph`; negative speeds count as 0.
    package func speed(_ metersPerSecond: Double) -> String {
        let isMetric = units == .metric
        let speed = max(0, metersPerSecond * (isMetric ? 3.6 : 3600 / Self.mile)).rounded()
        let number = String(Self.whole(speed))
        return self(isMetric ? .kilometersPerHour(number: number) : .milesPerHour(number: number))
    }

    /// Returns a direction in degrees as `NE 47°`.
    package func heading(_ degrees: Int) -> String {
        let turned = ((degrees % 360) + 360) % 360
        let names = self(.compass).split(separator: " ")
        return "\(names[(turned * 2 + 45) / 90 % 8]) \(turned)\(isASCII ? "" : "°")"
    }

    /// Returns a number with one or two digits after the decimal point.
    package func decimal(_ value: Double, _ digits: Int) -> String {
        let factor = digits == 1 ? 10 : 100
        let scaled = Self.whole((abs(value) * Double(factor)).rounded())
        let rest = scaled % factor
        let tail = digits == 1 ? String(rest) : Zone.twoDigits(rest)
        return "\(value < 0 && scaled > 0 ? "−" : "")\(scaled / factor)\(self(.decimalPoint))\(tail)"
    }

    /// Returns the whole part, clamped to ±10¹⁵ so that external numbers cannot trap; 0 if the value is not finite.
    package static func whole(_ value: Double) -> Int {
        value.isFinite ? Int(min(max(value, -1e15), 1e15)) : 0
    }
}
