package import Foundation

/// An estimated time of arrival and when it was learnt.
package struct Arrival: Sendable, Hashable {
    /// When the vehicle is expected.
    package var time: Date
    /// When the estimate was first seen, by the same clock.
    package var learnt: Date

    /// An estimate and when it was learnt.
    package init(time: Date, learnt: Date) {
        self.time = time
        self.learnt = learnt
    }

    /// How long it is until then, negative when overdue.
    ///
    /// The present is that of the service's clock.
    package func countdown(at now: Date) -> Duration {
        .seconds(time.timeIntervalSince(now))
    }
}
