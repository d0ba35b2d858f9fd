import Foundation
package import TripModel

extension KeyMachine {
    /// Returns the status of the key for display.
    package func status(source: String, at now: Moment) -> TokenStatus {
        var status = TokenStatus(state: state(at: now), source: source)
        status.fetches = fetches
        status.failures = failures
        status.lastError = lastError
        status.lastFetchDuration = lastFetchDuration
        status.generation = generation
        let offset = token?.clockOffset
        status.clockOffset = offset
        let ahead = offset?.seconds ?? 0
        if let token {
            status.issuedAt = token.bearer.issuedAt
            status.expiresAt = token.bearer.expiresAt
            status.usableUntil = token.deadline.wall + ahead
            status.refreshAt = token.refresh.wall + ahead
            status.fingerprint = token.bearer.fingerprint
            status.warnings = token.warnings
        }
        if let backoff { status.retryAt = now.wall + (backoff.until - now.steady).seconds + ahead }
        return status
    }
}
