import Foundation

/// The requests of each caller in the present minute.
struct CallerLimit: Sendable {
    /// The maximum number of callers that are counted on their own; further ones share one limit.
    private static let mostCallers = 1000

    /// The maximum number of requests of a caller in a minute.
    let requestsPerMinute: Int
    /// The minute that is counted, since 1970.
    private var minute = 0.0
    private var counts: [String: Int] = [:]

    /// Creates a limit without requests.
    init(requestsPerMinute: Int) { self.requestsPerMinute = requestsPerMinute }

    /// Counts a request; returns the time until the next minute if the caller has reached the limit.
    mutating func count(_ caller: String, at now: Date) -> Duration? {
        let present = (now.timeIntervalSince1970 / 60).rounded(.down)
        if minute != present { (minute, counts) = (present, [:]) }
        let key = counts[caller] != nil || counts.count < Self.mostCallers ? caller : ""
        let count = min(counts[key, default: 0], requestsPerMinute) + 1
        counts[key] = count
        return count > requestsPerMinute ? .seconds((present + 1) * 60 - now.timeIntervalSince1970) : nil
    }
}
