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
