package import Foundation
import TripModel

/// A ProtoJSON timestamp: RFC 3339 with `Z` and 0, 3, 6 or 9 fractional digits; any offset is accepted.
///
/// A `Date` has a precision of about 0.1 µs for current times, so six digits survive a round trip and nine do not. Times that
/// must be returned unchanged are stored as `Version`.
package enum Timestamp {
    /// Parses a time; `nil` if it is invalid.
    package static func date(_ text: String) -> Date? {
        var reader = DigitReader(text.utf8)
        guard let year = reader.number(digits: 4), reader.take("-"),
            let month = reader.number(digits: 2), reader.take("-"),
            let day = reader.number(digits: 2), reader.take("T") || reader.take("t"),
            let hour = reader.number(digits: 2), reader.take(":"),
            let minute = reader.number(digits: 2), reader.take(":"),
            let second = reader.number(digits: 2),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        guard let fraction = reader.take(".") ? reader.fraction() : 0 else { return nil }
        guard let offset = reader.offset(), reader.isAtEnd else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    /// Formats a time in UTC with microsecond precision and as few digits as possible.
    package static func text(_ date: Date) -> String {
        // A `Timestamp` ranges from year 1 to year 9999.
        let seconds = date.timeIntervalSince1970
        let total = ((seconds.isNaN ? 0 : min(max(seconds, -62_135_596_800), 253_402_300_799)) * 1e6).rounded()
        let (whole, micros) = Int(total).flooredDivision(by: 1_000_000)
        let (days, rest) = whole.flooredDivision(by: 86_400)
        let (year, month, day) = civil(daysSince1970: days)
        var text = pad(year, 4) + "-" + pad(month, 2) + "-" + pad(day, 2)
        text += "T" + pad(rest / 3600, 2) + ":" + pad(rest / 60 % 60, 2) + ":" + pad(rest % 60, 2)
        if micros != 0 {
            text += micros % 1000 == 0 ? "." + pad(micros / 1000, 3) : "." + pad(micros, 6)
        }
        return text + "Z"
    }

    private static func pad(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// Returns the days since 1970-01-01 in the Gregorian calendar (Howard Hinnant's `days_from_civil`).
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shifted.flooredDivision(by: 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}

/// A ProtoJSON duration: seconds with 0 to 9 fractional digits and an `s`, such as `"53.076652s"`; may be negative.
package enum DurationText {
    /// Parses a duration; `nil` if it is invalid.
    package static func duration(_ text: String) -> Duration? {
        guard text.hasSuffix("s") else { return nil }
        let number = text.dropLast()
        let isNegative = number.hasPrefix("-")
        var reader = DigitReader((isNegative ? number.dropFirst() : number).utf8)
        guard let seconds = reader.wholeNumber(maximumDigits: 12) else { return nil }
        guard let fraction = reader.take(".") ? reader.fraction() : 0, reader.isAtEnd else { return nil }
        let duration = Duration.seconds(seconds) + .nanoseconds(Int64((fraction * 1e9).rounded()))
        return isNegative ? .zero - duration : duration
    }

    /// Formats a duration with millisecond precision.
    package static func text(_ duration: Duration) -> String {
        // A ProtoJSON `Duration` ranges over ±10,000 years.
        let millis = Int((min(max(duration.seconds, -315_576_000_000), 315_576_000_000) * 1000).rounded())
        let sign = millis < 0 ? "-" : ""
        let (seconds, rest) = abs(millis).flooredDivision(by: 1000)
        guard rest != 0 else { return "\(sign)\(seconds)s" }
        let digits = String(rest)
        return "\(sign)\(seconds).\(String(repeating: "0", count: 3 - digits.count))\(digits)s"
    }
}

extension Int {
    /// Divides, rounding down, with a non-negative remainder.
    fileprivate func flooredDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// Reads digits from the start of a string.
private struct DigitReader {
    private var rest: Substring.UTF8View

    init(_ text: String.UTF8View) {
        rest = text[...]
    }

    init(_ text: Substring.UTF8View) {
        rest = text
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func digits(maximum: Int) -> [UInt8] {
        var digits: [UInt8] = []
        while digits.count < maximum, let next = rest.first, (48...57).contains(next) {
            digits.append(next - 48)
            rest.removeFirst()
        }
        return digits
    }

    mutating func number(digits count: Int) -> Int? {
        let found = digits(maximum: count)
        return found.count == count ? found.reduce(0) { $0 * 10 + Int($1) } : nil
    }

    mutating func wholeNumber(maximumDigits: Int) -> Int? {
        let found = digits(maximum: maximumDigits)
        return found.isEmpty ? nil : found.reduce(0) { $0 * 10 + Int($1) }
    }

    /// Reads a decimal point and one to nine digits.
    mutating func fraction() -> Double? {
        let found = digits(maximum: 9)
        guard !found.isEmpty else { return nil }
        let value = found.reduce(0) { $0 * 10 + Int($1) }
        return Double(value) / Double(found.reduce(1) { place, _ in place * 10 })
    }

    /// Reads `Z` or an offset east of Greenwich; returns seconds.
    mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let sign = take("+") ? 1 : take("-") ? -1 : 0
        guard sign != 0, let hours = number(digits: 2), take(":"), let minutes = number(digits: 2) else { return nil }
        return hours < 24 && minutes < 60 ? sign * (hours * 3600 + minutes * 60) : nil
    }
}
