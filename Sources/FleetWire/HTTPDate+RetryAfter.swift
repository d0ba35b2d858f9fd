package import Foundation
import TripModel

extension HTTPDate {
    /// The wait that a `Retry-After` header asks for, whichever way it is written: seconds, or a date.
    ///
    /// A date counts from `now`, the time of the answer. At most a day.
    package static func retryAfter(_ text: String, now: Date?) -> Duration? {
        if let seconds = Int(text) { return seconds >= 0 ? .seconds(min(seconds, 86_400)) : nil }
        guard let until = date(text), let now else { return nil }
        return .seconds(min(86_400, max(0, until.timeIntervalSince(now))))
    }
}
