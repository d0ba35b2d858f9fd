public import FleetTokens
import Foundation
public import Logging
import Runtime
import TripModel

/// Logs the token events of a provider; never logs a token, and only the last four characters of an ID.
///
/// | event | level |
/// |---|---|
/// | a fetch starts, a late answer is dropped, a key is evicted | debug |
/// | a token is stored, the provider is closed | info |
/// | the service refuses a token, events were dropped | notice |
/// | a fetch fails or a new token is refused: the first failure in a row, then whenever the count is a power of two; clocks
/// differ | warning |
public struct TokenLog: Sendable {
    private let logger: Logger

    /// Creates a log that writes to a logger.
    public init(logger: Logger) { self.logger = logger }

    /// Logs all events until the provider is closed or the task is cancelled.
    public func follow(_ provider: TokenProvider) async {
        for await event in provider.events() { write(event) }
    }

    /// Logs one event.
    public func write(_ event: TokenEvent) {
        let status = event.status
        var details: Logger.Metadata = ["key": "\(event.context)", "generation": "\(status.generation)"]
        func log(_ level: Logger.Level, _ message: Logger.Message) {
            logger.log(level: level, message, metadata: details)
        }
        switch event.kind {
        case .fetching(let reason):
            details["reason"] = "\(reason.rawValue)"
            log(.debug, "token fetch begins")
        case .stored:
            details["fingerprint"] = status.fingerprint.map { "\($0)" }
            details["took_ms"] = status.lastFetchDuration.map { "\($0.milliseconds)" }
            let now = event.at.wall + (status.clockOffset?.seconds ?? 0)
            details["seconds_left"] = status.expiresAt.map { "\(Int($0.timeIntervalSince(now)))" }
            log(.info, "token stored")
        case .failed(let error):
            // Log only at powers of two: an outage of one hour causes about a dozen lines.
            guard status.failures.nonzeroBitCount == 1 else { return }
            details["error"] = "\(error.code)"
            details["failures"] = "\(status.failures)"
            // No fetch was made in this case.
            if error.failure.rejection != nil { return log(.warning, "a new token was rejected by the service") }
            details["took_ms"] = status.lastFetchDuration.map { "\($0.milliseconds)" }
            log(.warning, "token fetch failed")
        case .rejected(let status):
            details["status"] = "\(status.name)"
            log(.notice, "token rejected by the service")
        case .clockDisagreement(let offset):
            details["offset_s"] = "\(Int(clamped: offset.seconds.rounded()))"
            log(.warning, "the service's clock differs")
        case .omitted(let omission):
            details["successes"] = "\(omission.successes)"
            details["failures"] = "\(omission.failureCount)"
            log(.notice, "token events left out")
        case .repeated(let end):
            details["ends_at"] = "\(Int(clamped: end.timeIntervalSince1970))"
            log(.info, "the source returned the same token")
        case .discardedLate: log(.debug, "token came too late")
        case .evicted: log(.debug, "token dropped")
        case .closed: log(.info, "token provider closed")
        }
    }
}
