package import Foundation

/// An estimated time of arrival and the time it was received.
package struct Arrival: Sendable, Hashable {
    /// The ETA.
    package var time: Date
    /// When the estimate was first received, by the same clock.
    package var receivedAt: Date

    /// Returns the time until the ETA; negative when overdue.
    ///
    /// `now` is the service's time.
    package func countdown(at now: Date) -> Duration {
        .seconds(time.timeIntervalSince(now))
    }
}
