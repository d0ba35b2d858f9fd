import Foundation

/// A time in the name of a file.
enum FileTime {
    /// Returns a time as `20260101-170000` in the zone of the process.
    static func text(_ time: Date) -> String {
        Date.VerbatimFormatStyle(
            format:
                "\(year: .defaultDigits)\(month: .twoDigits)\(day: .twoDigits)-\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased))\(minute: .twoDigits)\(second: .twoDigits)",
            timeZone: .current,
            calendar: Calendar(identifier: .gregorian)
        ).format(time)
    }
}
