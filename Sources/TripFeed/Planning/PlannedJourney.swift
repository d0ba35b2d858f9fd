import HeapModule
import TripModel

/// A journey of a ``Planner``: the rules of its polls, and why it is asked for.
struct PlannedJourney: Sendable {
    /// The time of a request, and what comes before it.
    struct Place: Equatable, Sendable {
        let priority: Planner.Priority
        let due: Duration
    }

    /// Decides when the next regular poll is due and when there is none any more.
    var rules: PollMachine
    /// The number of the last sweep that listed it.
    var sweep = 0
    /// Whether the service has said that it exists.
    var isSeen = false
    /// Whether it is polled at every interval.
    var isShown = false
    /// Since when a last request for it is wanted, because the sweep no longer lists it or because the user asked.
    var missingSince: Duration?
    /// Since when its vehicle is known to move.
    var movingSince: Duration?
    /// Whether its request has a slot of the budget for the time at which it is due.
    var hasSlot = false
    private(set) var isInFlight = false

    /// The place of the next request; `nil` if only an answer or a command can lead to one.
    var place: Place? {
        guard !isInFlight else { return nil }
        let regular = rules.nextPoll
        if isShown, let regular, missingSince.map({ regular <= $0 }) ?? true {
            return Place(priority: .shown, due: regular)
        }
        // A last request does not wait for the interval.
        if let missingSince { return Place(priority: .missing, due: missingSince) }
        guard let regular, let movingSince else { return nil }
        return Place(priority: .moving, due: max(regular, movingSince))
    }

    /// Records that its request was sent.
    mutating func begin(at now: Duration, startsSeries: Bool) {
        rules.began(at: now, startsSeries: startsSeries)
        (isInFlight, hasSlot, movingSince) = (true, false, nil)
    }

    /// Records that its request has ended.
    mutating func finish() { (isInFlight, missingSince) = (false, nil) }
}

/// Journeys in the order of their times; journeys of the same time in the order in which they were added.
///
/// A removed journey leaves its entry behind until there are more of these than journeys, so that every change costs about the
/// logarithm of their number and an empty queue has no entries.
struct DueQueue: Sendable {
    /// A journey and its time.
    struct Entry: Comparable, Sendable {
        let due: Duration
        fileprivate let number: Int
        let id: JourneyID

        static func < (first: Self, second: Self) -> Bool { (first.due, first.number) < (second.due, second.number) }
    }

    private var entries = Heap<Entry>()
    /// The number of the entry of each journey.
    private var numbers: [JourneyID: Int] = [:]
    private var lastNumber = 0

    /// The number of journeys.
    var count: Int { numbers.count }

    /// The number of entries, with those that were left behind; at most twice the number of journeys.
    var entryCount: Int { entries.count }

    /// Returns the journey with the earliest time.
    mutating func first() -> Entry? {
        while let entry = entries.min, numbers[entry.id] != entry.number { entries.removeMin() }
        return entries.min
    }

    /// Adds a journey that is not in the queue.
    mutating func insert(_ id: JourneyID, due: Duration) {
        lastNumber += 1
        numbers[id] = lastNumber
        entries.insert(Entry(due: due, number: lastNumber, id: id))
    }

    /// Removes a journey.
    mutating func remove(_ id: JourneyID) {
        let number = numbers.removeValue(forKey: id)
        if let first = entries.min, first.number == number { entries.removeMin() }
        guard entries.count > 2 * numbers.count else { return }
        entries = Heap(entries.unordered.filter { numbers[$0.id] == $0.number })
    }
}

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
}
