package import Foundation

/// The date format of HTTP headers: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
///
/// The two obsolete formats are not supported, because servers no longer send them.
package enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Parses a date; `nil` if it is invalid.
    package static func date(_ text: String) -> Date? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else {
            return nil
        }
        let number = month + 1 < 10 ? "0\(month + 1)" : "\(month + 1)"
        return Timestamp.date("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
    }

    /// Formats a time, rounded down to a whole second.
    package static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        // 1970-01-01 was a Thursday; `2026-03-14T08:18:31Z` has fields at fixed positions.
        let weekday = Int(clamped: (seconds / 86_400).rounded(.down)) % 7
        let parts = Timestamp.text(Date(timeIntervalSince1970: seconds)).split { "-T:Z".contains($0) }
        let month = months[(Int(parts[1]) ?? 1) - 1]
        let day = days[weekday < 0 ? weekday + 7 : weekday]
        return "\(day), \(parts[2]) \(month) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
    }
}

extension HTTPDate {
    /// Returns the time of the sender when it sent an answer; `nil` without a valid `Date`.
    ///
    /// The answer of a cache has the `Date` of its origin and an `Age` (RFC 9111, section 4.2.3).
    ///
    /// - Parameters:
    ///   - date: The header `Date`.
    ///   - age: The header `Age`.
    /// - Returns: The time in whole seconds.
    package static func timeOfSending(date: String?, age: String?) -> Date? {
        date.flatMap(HTTPDate.date).map { $0 + seconds(ofAge: age) }
    }

    /// Parses an `Age` header in seconds, from 0 to one day; 0 if there is none.
    package static func seconds(ofAge text: String?) -> Double {
        text.flatMap { Int($0) }.map { Double(min(max($0, 0), 86_400)) } ?? 0
    }
}

extension HTTPDate {
    /// Parses a `Retry-After` header, either seconds or a date.
    ///
    /// A date is relative to `now`, the time of the answer. The result is at most one day.
    package static func retryAfter(_ text: String, now: Date?) -> Duration? {
        if let seconds = Int(text) { return seconds >= 0 ? .seconds(min(seconds, 86_400)) : nil }
        guard let until = date(text), let now else { return nil }
        return Duration(clampedSeconds: until.timeIntervalSince(now).clamped(to: 0...86_400))
    }
}
