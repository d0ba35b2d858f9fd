import FleetTokens
import FleetWire
import HTTPTransport
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
        case status(TripStatus)
    }

    /// How the session ended.
    enum Outcome: Sendable, Equatable {
        /// Every trip reached the goal.
        case done
        /// A trip ended in another status.
        case missed(TripID, TripStatus)
        /// A trip can't be followed.
        case failed(TripID, PollFailure)
        /// The timeout expired before every trip reached the goal.
        case timedOut
        /// The user or a signal ended the session; holds the signal number.
        case interrupted(Int32)
    }

    private enum Progress {
        case underWay
        case reached
        case missed(TripStatus)
        case failed(PollFailure)
    }

    private let goal: Goal
    private(set) var trips: [TripID]
    /// Whether trips may still be added.
    private(set) var isOpen: Bool
    private var progress: [TripID: Progress]
    /// The trips, out of `trips`, that have answered.
    private var answered: Set<TripID> = []
    /// Whether any trip has ever answered.
    private(set) var hasAnswer = false
    /// The combined outcome of the trips that were dropped, and whether one of them never answered.
    private var settled: (outcome: Outcome, hasSilent: Bool) = (.done, false)
    /// The latest failure of a trip that never answered.
    private(set) var lastFailure: (trip: TripID, failure: PollFailure)?

    /// Creates a tracker; `trips` may only be empty if `isOpen` is true.
    init(goal: Goal, trips: [TripID], isOpen: Bool = false) {
        self.goal = goal
        self.trips = trips
        self.isOpen = isOpen
        progress = Dictionary(uniqueKeysWithValues: trips.map { ($0, .underWay) })
    }

    /// Processes a feed event; returns an outcome once every trip is finished.
    mutating func take(_ event: FeedEvent) -> Outcome? {
        if progress[event.trip] == nil {
            // A queued schedule event may arrive after the trip's end.
            if case .scheduled = event { return nil }
            trips.append(event.trip)
            progress[event.trip] = .underWay
        }
        switch event {
        case .polling, .scheduled, .found, .omitted: break
        case .polled(let report, let state, _):
            switch report.outcome {
            case .success: take(state, of: report.trip)
            case .failure(let failure):
                // A trip that does not exist yet counts as an answer, and has its own timeout.
                if failure.code == "NOT_FOUND" {
                    lastFailure = nil
                } else if !answered.contains(report.trip) {
                    lastFailure = (report.trip, failure)
                }
                if goal == .once { progress[report.trip] = .failed(failure) }
            }
        case .ended(let trip, .left): forget(trip)
        case .ended(let trip, .failed(let failure)):
            if case .underWay = progress[trip] { progress[trip] = .failed(failure) }
        case .ended(let trip, .reached(let status)):
            if case .underWay = progress[trip] { progress[trip] = goal == .end ? .reached : .missed(status) }
        }
        // Without a status to wait for, the session keeps following a file that may name more trips.
        return isOpen && (goal == .end || trips.isEmpty) ? nil : outcome
    }

    /// Reduces an ended trip to its outcome while trips may still be added, so that memory use stays bounded.
    mutating func settle(after event: FeedEvent) {
        guard isOpen, case .ended(let trip, _) = event, let progress = progress[trip] else { return }
        settled.outcome = Self.worse(settled.outcome, trip, progress) ?? settled.outcome
        settled.hasSilent = settled.hasSilent || !answered.contains(trip)
        forget(trip)
    }

    private mutating func forget(_ trip: TripID) {
        trips.removeAll { $0 == trip }
        progress[trip] = nil
        answered.remove(trip)
        if lastFailure?.trip == trip { lastFailure = nil }
    }

    /// Records that no more trips will be added and that the last one has ended.
    mutating func close() -> Outcome? {
        isOpen = false
        return outcome
    }

    private mutating func take(_ state: TripState, of trip: TripID) {
        answered.insert(trip)
        hasAnswer = true
        guard case .underWay = progress[trip], let status = state.trip?.status else { return }
        switch goal {
        case .once: progress[trip] = .reached
        case .end: break
        case .status(let wanted):
            if Self.isReached(wanted, by: status) {
                progress[trip] = .reached
            } else if status.isTerminal {
                progress[trip] = .missed(status)
            }
        }
    }

    /// Returns whether a trip has reached a status or passed it.
    ///
    /// A canceled trip, or one in an unknown status, has passed no other status.
    private static func isReached(_ wanted: TripStatus, by status: TripStatus) -> Bool {
        if status == wanted { return true }
        guard status != .canceled, wanted != .canceled, let rank = status.rank, let goal = wanted.rank else {
            return false
        }
        return rank > goal
    }

    private var outcome: Outcome? {
        var worst = settled.outcome
        for trip in trips {
            guard let progress = progress[trip], let worse = Self.worse(worst, trip, progress) else { return nil }
            worst = worse
        }
        return worst
    }

    /// Returns the worse of the outcome so far and a trip's outcome; `nil` while the trip is in progress.
    private static func worse(_ worst: Outcome, _ trip: TripID, _ progress: Progress) -> Outcome? {
        switch progress {
        case .underWay: nil
        case .reached: worst
        case .missed(let status): worst == .done ? .missed(trip, status) : worst
        case .failed(let failure): if case .failed = worst { worst } else { .failed(trip, failure) }
        }
    }

    /// The outcome when the timeout expires.
    var timeout: Outcome {
        if case .status = goal { return .timedOut }
        return !settled.hasSilent && trips.allSatisfy(answered.contains) ? .done : .timedOut
    }

    /// The outcome of one trip for its `end` event.
    ///
    /// Pass `overall` if the session has ended, not only this trip.
    func word(for trip: TripID, overall: Outcome? = nil) -> String {
        switch progress[trip] {
        case .reached?: "reached"
        case .missed?: "missed"
        case .failed?: "failed"
        case .underWay?, nil:
            switch overall {
            // A trip still in progress at the end of the session was followed for the full time.
            case .timedOut, .done: "timed_out"
            case .interrupted: "interrupted"
            case .missed, .failed, nil: "left"
            }
        }
    }
}

