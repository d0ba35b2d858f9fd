import Foundation
package import TripModel

extension KeyMachine {
    /// Returns the state of the key for display.
    package func tokenState(at now: Moment) -> TokenState {
        let isBackingOff = backoff.map { now.steady < $0.until } ?? false
        if let token, token.isUsable(at: now) {
            if fetch != nil { return .refreshingAhead }
            return backoff != nil ? .stale : .fresh
        }
        if fetch?.reason == .rejected || (demand == .rejected && !isBackingOff) { return .invalidated }
        if fetch != nil || !waiters.isEmpty { return .fetching }
        if backoff?.isDenial == true { return .denied }
        if isBackingOff { return .failing }
        if token != nil { return .expired }
        return failures.lastError == nil ? .absent : .failing
    }

    /// Returns the status of the key for display.
    package func status(source: String, at now: Moment) -> TokenStatus {
        var status = TokenStatus(state: tokenState(at: now), source: source)
        status.fetches = fetchCount
        status.failures = failures.count
        status.lastError = failures.lastError
        status.lastFetchDuration = lastFetchDuration
        status.generation = generation
        let offset = token?.properties.clockOffset
        status.clockOffset = offset
        let ahead = offset?.seconds ?? 0
        if let token = token?.properties {
            status.issuedAt = token.issuedAt
            status.expiresAt = token.expiresAt
            status.usableUntil = token.deadline.wall + ahead
            status.refreshAt = token.refresh.wall + ahead
            status.fingerprint = token.fingerprint
            status.warnings = token.warnings
        }
        if let backoff { status.retryAt = now.wall + (backoff.until - now.steady).seconds + ahead }
        return status
    }
}
