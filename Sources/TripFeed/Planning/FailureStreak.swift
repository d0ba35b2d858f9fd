import Failures
import FleetTokens

/// The failures of one trip since its last answer, and when to retry.
struct FailureStreak: Sendable {
    /// When to poll again after a failure.
    enum Retry {
        /// After a delay.
        case after(Duration, PollSchedule.Reason)
        /// At the next regular time.
        case nextInterval(PollSchedule.Reason)
        /// Not at all, because of this failure.
        case never(Failure)
    }

    /// A refused token, which is replaced and retried once.
    private struct Refusal {
        /// The 401 or 403.
        let failure: Failure
        /// Whether the token provider was already given time to fetch another token.
        var hasWaitedForToken = false
    }

    /// The number of service failures since its last regular answer, which may be a 404.
    private var serviceFailures = 0
    /// The number of network failures since then.
    private var networkFailures = 0
    /// When the service first reported that the trip does not exist.
    private var missingSince: Duration?
    private var refusal: Refusal?
    /// The HTTP statuses of the refusals that were retried with another token, since the last failure of another kind.
    ///
    /// During an outage, the token of the retry may be refused in turn. This refusal is no reason to wait as long as for the service.
    private var retriedStatuses: Set<Int> = []

    /// Records a failure.
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - isKnown: Whether an earlier poll was answered; a permanent failure is then treated as an outage.
    ///   - policy: The limits.
    ///   - interval: The current interval.
    ///   - now: When the failure was known.
    ///   - jitter: A random number from 0 to 1, which spreads the retries of many clients.
    /// - Returns: When to poll again.
    mutating func record(
        _ failure: Failure,
        isKnown: Bool,
        _ policy: PollMachine.Policy,
        _ interval: Duration,
        at now: Duration,
        jitter: Double
    ) -> Retry {
        switch failure.retry {
        case .withNewToken, .withNewTokenOnce:
            if retriedStatuses.insert(failure.httpStatus ?? 0).inserted {
                refusal = Refusal(failure: failure)
                return .after(.zero, .newToken)
            }
            let isFinal = failure.retry == .withNewTokenOnce && !isKnown
            return isFinal ? .never(failure) : backOff(atLeast: nil, interval, jitter)
        case .whenTokenChanges:
            return retryRefusal(atLeast: failure.retryAfter ?? .zero, isKnown: isKnown, interval, jitter)
        case .whenCreated:
            (serviceFailures, networkFailures) = (0, 0)
            let since = missingSince ?? now
            missingSince = since
            if let timeout = policy.creationTimeout, now - since >= timeout { return .never(failure) }
            return .nextInterval(isKnown ? .backOff : .waitingForCreation)
        case .backOff:
            retriedStatuses = []
            return backOff(atLeast: failure.retryAfter, interval, jitter)
        case .backOffWithSource: return backOff(atLeast: failure.retryAfter, isService: false, interval, jitter)
        case .soon:
            retriedStatuses = []
            networkFailures += 1
            let delay = interval * (networkFailures == 1 ? 1 : 2)
            return .after(delay * (0.75 + 0.25 * jitter), .backOff)
        case .withSource:
            // The provider has its own backoff, so the next poll comes when the provider retries.
            return .after(max(interval * (0.75 + 0.25 * jitter), failure.retryAfter ?? .zero), .backOff)
        case .never:
            // After an earlier success, a proxy, a configuration or a permission may have changed temporarily.
            guard isKnown else { return .never(failure) }
            return backOff(atLeast: failure.retryAfter, isService: !failure.isMissingToken, interval, jitter)
        // The failure comes from this program itself, such as a cancellation or a closed provider.
        case .ended, .notNeeded: return .never(failure)
        }
    }

    /// Returns the retry after the token provider has no other token than the refused one.
    private mutating func retryRefusal(
        atLeast delay: Duration,
        isKnown: Bool,
        _ interval: Duration,
        _ jitter: Double
    ) -> Retry {
        guard let refusal else { return backOff(atLeast: delay, isService: false, interval, jitter) }
        // The provider does not replace a token that is too new. The single retry happens when it does.
        guard refusal.hasWaitedForToken else {
            self.refusal?.hasWaitedForToken = true
            return .after(min(delay, RetryDelay.longestRequested), .newToken)
        }
        // No other token is available, so the service's error about the last one is the cause.
        if refusal.failure.httpStatus == 403, !isKnown { return .never(refusal.failure) }
        return backOff(atLeast: delay, isService: false, interval, jitter)
    }

    /// Returns a delay that doubles with each failure of the service.
    ///
    /// It is at least as long as the service or, unless `isService`, the token provider requires.
    private mutating func backOff(
        atLeast minimum: Duration?,
        isService: Bool = true,
        _ interval: Duration,
        _ jitter: Double
    ) -> Retry {
        serviceFailures += 1
        let delay = RetryDelay(after: serviceFailures, interval: interval, requested: minimum, jitter: jitter)
        return .after(delay.duration, isService && delay.isRequested ? .retryAfter : .backOff)
    }
}
