import Foundation
import HeapModule
import Runtime

/// The notices of one receiver: which are sent when, and which are repeated.
///
/// The notices of one journey are sent in order. While one of them waits for its repetition, those of other journeys pass it. Time
/// is an argument, and the jitter comes from a seed.
struct NoticeQueue: Sendable {
    /// What follows from the result of a delivery for one of its notices.
    enum Outcome: Sendable, Equatable {
        /// The receiver has it.
        case delivered
        /// The receiver does not want it, for this reason.
        case refused(String)
        /// It is sent again.
        case retry(at: Date, attempts: Int)
        /// Its time is over; the last attempt failed for this reason.
        case expired(String)
    }

    /// The notices of a journey; the first ones may be under way.
    private struct Journey {
        var notices: [StoredNotice] = []
        var underWay = 0
    }

    /// A journey with no notice under way: when its first one is due.
    private struct Ready: Comparable {
        var due: Date
        /// The order among those that are due at the same time.
        var number: Int
        var journey: String

        static func < (left: Self, right: Self) -> Bool { (left.due, left.number) < (right.due, right.number) }
    }

    /// How long a notice is repeated.
    private let limit: Duration
    /// The most notices of one delivery.
    private let batch: Int
    /// The most deliveries under way.
    private let lanes: Int
    private var random: SeededGenerator
    private var journeys: [String: Journey] = [:]
    /// One element for each journey with no notice under way.
    private var ready = Heap<Ready>()
    private var ids: Set<NoticeID> = []
    private var lastNumber = 0
    private var deliveries = 0
    /// Nothing is sent before, because the receiver asked for that.
    private var heldUntil = Date.distantPast
    /// The number of notices that are under way.
    private(set) var underWay = 0

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - limit: For how long a notice is repeated, from when it was noticed.
    ///   - batch: The most notices of one delivery, at least 1.
    ///   - lanes: The most deliveries under way at a time, at least 1.
    ///   - seed: The seed of the jitter.
    init(limit: Duration, batch: Int = 1, lanes: Int = 4, seed: UInt64) {
        (self.limit, self.batch, self.lanes) = (limit, max(batch, 1), max(lanes, 1))
        random = SeededGenerator(seed: seed)
    }

    /// The number of notices that wait and are not under way.
    var waiting: Int { ids.count - underWay }

    /// All notices that wait or are under way; in order for each journey.
    var all: [StoredNotice] { journeys.values.flatMap(\.notices) }

    /// Adds a notice after those of the same journey.
    ///
    /// - Returns: Whether it is new; one whose ID is in the queue is not added again.
    @discardableResult
    mutating func add(_ notice: StoredNotice) -> Bool {
        guard ids.insert(notice.id).inserted else { return false }
        journeys[notice.journey, default: Journey()].notices.append(notice)
        if journeys[notice.journey]?.notices.count == 1 { enqueue(notice.journey) }
        return true
    }

    /// Returns the notices of the next delivery, which are under way until ``ended(_:_:at:)``; `nil` if nothing is to be sent now.
    mutating func next(at now: Date) -> [StoredNotice]? {
        guard deliveries < lanes, heldUntil <= now else { return nil }
        var taken: [StoredNotice] = []
        while taken.count < batch, let first = ready.min, first.due <= now {
            ready.removeMin()
            let room = batch - taken.count
            let notices = journeys[first.journey]?.notices.prefix(room).prefix { $0.due <= now } ?? []
            journeys[first.journey]?.underWay = notices.count
            taken += notices
        }
        guard !taken.isEmpty else { return nil }
        deliveries += 1
        underWay += taken.count
        return taken
    }

    /// Processes the result of a delivery that ``next(at:)`` returned; returns the outcome for each of its notices.
    mutating func ended(_ notices: [StoredNotice], _ result: DeliveryResult, at now: Date) -> [Outcome] {
        deliveries -= 1
        underWay -= notices.count
        let due = dueAgain(notices, after: result, at: now)
        var outcomes: [Outcome] = []
        for notice in notices {
            let outcome = outcome(of: notice, result, at: now, due: due)
            outcomes.append(outcome)
            guard let index = journeys[notice.journey]?.notices.firstIndex(where: { $0.id == notice.id }) else {
                continue
            }
            if case .retry(let due, let attempts) = outcome {
                journeys[notice.journey]?.notices[index].due = due
                journeys[notice.journey]?.notices[index].attempts = attempts
            } else {
                journeys[notice.journey]?.notices.remove(at: index)
                ids.remove(notice.id)
            }
        }
        for journey in Set(notices.map(\.journey)).sorted() {
            journeys[journey]?.underWay = 0
            enqueue(journey)
        }
        return outcomes
    }

    /// When ``next(at:)`` has something again; `nil` if only a result or a new notice can change that.
    func wakeUp(at now: Date) -> Date? {
        guard deliveries < lanes, let first = ready.min else { return nil }
        return max(first.due, heldUntil, now)
    }

    // MARK: Details

    private mutating func enqueue(_ journey: String) {
        guard let first = journeys[journey]?.notices.first else {
            journeys[journey] = nil
            return
        }
        lastNumber += 1
        ready.insert(Ready(due: first.due, number: lastNumber, journey: journey))
    }

    private func outcome(of notice: StoredNotice, _ result: DeliveryResult, at now: Date, due: Date) -> Outcome {
        switch result {
        case .delivered: return .delivered
        case .refused(let reason): return .refused(reason)
        case .failed(let reason, _):
            let end = notice.created.addingTimeInterval(limit.seconds)
            // The last attempt is at the end.
            return now >= end ? .expired(reason) : .retry(at: min(due, end), attempts: notice.attempts + 1)
        }
    }

    /// Returns when a delivery is due again, and lets the whole receiver wait if it asked for that.
    private mutating func dueAgain(_ notices: [StoredNotice], after result: DeliveryResult, at now: Date) -> Date {
        guard case .failed(_, let retryAfter) = result else { return now }
        let delay = Self.delay(afterAttempts: (notices.map(\.attempts).min() ?? 0) + 1, &random)
        guard let retryAfter else { return now.addingTimeInterval(delay.seconds) }
        let bounded = min(retryAfter, limit)
        heldUntil = max(heldUntil, now.addingTimeInterval(bounded.seconds))
        return now.addingTimeInterval(max(delay, bounded).seconds)
    }

    /// The longest delay between two attempts without the jitter; with it, it is 5 min.
    private static let longestDelay = 240.0

    /// Returns the delay after a number of failed attempts: 1 s, 2 s, 4 s … 4 min, and up to a quarter more.
    ///
    /// The jitter keeps receivers that come back from getting everything at the same moment.
    static func delay(afterAttempts attempts: Int, _ random: inout SeededGenerator) -> Duration {
        let base = attempts > 8 ? longestDelay : min(Double(1 << max(attempts - 1, 0)), longestDelay)
        return Duration(clampedSeconds: base * Double.random(in: 1...1.25, using: &random))
    }
}