extension CompletionTracker.Outcome {
    /// The exit status.
    var status: ExitStatus {
        switch self {
        case .done: .done
        case .missed: .expectationFailed
        case .failed(_, let failure): failure.exitStatus
        case .timedOut: .unavailable
        case .interrupted: .interrupted
        }
    }

    /// The exit code of the process.
    var exitCode: Int32 {
        if case .interrupted(let signal) = self { CommandFailure.signal(signal).exitCode } else { status.rawValue }
    }
}

extension PollFailure {
    /// The exit status of a program that ends with this failure.
    var exitStatus: ExitStatus {
        switch self {
        case .token(_, let refusal?): refusal.exitStatus
        case .token(let error, nil): error.exitStatus
        case .transport(.invalidURL), .transport(.unusableProxy): .badConfiguration
        case .transport, .unreadable, .anotherTrip: .unavailable
        case .webPage, .redirected: .badConfiguration
        case .service(let error, _), .refusedToken(let error, _, _):
            switch error.httpStatus {
            case 401, 403: .notPermitted
            case 404: .notFound
            case 408, 429, 500...: .unavailable
            default: .badConfiguration
            }
        }
    }
}

extension TokenError {
    /// The exit status of a program that ends with this failure.
    var exitStatus: ExitStatus {
        switch self {
        case .noAuthorizationContext, .closed: .ownFault
        case .cancelled: .interrupted
        case .denied(let status, _): status == 404 || status == 410 ? .notFound : .notPermitted
        case .unusable, .rejectedByService, .tooShortLived: .notPermitted
        case .tooManyKeys, .tooManyWaiters: .unavailable
        case .missingData: .badConfiguration
        case .unavailable(let cause, _): cause.exitStatus
        }
    }
}

extension TokenSourceError {
    fileprivate var exitStatus: ExitStatus {
        switch self {
        case .unreachable, .timedOut, .cancelled, .commandFailed, .commandKilled: .unavailable
        case .refusedStatus(let status, _):
            switch status {
            case 401, 403: .notPermitted
            case 404, 410: .notFound
            case 408, 429, 500...: .unavailable
            default: .badConfiguration
            }
        case .redirected, .html, .notJSON, .missingKey, .wrongType, .empty, .tooLarge, .invalidURL, .insecureURL,
            .unsupportedContext, .commandNotStarted, .unreadableFile, .missingVariable, .unusableHeader, .badKey,
            .unusableProxy:
            .badConfiguration
        }
    }
}
