import Foundation
import TripModel

/// The mutable state of a provider, protected by a single lock.
struct ProviderState {
    /// A key's machine and its positions in the provider's collections.
    final class Entry {
        var machine: KeyMachine
        /// The key's valid time in the queue of times; entries with other times are obsolete.
        var scheduledFor: Duration?
        /// The fetch queue that contains the key.
        var queue = Queue.none
        /// Whether the key is counted in `liveCount`.
        var isLive = false
        /// Whether the key is counted in `heldCount`.
        var isHeld = false
        /// The current generation for leases; created with the first lease.
        var version: KeyVersion?
        /// Whether the key is in the list of keys with only failures.
        var isNegative = false
        /// Whether the key is in the list of tokens that are no longer refreshed.
        var isResting = false

        init(machine: KeyMachine) { self.machine = machine }
    }

    /// A slot of the table with the data that most hits need, which saves the access to the entry.
    struct Place {
        let entry: Entry
        /// The current token, while a hit requires no decision: it was read before and no refresh is due.
        var settled: (token: BearerToken, until: Moment)?
        /// When a settled token was last returned, by the steady clock; the machine records all other uses.
        var lastHit = Duration.zero

        init(_ entry: Entry) { self.entry = entry }

        /// The time of the last use, by the steady clock.
        var lastUsed: Duration { max(lastHit, entry.machine.lastUsed) }

        /// Whether the key has a token and can be evicted.
        var isSpare: Bool { entry.isLive && entry.machine.isIdle }

        /// Returns the token if it is usable now without consulting the machine.
        mutating func hit(at now: Moment) -> BearerToken? {
            guard let settled, !StoredToken.isPast(settled.until, at: now) else { return nil }
            lastHit = now.steady
            return settled.token
        }
    }

    enum Queue: Int {
        case none
        case ahead
        case urgent
    }

    /// A subscriber to events.
    struct Subscriber: Sendable {
        /// Receives an event; called under the lock to keep events in order.
        let hear: @Sendable (TokenEvent) -> Void
        /// Called when no more events follow.
        let finish: @Sendable () -> Void
    }

    struct FlightTask {
        let context: AuthorizationContext
        /// When the fetch times out, by the steady clock.
        let timeoutAt: Duration
        let task: Task<Void, Never>
    }

    typealias Waiting = CheckedContinuation<Result<BearerToken, TokenError>, Never>

    /// Actions to perform after the lock is released.
    struct Work {
        var resumptions: [(Waiting, Result<BearerToken, TokenError>)] = []
        var cancellations: [Task<Void, Never>] = []

        func perform() {
            for task in cancellations { task.cancel() }
            for (waiting, result) in resumptions { waiting.resume(returning: result) }
        }
    }

    private let sharedPolicy: SharedPolicy
    var policy: TokenPolicy { sharedPolicy.policy }
    var places: [AuthorizationContext: Place] = [:]
    /// The latest details of the keys, for display.
    var evidence = EvidenceStore()
    var generator: SeededGenerator
    var counters = TokenCounters()
    var waiting: [Int: Waiting] = [:]
    var lastWaiter = 0
    var flights: [Int: FlightTask] = [:]
    var lastFlight = 0
    /// Keys that need a fetch with waiters, in order of arrival.
    var urgent = DueQueue()
    /// Keys that need a refresh, in order of their token's expiry.
    var ahead = DueQueue()
    /// When to check each key again.
    var times = DueQueue()
    /// The timer task: its number and its deadline.
    ///
    /// The deadline is the earliest key time or fetch timeout, but the cause may be obsolete by now.
    var sleeper: (number: Int, until: Duration, task: Task<Void, Never>)?
    var lastSleeper = 0
    /// The task that observes changes of the source.
    var listener: Task<Void, Never>?
    /// Wall time minus steady time as last observed; a jump means that the wall clock was set.
    var wallBase: Double
    var liveCount = 0
    var heldCount = 0
    var negatives: [AuthorizationContext] = []
    /// Keys whose tokens are no longer refreshed, in order of that request.
    private var resting: [AuthorizationContext] = []
    /// The start of the last fetch of keys that were evicted before their minimum spacing had passed.
    private var departed: [AuthorizationContext: Duration] = [:]
    /// When obsolete entries are next removed from this table.
    private var departedUntil = Duration.zero
    var subscribers: [Int: Subscriber] = [:]
    var lastSubscriber = 0
    var announcedOffset: Double = 0
    var isClosed = false

