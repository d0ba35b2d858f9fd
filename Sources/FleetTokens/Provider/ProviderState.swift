import Failures
import Foundation
import HeapModule
import Runtime
import TripModel

/// The mutable state of a provider, protected by one lock.
struct ProviderState {
    typealias Caller = CheckedContinuation<Result<BearerToken, TokenError>, Never>

    struct QueuedFetch: Comparable {
        let context: AuthorizationContext
        let isUrgent: Bool
        /// By the steady clock: when the key was queued if it is urgent, else when its token expires.
        let time: Duration
        let number: Int

        static func < (first: Self, second: Self) -> Bool {
            if first.isUrgent != second.isUrgent { return first.isUrgent }
            return (first.time, first.number) < (second.time, second.number)
        }
    }

    /// The task that waits for the next check of the keys.
    struct Timer {
        let number: Int
        /// By the steady clock; what it waits for may be obsolete by then.
        let until: Duration
        let task: Task<Void, Never>
    }

    struct Subscriber: Sendable {
        /// Receives an event; called under the lock so that events remain in order.
        let receive: @Sendable (TokenEvent) -> Void
        /// Called when no more events follow.
        let finish: @Sendable () -> Void
    }

    /// What is done after the lock is released.
    struct Effects: Sendable {
        var cancellations: [Task<Void, Never>] = []
        var resumptions: [(Caller, Result<BearerToken, TokenError>)] = []
        var finished: [Subscriber] = []

        func perform() {
            for task in cancellations { task.cancel() }
            for (caller, result) in resumptions { caller.resume(returning: result) }
            for subscriber in finished { subscriber.finish() }
        }
    }

    let policy: TokenPolicy
    /// The time of the current change.
    var now: Moment
    var effects = Effects()
    var keys: KeyTable
    /// Keys that need a fetch; those that no longer do are skipped when their turn comes.
    private var fetchQueue = Heap<QueuedFetch>()
    var fetches: [Int: Task<Void, Never>] = [:]
    var callers: [Int: Caller] = [:]
    var subscribers: [Int: Subscriber] = [:]
    /// The last event of a stored token that no subscriber has received; `nil` if there is none.
    var unobserved: TokenEvent?
    var evidence = TokenEvidenceStore()
    var counters = TokenCounters()
    private var generator: SeededGenerator
    var timer: Timer?
    /// When the keys were last checked, by the steady clock.
    var lastCheck: Duration
    /// The task that observes changes of the source.
    var sourceObserver: Task<Void, Never>?
    /// When the service's last answer arrived, if it had the time of the local clock.
    var agreedAt: Moment?
    /// The last published difference of the clocks, in seconds.
    var publishedOffset: Double = 0
    var isClosed = false
    private var lastNumber = 0

    init(policy: TokenPolicy, seed: UInt64, startedAt now: Moment) {
        self.policy = policy
        self.now = now
        lastCheck = now.steady
        keys = KeyTable(policy: policy)
        generator = SeededGenerator(seed: seed)
    }

    /// Returns a new number for a fetch, a caller, a timer or a subscriber.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func jitter() -> Double { Double.random(in: 0..<1, using: &generator) }

    /// Whether the service's clock agrees with the local clock; unknown after the local clock was set.
    var serviceAgrees: Bool {
        guard let agreedAt else { return false }
        let passed = (now.steady - agreedAt.steady).seconds
        return abs(now.wall.timeIntervalSince(agreedAt.wall) - passed) <= TokenAdmission.clockTolerance
    }

    /// Removes everything; the effects cancel all tasks and resume all callers.
    mutating func close() -> Effects {
        let effects = Effects(
            cancellations: fetches.values + [timer?.task, sourceObserver].compactMap(\.self),
            resumptions: callers.values.map { ($0, .failure(.closed)) },
            finished: Array(subscribers.values)
        )
        isClosed = true
        (timer, sourceObserver) = (nil, nil)
        (callers, fetches, subscribers) = ([:], [:], [:])
        evidence = TokenEvidenceStore()
        keys.removeAll()
        return effects
    }

    /// Queues a key if its fetch is due: those with waiters in order of arrival, then by the expiry of their token.
    mutating func queueFetch(of slot: KeyTable.Slot) {
        guard slot.machine.fetchReason(at: now) != nil else { return }
        let isUrgent = slot.machine.isUrgent
        if let isQueuedUrgently = slot.isQueuedUrgently, isQueuedUrgently || !isUrgent { return }
        slot.isQueuedUrgently = isUrgent
        let expiry = slot.machine.token?.deadline.steady ?? now.steady
        let time = isUrgent ? now.steady : expiry
        fetchQueue.insert(QueuedFetch(context: slot.context, isUrgent: isUrgent, time: time, number: nextNumber()))
    }

    /// Removes and returns the next key whose fetch may begin, with the reason.
    mutating func popFetch() -> (KeyTable.Slot, FetchReason)? {
        guard fetches.count < policy.fetchLimit else { return nil }
        while let queued = fetchQueue.popMin() {
            guard let slot = keys[queued.context] else { continue }
            slot.isQueuedUrgently = nil
            if let reason = slot.machine.fetchReason(at: now) { return (slot, reason) }
        }
        return nil
    }
}

/// The latest details about a key's tokens, for display.
struct TokenEvidence: Sendable {
    var answer: TokenSourceAnswer?
    var rejected: RejectedToken?
    /// What was sent and what came back in the last fetch; `nil` if nothing was sent or the source does not describe it.
    var exchange: Exchange?
    /// Whether these are the details of a fetch, so that ``exchange`` replaces an earlier one.
    var isOfFetch = false
}

/// The details of the most recently updated keys.
struct TokenEvidenceStore: Sendable {
    private static let maximumKeys = 256

    private var known: [AuthorizationContext: TokenEvidence] = [:]
    /// The keys, the least recently updated one first.
    private var order: [AuthorizationContext] = []

    subscript(context: AuthorizationContext) -> TokenEvidence? { known[context] }

    /// Merges the details of a fetch or a rejection; absent values do not overwrite known ones.
    mutating func record(_ evidence: TokenEvidence, for context: AuthorizationContext) {
        let previous = known[context]
        guard
            evidence.answer != nil || evidence.rejected != nil || evidence.exchange != nil || previous?.exchange != nil
        else { return }
        remove(context)
        order.append(context)
        known[context] = TokenEvidence(
            answer: evidence.answer ?? previous?.answer,
            rejected: evidence.rejected ?? previous?.rejected,
            exchange: evidence.isOfFetch ? evidence.exchange : previous?.exchange
        )
        if order.count > Self.maximumKeys { remove(order[0]) }
    }

    @discardableResult
    mutating func remove(_ context: AuthorizationContext) -> TokenEvidence? {
        order.removeAll { $0 == context }
        return known.removeValue(forKey: context)
    }
}
