import Failures
import TripFeed
import TripModel

/// Computes when a session ends, and its exit code; without side effects.
struct CompletionTracker: Sendable {
    /// What a session waits for.
    enum Goal: Sendable, Equatable {
        /// The end of every trip.
        case end
        /// One poll of every trip.
        case once
        /// A status that every trip must reach.
        case status(JourneyStatus)
    }

    /// How the session ended.
    enum Outcome: Sendable, Equatable {
        /// Every trip reached the goal.
        case done
        /// A trip ended in another status.
        case missed(JourneyID, JourneyStatus)
        /// A trip can't be followed.
        case failed(JourneyID, Failure)
        /// The timeout expired before every trip reached the goal.
        ///
        /// `waiting` is a trip whose first poll was in progress, `cause` the last failure if the last poll of its trip failed.
        case timedOut(waiting: JourneyID?, cause: TripFailure? = nil)
        /// The timeout expired while the trips of the project could not be listed.
        case searchFailed(Failure)
        /// The user or a signal ended the session; holds the signal number.
        case interrupted(Int32)
    }

    /// Why a trip did not answer.
    struct TripFailure: Sendable, Equatable {
        /// The journey.
        let journey: JourneyID
        /// The reason.
        let failure: Failure
    }

    enum Progress {
        case underWay
        case reached(JourneyStatus)
        case missed(JourneyStatus)
        case failed(Failure)

        var isUnderWay: Bool { if case .underWay = self { true } else { false } }

        /// The status in which the trip reached or missed the goal.
        var status: JourneyStatus? {
            switch self {
            case .reached(let status), .missed(let status): status
            case .underWay, .failed: nil
            }
        }
    }

    let goal: Goal
    private(set) var trips: [JourneyID]
    /// Whether trips may still be added.
    private(set) var isOpen: Bool
    var progress: [JourneyID: Progress]
    /// The number of trips, out of `trips`, that are not finished.
    var underWayCount: Int
    /// The combined outcome of the ended trips that were forgotten.
    var ended = Outcome.done
    /// Whether a trip has ended without an answer.
    var hasUnanswered = false
    /// The trips out of `trips` whose outcome was reported.
    private(set) var reported: Set<JourneyID> = []
    /// The latest failure of a trip that never answered.
    private(set) var lastFailure: (journey: JourneyID, failure: Failure)?

    /// Why the last search for the trips of a project failed; `nil` if it did not.
    var searchFailure: Failure?

    /// Whether a session without any trip has failed when the timeout expires.
    let needsTrip: Bool

    /// Creates a tracker; `trips` may only be empty if `isOpen` is true.
    init(goal: Goal, trips: [JourneyID], isOpen: Bool = false, needsTrip: Bool = false) {
        self.goal = goal
        self.needsTrip = needsTrip
        self.trips = trips
        self.isOpen = isOpen
        progress = Dictionary(uniqueKeysWithValues: trips.map { ($0, .underWay) })
        underWayCount = trips.count
    }

    mutating func set(_ new: Progress?, of journey: JourneyID) {
        underWayCount += (new?.isUnderWay == true ? 1 : 0) - (isUnderWay(journey) ? 1 : 0)
        progress[journey] = new
    }

    /// Processes a feed event; returns an outcome once every trip is finished.
    ///
    /// `table` has the facts after the event.
    mutating func update(_ event: FeedEvent, _ table: JourneyTable) -> Outcome? {
        if progress[event.journey] == nil {
            // A queued schedule event may arrive after the trip's end.
            if case .scheduled = event { return nil }
            trips.append(event.journey)
            set(.underWay, of: event.journey)
        }
        if case .ended(let trip, let end) = event, end != .left, table[trip]?.answer == nil { hasUnanswered = true }
        switch event {
        case .polling, .scheduled, .found, .omitted, .driver: break
        case .polled(let report, _, let schedule):
            switch report.outcome {
            case .success: if let status = table[report.journey]?.status?.value { update(status, of: report.journey) }
            case .failure(let failure):
                // A trip that does not exist yet counts as an answer, and has its own timeout.
                if failure.code == .notFound {
                    lastFailure = nil
                } else if table[report.journey]?.answer == nil {
                    lastFailure = (report.journey, failure)
                }
                // A refused token causes one more poll with a new one.
                let isRepeated = failure.asksForNewToken && schedule.reason == .newToken
                if goal == .once, !isRepeated { set(.failed(failure), of: report.journey) }
            }
        case .ended(let trip, .left): forget(trip)
        case .ended(let trip, .failed(let failure)):
            if isUnderWay(trip) { set(.failed(failure), of: trip) }
        case .ended(let trip, .reached(let status)):
            if isUnderWay(trip) { set(goal == .end ? .reached(status) : .missed(status), of: trip) }
        }
        // Without a status to wait for, the session continues to follow a file that may name more trips.
        return isOpen && (goal == .end || trips.isEmpty) ? nil : outcome
    }

    /// Returns whether one poll of each trip is wanted and an event is about a later one.
    func isExcess(_ event: FeedEvent) -> Bool {
        guard goal == .once else { return false }
        switch (event, progress[event.journey]) {
        case (_, .underWay), (_, nil), (.ended, _): return false
        case (_, _): return true
        }
    }

    /// Returns the outcome of the trip that an event has ended; `nil` if it was returned before.
    ///
    /// Call it after ``update(_:_:)``. A trip that is added again may end again. While trips may still be added, an ended trip is
    /// reduced to its outcome, so that memory use stays bounded.
    mutating func reportEnd(after event: FeedEvent) -> (journey: JourneyID, outcome: String)? {
        guard case .ended(let trip, _) = event else {
            if case .polling(let trip, _) = event { reported.remove(trip) }
            return nil
        }
        let isFirst = reported.insert(trip).inserted
        let outcome = word(for: trip)
        if isOpen {
            reported.remove(trip)
            if let progress = progress[trip] { combine(trip, progress) }
        }
        return isFirst ? (trip, outcome) : nil
    }

    private mutating func combine(_ journey: JourneyID, _ progress: Progress) {
        ended = Self.worse(ended, journey, progress) ?? ended
        forget(journey)
    }

    /// Returns the outcomes of the trips that ``reportEnd(after:)`` has not returned, at the end of the session.
    func unreportedOutcomes(overall: Outcome) -> [(journey: JourneyID, outcome: String)] {
        trips.filter { !reported.contains($0) }.map { ($0, word(for: $0, overall: overall)) }
    }

    private mutating func forget(_ journey: JourneyID) {
        trips.removeAll { $0 == journey }
        set(nil, of: journey)
        if lastFailure?.journey == journey { lastFailure = nil }
    }

    /// Records that no more trips will be added and that the last one has ended.
    mutating func close() -> Outcome? {
        isOpen = false
        return outcome
    }

    private mutating func update(_ status: JourneyStatus, of journey: JourneyID) {
        guard isUnderWay(journey) else { return }
        switch goal {
        case .once: set(.reached(status), of: journey)
        case .end: break
        case .status(let wanted):
            if status.hasReached(wanted) {
                set(.reached(status), of: journey)
            } else if status.isTerminal {
                set(.missed(status), of: journey)
            }
        }
    }
}