    init(policy: TokenPolicy, seed: UInt64, startedAt: Moment) {
        sharedPolicy = SharedPolicy(policy)
        wallBase = Self.wallBase(at: startedAt)
        generator = SeededGenerator(seed: seed)
    }

    static func wallBase(at now: Moment) -> Double { now.wall.timeIntervalSinceReferenceDate - now.steady.seconds }

    // MARK: Keys

    /// Returns the entry of a key, and creates it if there is room.
    ///
    /// With `holding`, a key that was not held needs room as a new key does.
    mutating func entry(for context: AuthorizationContext, holding: Bool = false) -> Entry? {
        if let entry = places[context]?.entry {
            return holding && (entry.isNegative || entry.isLive && !entry.isHeld) && !hasRoom ? nil : entry
        }
        guard hasRoom else { return nil }
        let entry = Entry(machine: KeyMachine(policy: sharedPolicy, lastStart: departed.removeValue(forKey: context)))
        places[context] = Place(entry)
        return entry
    }

    /// The maximum number of recently evicted keys.
    ///
    /// With a higher turnover, the spacing of single keys does not matter.
    private static let departedLimit = 1024

    /// The maximum number of tokens kept for keys that are no longer refreshed.
    static let restingLimit = 1000

    /// Removes keys to make room for others.
    private mutating func evict(_ victims: [AuthorizationContext], at now: Moment) {
        if now.steady >= departedUntil {
            departed = departed.filter { now.steady < $0.value + policy.minimumSpacing }
            departedUntil = now.steady + policy.minimumSpacing
        }
        for victim in victims {
            let entry = places.removeValue(forKey: victim)?.entry
            if entry?.isResting == true { resting.removeAll { $0 == victim } }
            if let start = entry?.machine.lastStart,
                now.steady < start + policy.minimumSpacing, departed.count < Self.departedLimit
            {
                departed[victim] = start
            }
        }
        counters.evictions += victims.count
    }

    /// Whether another key fits: there must be slots for it and for all keys without a token, after evicting all keys not held.
    private var hasRoom: Bool {
        let unproven = places.count - negatives.count - liveCount
        return unproven + heldCount < policy.keyLimit
    }

    /// Updates the counts after a change of a key and enforces the limits; returns the evicted keys.
    mutating func count(_ entry: Entry, _ context: AuthorizationContext, at now: Moment) -> [AuthorizationContext] {
        show(entry, context)
        let isLive = entry.machine.token != nil
        if isLive != entry.isLive {
            entry.isLive = isLive
            liveCount += isLive ? 1 : -1
        }
        let isHeld = isLive && entry.machine.isHeld
        if isHeld != entry.isHeld {
            entry.isHeld = isHeld
            heldCount += isHeld ? 1 : -1
        }
        var evicted: [AuthorizationContext] = []
        // A key with a pending fetch is more than a stored failure.
        let isNegative = !isLive && entry.machine.isIdle && entry.machine.isTroubled && !entry.machine.isDemanded
        if entry.isNegative != isNegative {
            entry.isNegative = isNegative
            if isNegative { negatives.append(context) } else { negatives.removeAll { $0 == context } }
            if negatives.count > policy.negativeKeyLimit { evicted = forgetOldestNegative(at: now) }
        }
        countResting(entry, context, isLive: isLive, at: now)
        // The entry is blank and would only occupy a slot.
        if !isLive, !entry.isNegative, entry.machine.isBlank(at: now) { places[context] = nil }
        if liveCount > policy.keyLimit { evicted += evictLive(keeping: context, at: now) }
        return evicted
    }

    /// Publishes the current token to leases and hits.
    mutating func show(_ entry: Entry, _ context: AuthorizationContext) {
        entry.version?.show(entry.machine.token?.bearer.generation)
        let token = entry.machine.wasRead ? entry.machine.token : nil
        places[context]?.settled = token.map { ($0.bearer, $0.refresh) }
    }

    /// Adds a key to those no longer refreshed, and evicts the oldest of them above the limit.
    ///
    /// No event is sent, because the user has released the token.
    private mutating func countResting(
        _ entry: Entry,
        _ context: AuthorizationContext,
        isLive: Bool,
        at now: Moment
    ) {
        let isResting = isLive && entry.machine.isResting && entry.machine.isIdle
        guard isResting != entry.isResting else { return }
        entry.isResting = isResting
        guard isResting else { return resting.removeAll { $0 == context } }
        resting.append(context)
        guard resting.count > Self.restingLimit, let oldest = resting.first else { return }
        evict([oldest], at: now)
        liveCount -= 1
    }

