import Foundation
import HeapModule
import TripModel

/// The mutable state of a provider, protected by one lock.
struct ProviderState {
    typealias Caller = CheckedContinuation<Result<BearerToken, TokenError>, Never>

    /// The task that waits for the next check.
    struct Timer {
        let number: Int
        /// By the steady clock; what it waits for may be obsolete by then.
        let until: Duration
        let task: Task<Void, Never>
    }

    /// A subscriber to events.
    struct Subscriber: Sendable {
        /// Receives an event; called under the lock to keep events in order.
        let receive: @Sendable (TokenEvent) -> Void
        /// Called when no more events follow.
        let finish: @Sendable () -> Void
    }

    /// What is done after the lock is released.
    struct Effects: Sendable {
        var resumptions: [(Caller, Result<BearerToken, TokenError>)] = []
        var cancellations: [Task<Void, Never>] = []

        func perform() {
            for task in cancellations { task.cancel() }
            for (caller, result) in resumptions { caller.resume(returning: result) }
        }
    }

    let policy: TokenPolicy
    var keys: KeyTable
    /// Keys that need a fetch: those with waiters in order of arrival, then by the expiry of their token.
    var fetchQueue = KeyQueue()
    /// When to check each key again.
    var checks = KeyQueue()
    /// The fetches in flight.
    var fetches: [Int: Task<Void, Never>] = [:]
    var callers: [Int: Caller] = [:]
    var subscribers: [Int: Subscriber] = [:]
    var evidence = TokenEvidenceStore()
    var counters = TokenCounters()
    var generator: SeededGenerator
    var timer: Timer?
    /// The task that observes changes of the source.
    var sourceObserver: Task<Void, Never>?
    /// Wall time minus steady time, in seconds, as last observed; a jump means that the wall clock was set.
    var wallBase: Double
    /// The last published difference of the clocks, in seconds.
    var publishedOffset: Double = 0
    var isClosed = false
    private var lastNumber = 0

    init(policy: TokenPolicy, seed: UInt64, startedAt now: Moment) {
        self.policy = policy
        keys = KeyTable(policy: policy)
        generator = SeededGenerator(seed: seed)
        wallBase = now.wallBase
    }

    /// Returns a new number for a fetch, a caller, a timer or a subscriber.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// All running tasks.
    var tasks: [Task<Void, Never>] {
        fetches.values + [timer?.task, sourceObserver].compactMap(\.self)
    }

    /// Removes everything; returns the tasks to cancel and the callers to resume.
    mutating func close() -> Effects {
        let effects = Effects(resumptions: callers.values.map { ($0, .failure(.closed)) }, cancellations: tasks)
        isClosed = true
        (timer, sourceObserver) = (nil, nil)
        (callers, fetches, subscribers) = ([:], [:], [:])
        keys.removeAll()
        return effects
    }

    // MARK: Checks and fetches that are due

    /// Queues a key for its next check and, if one is due, for a fetch.
    mutating func schedule(_ slot: KeyTable.Slot, at now: Moment) {
        if slot.machine.fetchReason(at: now) != nil { queueFetch(of: slot, at: now) }
        // A time that has passed without a due fetch would recur immediately in an endless loop; a timeout ends its fetch.
        guard let time = slot.machine.nextCheck, time > now.steady || slot.machine.fetch != nil else {
            slot.checkAt = nil
            return
        }
        guard slot.checkAt != time else { return }
        slot.checkAt = time
        checks.insert(slot.context, time: time)
        guard checks.count > 2 * keys.count + 64 else { return }
        // A time that was replaced and set again occurs twice.
        var kept: Set<AuthorizationContext> = []
        checks.compact { keys[$0.context]?.checkAt == $0.time && kept.insert($0.context).inserted }
    }

    /// Returns the time of the earliest valid check.
    mutating func earliestCheck() -> Duration? {
        while let first = checks.first, keys[first.context]?.checkAt != first.time { _ = checks.popFirst() }
        return checks.first?.time
    }

    /// Removes and returns a key whose check is due.
    mutating func popDueCheck(at now: Moment) -> KeyTable.Slot? {
        while let first = checks.first, first.time <= now.steady {
            _ = checks.popFirst()
            guard let slot = keys[first.context], slot.checkAt == first.time else { continue }
            slot.checkAt = nil
            return slot
        }
        return nil
    }

    /// Queues a key for a fetch; a key with waiters overtakes.
    private mutating func queueFetch(of slot: KeyTable.Slot, at now: Moment) {
        let priority: KeyQueue.Priority = slot.machine.isUrgent ? .urgent : .normal
        if let queued = slot.fetchPriority, queued <= priority { return }
        slot.fetchPriority = priority
        let expiry = slot.machine.token?.deadline.steady ?? now.steady
        fetchQueue.insert(slot.context, priority: priority, time: priority == .urgent ? now.steady : expiry)
    }

    /// Removes and returns the next key whose fetch may begin, with the reason.
    mutating func popFetch(at now: Moment) -> (KeyTable.Slot, FetchReason)? {
        guard fetches.count < policy.fetchLimit else { return nil }
        while let item = fetchQueue.popFirst() {
            guard let slot = keys[item.context] else { continue }
            slot.fetchPriority = nil
            if let reason = slot.machine.fetchReason(at: now) { return (slot, reason) }
        }
        return nil
    }
}

extension Moment {
    /// Wall time minus steady time, in seconds.
    var wallBase: Double { wall.timeIntervalSinceReferenceDate - steady.seconds }
}

/// Keys in the order of their priority and time.
///
/// Entries that are no longer valid stay until they are removed; the slot of a key refers to its valid entry.
struct KeyQueue {
    enum Priority: Comparable {
        /// Callers wait.
        case urgent
        case normal
    }

    struct Item: Comparable {
        let priority: Priority
        /// By the steady clock.
        let time: Duration
        let context: AuthorizationContext
        fileprivate let order: Int

        static func < (first: Item, second: Item) -> Bool {
            (first.priority, first.time, first.order) < (second.priority, second.time, second.order)
        }
    }

    private var items = Heap<Item>()
    private var lastOrder = 0

    var count: Int { items.count }

    var first: Item? { items.min }

    /// Adds a key; entries with the same priority and time are in order of insertion.
    mutating func insert(_ context: AuthorizationContext, priority: Priority = .normal, time: Duration) {
        lastOrder += 1
        items.insert(Item(priority: priority, time: time, context: context, order: lastOrder))
    }

    mutating func popFirst() -> Item? { items.popMin() }

    /// Removes the entries that are no longer valid.
    mutating func compact(keeping isValid: (Item) -> Bool) { items = Heap(items.unordered.filter(isValid)) }
}
