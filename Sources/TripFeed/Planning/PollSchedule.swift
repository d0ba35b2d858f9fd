/// The time of the next poll and its reason.
package struct PollSchedule: Sendable, Equatable {
    /// The reason for the time of the next poll.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The regular interval.
        case interval
        /// The trip has no vehicle yet: half as often.
        case waitingForVehicle
        /// The shipment is closed, and another attempt may follow: half as often.
        case nextAttempt
        /// The trip does not exist yet.
        case waitingForCreation
        /// The trip has ended: one more poll.
        case confirmingEnd
        /// The token was refused: poll at once with a new one.
        case newToken
        /// The last poll failed.
        case backOff
        /// The service requested a wait.
        case retryAfter
        /// The quota: polls of other trips come first.
        case quota
    }

    /// The regular interval between two polls.
    package var interval: Duration
    /// When the next poll is due, on the steady clock; `nil` while a poll is in progress.
    package var next: Duration?
    /// The reason for that time.
    package var reason = Reason.interval
    /// Whether polling is paused.
    package var isPaused = false
    /// The number of successive failures.
    package var failures = 0
    /// The requested interval, if it was out of range.
    package var clampedFrom: Duration?

    /// Creates a schedule with a regular interval.
    package init(interval: Duration, next: Duration?) {
        self.interval = interval
        self.next = next
    }
}