    private mutating func forgetOldestNegative(at now: Moment) -> [AuthorizationContext] {
        let context = negatives.removeFirst()
        guard let entry = places[context]?.entry else { return [] }
        entry.isNegative = false
        guard entry.machine.isIdle, !entry.machine.isDemanded else { return [] }
        evict([context], at: now)
        return [context]
    }

    /// Evicts the keys with expired tokens; if there are none, the least recently used sixteenth.
    ///
    /// Finding them requires a scan of all keys, so evicting several at once reduces the average cost.
    private mutating func evictLive(keeping newcomer: AuthorizationContext, at now: Moment) -> [AuthorizationContext] {
        let spare = places.filter { $0.value.isSpare && $0.key != newcomer }
        var victims = spare.filter { $0.value.entry.machine.token?.isUsable(at: now) != true }.map(\.key)
        if victims.isEmpty {
            let byUse = spare.map { ($0.key, $0.value.lastUsed) }.sorted { $0.1 < $1.1 }
            victims = byUse.prefix(max(policy.keyLimit / 16, 1)).map(\.0)
        }
        evict(victims, at: now)
        liveCount -= victims.count
        return victims
    }

    /// Returns keys in order of their IDs, so that the same seed gives the same run in every process.
    func inOrder(where isWanted: (Entry) -> Bool = { _ in true }) -> [(AuthorizationContext, Entry)] {
        // `filter` on a dictionary would build another dictionary.
        places.compactMap { isWanted($0.value.entry) ? ($0.key, $0.value.entry) : nil }.sorted { $0.0.id < $1.0.id }
    }

    // MARK: Times

    /// Adds a key to the queue of times or updates its time; fetches in flight have their own timeouts.
    mutating func schedule(_ entry: Entry, _ context: AuthorizationContext, at now: Moment) {
        // A time that has passed without a due fetch would recur immediately in an endless loop.
        guard let due = entry.machine.due, due > now.steady else {
            entry.scheduledFor = nil
            return
        }
        guard entry.scheduledFor != due else { return }
        entry.scheduledFor = due
        times.insert(context, due: due)
        if times.count > 2 * places.count + 64 {
            let places = places
            // A time that was removed and added again occurs twice.
            var kept: Set<AuthorizationContext> = []
            times.compact {
                places[$0.context]?.entry.scheduledFor == $0.due && kept.insert($0.context).inserted
            }
        }
    }

    /// Returns the earliest valid time of a key or a fetch timeout.
    mutating func earliestTime() -> Duration? {
        let overdue = flights.values.lazy.map(\.timeoutAt).min()
        guard let time = earliestKeyTime() else { return overdue }
        return min(time, overdue ?? time)
    }

    private mutating func earliestKeyTime() -> Duration? {
        while let first = times.first {
            if places[first.context]?.entry.scheduledFor == first.due { return first.due }
            _ = times.popFirst()
        }
        return nil
    }

    /// Removes and returns a key whose time has come.
    mutating func popDue(at now: Moment) -> (AuthorizationContext, Entry)? {
        guard let earliest = earliestKeyTime(), earliest <= now.steady, let item = times.popFirst(),
            let entry = places[item.context]?.entry
        else { return nil }
        entry.scheduledFor = nil
        return (item.context, entry)
    }

    /// Returns the keys whose fetch has timed out, in order of the starts of the fetches.
    func overdue(at now: Moment) -> [(AuthorizationContext, Entry)] {
        flights.filter { $0.value.timeoutAt <= now.steady }.sorted { $0.key < $1.key }
            .compactMap { flight in places[flight.value.context].map { (flight.value.context, $0.entry) } }
    }

    /// Queues a key for a fetch; a key with waiters moves to the urgent queue.
    mutating func enqueue(_ entry: Entry, _ context: AuthorizationContext, at now: Moment) {
        let queue: Queue = entry.machine.isUrgent ? .urgent : .ahead
        guard queue.rawValue > entry.queue.rawValue else { return }
        entry.queue = queue
        switch queue {
        case .urgent: urgent.insert(context, due: now.steady)
        case .ahead, .none:
            let token = entry.machine.token
            ahead.insert(context, due: token?.deadline.steady ?? now.steady)
        }
    }

    /// Returns the next key whose fetch may start: keys with waiters first, then by the expiry of their token.
    mutating func nextWanted(at now: Moment) -> (AuthorizationContext, Entry, FetchReason)? {
        while let item = urgent.popFirst() ?? ahead.popFirst() {
            guard let entry = places[item.context]?.entry else { continue }
            entry.queue = .none
            if let reason = entry.machine.want(at: now) { return (item.context, entry, reason) }
        }
        return nil
    }
}
