package import Runtime
import TripModel

/// The age of the vehicle's position by both clocks, and why it is stale.
package struct PositionAge: Sendable, Equatable {
    /// Why a position is stale.
    package enum Reason: String, Sendable, Hashable {
        /// The polls are paused.
        case paused
        /// The polls fail.
        case pollingFails
        /// There is no newer answer yet: the vehicle may have reported since the last one.
        case unanswered
        /// A cache sends the answers.
        case cached
        /// The answers are older than the known state.
        case serverUnchanged
        /// The answers are current, and the last one has shown that the driver's device had not reported for long.
        case driverSilent
        /// The service received a position that was measured long ago, because the device had buffered it.
        case deliveredLate
        /// The device's timestamp is in the future.
        case clocksDiffer
    }

    /// The time since the service received it; `nil` if unknown.
    package var received: Duration?
    /// The time since it was measured, by the device's clock; `nil` if unknown.
    package var measured: Duration?
    /// Why it is stale; `nil` if it is not.
    package var reason: Reason?
    /// Whether the last report of the vehicle is older than ``staleAfter`` or three poll intervals, whatever the reason.
    package var isOld: Bool

    /// The age above which a position is stale, unless three poll intervals are longer.
    ///
    /// Driver devices report every 5 s on a trip and every 10 s otherwise (60 s at most): 30 s are three missed reports.
    package static let staleAfter = Duration.seconds(30)
    /// A device's clock may be ahead by this duration.
    package static let clockTolerance = Duration.seconds(5)

    /// Returns the age above which a position is stale, for an interval of the polls.
    package static func limit(polling interval: Duration) -> Duration { max(staleAfter, interval * 3) }

    /// Computes the age of a trip's position; `nil` if there is no position or the trip has ended.
    package init?(state: TripState, schedule: PollSchedule?, at now: Moment) {
        guard let known = state.journey, !known.status.isTerminal, known.lastLocation?.coordinate != nil else {
            return nil
        }
        received = state.receivedAge(at: now)
        measured = state.measuredAge(at: now)
        let interval = schedule?.interval ?? .zero
        let limit = Self.limit(polling: interval)
        let age = received ?? measured ?? .zero
        isOld = age > limit
        if let measured, measured < .zero - Self.clockTolerance, !Self.isExplained(measured, by: state.clockOffset) {
            reason = .clocksDiffer
        } else if isOld {
            let answers = state.answerAge(at: now) ?? .zero
            if schedule?.isPaused == true {
                reason = .paused
            } else if (schedule?.failures ?? 0) > 0 || answers > limit {
                reason = .pollingFails
            } else if state.cache != nil {
                reason = .cached
            } else if state.outdatedAnswers > 0 && state.changed.isEmpty {
                reason = .serverUnchanged
            } else {
                reason = age - answers > limit ? .driverSilent : .unanswered
            }
        } else if let measured, let received, measured - received > Self.staleAfter {
            reason = .deliveredLate
        }
    }

    /// Returns whether the service's clock explains an age: by the local clock, the position is neither old nor in the future.
    private static func isExplained(_ age: Duration, by offset: Duration) -> Bool {
        guard offset < .zero - clockTolerance else { return false }
        return (.zero - clockTolerance...staleAfter).contains(age - offset)
    }
}

extension PositionAge.Reason {
    /// Whether the vehicle's position is no longer known.
    package var isLoss: Bool {
        switch self {
        case .pollingFails, .cached, .serverUnchanged, .driverSilent: true
        case .paused, .unanswered, .deliveredLate, .clocksDiffer: false
        }
    }
}
