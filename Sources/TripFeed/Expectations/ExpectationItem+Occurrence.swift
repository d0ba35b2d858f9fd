import Runtime
import TripModel

extension ExpectationItem {
    /// One moment at which it is judged.
    struct Occurrence {
        /// What has just been seen of the trip.
        enum Step {
            /// A poll was answered; of a log, the trip was changed.
            case answer
            /// A poll has failed; of a log, the rider has called.
            case call
            /// A finding, or the end of the trip.
            case other
        }

        let observation: TripObservation
        let now: Moment
        /// Seconds since the start of the session.
        let seconds: Double
        /// What has just been seen.
        let step: Step
        /// Whether the trip is no longer followed.
        let isEnd: Bool
        let tolerance: ExpectationChecker.Tolerance

        init(
            _ observation: TripObservation,
            at now: Moment,
            _ seconds: Double,
            _ step: Step = .other,
            isEnd: Bool = false,
            tolerance: ExpectationChecker.Tolerance
        ) {
            (self.observation, self.now, self.seconds) = (observation, now, seconds)
            (self.step, self.isEnd, self.tolerance) = (step, isEnd, tolerance)
        }

        /// Whether a poll has just completed.
        var isPoll: Bool { if case .other = step { false } else { true } }

        /// Whether it shows something of the source of a condition.
        func shows(_ source: MeasureForm.Source) -> Bool {
            switch (source, step) {
            case (_, .other): false
            case (.answer, _): step == .answer
            // A change of the trip is no call of the rider.
            case (.calls, _): step == .call || !observation.isOfLog
            case (.latency, _), (.size, _), (.token, _): true
            }
        }
    }
}
