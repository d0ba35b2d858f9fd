import Foundation

/// A moment on both clocks of the session, with microsecond precision.
package struct RecordedMoment: Sendable, Equatable, Codable {
    /// Seconds on the session's steady clock.
    package var steady: Double
    /// The wall clock time: RFC 3339, UTC.
    package var wall: String

    /// Converts a moment.
    package init(_ moment: Moment) {
        steady = moment.steady.recorded
        wall = Timestamp.text(moment.wall)
    }

    /// The moment; `nil` if the recorded time is invalid.
    package var moment: Moment? {
        Timestamp.date(wall).map { Moment(wall: $0, steady: Duration(recorded: steady)) }
    }
}

extension Duration {
    /// The duration in seconds, rounded to microseconds.
    package var recorded: Double { (seconds * 1e6).rounded() / 1e6 }

    /// A measured duration in seconds, rounded to nanoseconds: with microseconds, a replay could round it to another text.
    package var recordedExactly: Double { (seconds * 1e9).rounded() / 1e9 }

    /// Creates a duration from recorded seconds, clamped to ±100 years.
    package init(recorded seconds: Double) {
        let bounded = seconds.isNaN ? 0 : min(max(seconds, -3_155_760_000), 3_155_760_000)
        self = .nanoseconds(Int64((bounded * 1e9).rounded()))
    }
}
