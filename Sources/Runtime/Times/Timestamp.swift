package import Foundation

/// A time of RFC 3339 with `Z` and 0, 3, 6 or 9 fractional digits, as in ProtoJSON; any offset up to 13 hours is accepted.
///
/// A `Date` has a precision of about 0.1 µs for current times, so six digits survive a round trip and nine do not. Times that
/// must be returned unchanged are stored as `Version`.
///
/// The calendar is computed here: Foundation's is Julian before 1582 and accepts days that do not exist, and SwiftProtobuf's is
/// not in an app that only gets tokens.
package enum Timestamp {
    /// Year 1 to year 9999, in seconds since 1970.
    private static let range = -62_135_596_800...253_402_300_799
    private static let secondsPerDay = 86_400

    /// Parses a time; `nil` if it is invalid.
    package static func date(_ text: String) -> Date? {
        var rest = Substring(text).utf8
        /// Removes and returns a number with this many digits in this range, if this mark follows.
        func number(_ digits: Int, _ range: ClosedRange<Int>, before mark: String = "") -> Int? {
            let (part, after) = (rest.prefix(digits), rest.dropFirst(digits))
            guard part.count == digits, part.allSatisfy({ (0x30...0x39).contains($0) }), after.starts(with: mark.utf8)
            else {
                return nil
            }
            rest = after.dropFirst(mark.utf8.count)
            return Int(Substring(part)).flatMap { range.contains($0) ? $0 : nil }
        }
        guard let year = number(4, 1...9999, before: "-"), let month = number(2, 1...12, before: "-"),
            let day = number(2, 1...31, before: "T"), let hour = number(2, 0...23, before: ":"),
            let minute = number(2, 0...59, before: ":"), let second = number(2, 0...59)
        else { return nil }
        let days = Self.days(year, month, day)
        // A day that the month does not have belongs to the next one.
        guard calendar(days) == (year, month, day) else { return nil }
        var micros = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard (1...9).contains(digits.count) else { return nil }
            micros = Int(Substring(digits.prefix(6)) + String(repeating: "0", count: max(6 - digits.count, 0))) ?? 0
            rest = rest.dropFirst(1 + digits.count)
        }
        var offset = 0
        switch rest.popFirst() {
        case UInt8(ascii: "Z"): break
        case let sign? where sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"):
            guard let hours = number(2, 0...13, before: ":"), let minutes = number(2, 0...59) else { return nil }
            offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "+") ? 60 : -60)
        default: return nil
        }
        let seconds = days * secondsPerDay + (hour * 60 + minute) * 60 + second - offset
        guard rest.isEmpty, range.contains(seconds) else { return nil }
        return Date(timeIntervalSince1970: Double(seconds) + Double(micros) / 1e6)
    }

    /// Formats a time in UTC with microsecond precision and as few digits as possible.
    package static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        let bounded = seconds.isNaN ? 0 : min(max(seconds, Double(range.lowerBound)), Double(range.upperBound))
        let (whole, micros) = Int((bounded * 1e6).rounded()).floored(by: 1_000_000)
        let (days, rest) = whole.floored(by: secondsPerDay)
        let (year, month, day) = calendar(days)
        let fraction =
            switch micros {
            case 0: ""
            case _ where micros % 1000 == 0: "." + padded(micros / 1000, 3)
            default: "." + padded(micros, 6)
            }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
            + "\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))\(fraction)Z"
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(digits - text.utf8.count, 0)) + text
    }

    /// Returns the days from 1970-01-01 to a day of the Gregorian calendar; its year begins in March, so that a leap day ends it.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }

    /// Returns the day of the Gregorian calendar that is this many days after 1970-01-01.
    private static func calendar(_ days: Int) -> (year: Int, month: Int, day: Int) {
        // 400 years have 146,097 days.
        let (era, dayOfEra) = (days + 719_468).floored(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        return (era * 400 + yearOfEra + (month >= 10 ? 1 : 0), month >= 10 ? month - 9 : month + 3, day)
    }
}

extension Int {
    /// Divides, rounding down, with a non-negative remainder.
    fileprivate func floored(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
