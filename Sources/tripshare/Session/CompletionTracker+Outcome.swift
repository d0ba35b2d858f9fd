import Failures
import TripFeed
import TripModel

extension CompletionTracker {
    var outcome: Outcome? {
        // Most events come while a trip is in progress: they must not cost a visit of every trip.
        guard underWayCount == 0 else { return nil }
        var worst = ended
        for trip in trips {
            guard let progress = progress[trip], let worse = Self.worse(worst, trip, progress) else { return nil }
            worst = worse
        }
        return worst
    }

    /// Returns the worse of the outcome so far and a trip's outcome; `nil` while the trip is in progress.
    static func worse(_ worst: Outcome, _ journey: JourneyID, _ progress: Progress) -> Outcome? {
        switch progress {
        case .underWay: nil
        case .reached: worst
        case .missed(let status): worst == .done ? .missed(journey, status) : worst
        case .failed(let failure): if case .failed = worst { worst } else { .failed(journey, failure) }
        }
    }

    /// Returns the outcome when a trip has not reached an expected status in time, so that nothing is worth waiting for.
    mutating func miss(_ journey: JourneyID, _ table: JourneyTable) -> Outcome {
        let status = status(of: journey, table)
        set(.missed(status), of: journey)
        return .missed(journey, status)
    }

    func status(of journey: JourneyID, _ table: JourneyTable) -> JourneyStatus {
        progress[journey]?.status ?? table[journey]?.status?.value ?? JourneyStatus(journey.kind, name: "–")
    }

    /// Returns the outcome when the timeout expires: a failure that lasts until then, even if every trip had answered before.
    func timeout(_ table: JourneyTable) -> Outcome {
        // A failure is known, also while the first poll of another trip is in progress.
        if let cause = trips.lazy.compactMap({ trip in lastingFailure(of: trip, table) }).first {
            return .timedOut(waiting: nil, cause: cause)
        }
        if let searchFailure { return .searchFailed(searchFailure) }
        for trip in trips { if case .failed(let failure)? = progress[trip] { return .failed(trip, failure) } }
        let waiting = trips.first { table[$0]?.isStarting == true }
        let timedOut = Outcome.timedOut(waiting: waiting)
        if case .status = goal { return timedOut }
        if needsTrip, table.firstAnswer == nil { return timedOut }
        let hasAnswers = trips.allSatisfy { !isUnderWay($0) || table[$0]?.answer != nil }
        return hasAnswers && !hasUnanswered ? .done : timedOut
    }

    func isUnderWay(_ journey: JourneyID) -> Bool { progress[journey]?.isUnderWay == true }

    /// Returns the failure of a trip that is still followed and whose last poll failed.
    private func lastingFailure(of journey: JourneyID, _ table: JourneyTable) -> TripFailure? {
        guard isUnderWay(journey), let failure = table[journey]?.failure?.value else { return nil }
        return TripFailure(journey: journey, failure: failure)
    }

    /// Returns the outcome when a recording that is played has ended.
    func endOfReplay(_ table: JourneyTable) -> Outcome {
        guard case .status = goal else { return outcome ?? ended }
        guard let unreached = trips.first(where: isUnderWay) else { return outcome ?? .timedOut(waiting: nil) }
        return .missed(unreached, status(of: unreached, table))
    }

    /// Returns the outcome of one trip as JSON output names it.
    ///
    /// Pass `overall` if the session has ended, not only this trip.
    func word(for journey: JourneyID, overall: Outcome? = nil) -> String {
        switch progress[journey] {
        case .reached?: "reached"
        case .missed?: "missed"
        case .failed?: "failed"
        case .underWay?, nil:
            switch overall {
            // A trip still in progress at the end of the session was followed for the full time.
            case .timedOut, .searchFailed, .done: "timed_out"
            case .interrupted: "interrupted"
            case .missed, .failed, nil: "left"
            }
        }
    }
}
