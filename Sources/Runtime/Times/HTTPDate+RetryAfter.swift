package import Foundation

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
