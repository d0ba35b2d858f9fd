package import TripModel

/// The rejections by the service.
extension KeyMachine {
    /// Records that the service rejected a token.
    ///
    /// A token that is not the current one is ignored, because it was already replaced. If the token is younger than 10 s, or
    /// after the fourth rejection within a minute, no new fetch is started.
    ///
    /// - Returns: `nil` if the rejection was ignored.
    package mutating func reject(_ rejected: BearerToken, status: Int, at now: Moment) -> Action? {
        guard let token, token.generation == rejected.generation, token.fingerprint == rejected.fingerprint
        else { return nil }
        // A fetch in flight started before the rejection and may return the same token.
        let cancelledFetch = fetch?.number
        lastUsed = now.steady
        rejections.fingerprint = token.fingerprint
        rejections.fetches.removeAll { $0 <= now.steady - .seconds(60) }
        let isYoung = token.age(at: now) < policy.newTokenAge
        if !isYoung { rejections.young = 0 }
        // Of a backoff, only the wait requested by the source remains.
        if var backoff, let requested = backoff.requestedUntil, requested > now.steady {
            backoff.until = requested
            state = .backingOff(backoff, previous: nil)
        } else {
            state = .empty
        }
        var action = Action()
        if isYoung || rejections.fetches.count >= policy.forcedFetchesPerMinute {
            failures.count += 1
            let error = TokenError.rejectedByService(status: status, retryAfter: .zero)
            action = backOff(afterYoungRejection(error, at: now), at: now)
        } else {
            rejections.fetches.append(now.steady)
            demand = .rejected
        }
        action.events.insert(.rejected(status: status), at: 0)
        action.cancelledFetch = cancelledFetch
        return action
    }

    /// Returns a backoff of 10, 20, 40, 60 s: the rejection of a new token indicates wrong clocks or permissions.
    mutating func afterYoungRejection(_ error: TokenError, at now: Moment) -> Backoff {
        defer { rejections.young += 1 }
        let wait = doubled(.seconds(10), times: rejections.young, limit: policy.maximumBackoff)
        return Backoff(until: now.steady + wait, error: error)
    }
}
