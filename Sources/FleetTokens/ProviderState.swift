import Foundation
import TripModel

/// Everything that a provider changes, under its one lock.
struct ProviderState {
    /// One key and what the provider knows about it besides its machine.
    final class Entry {
        var machine: KeyMachine
        /// The time under which the key stands in the queue of times; older places there no longer count.
        var scheduledFor: Duration?
        /// In which queue of wanted fetches the key stands.
        var queue = Queue.none
        /// Whether it is counted among the keys with a token.
        var isLive = false
        /// Tells leases which token is current; made with the first lease.
        var version: KeyVersion?
        /// Whether it stands in the ring of keys that only failed.
        var isNegative = false

        init(machine: KeyMachine) { self.machine = machine }
    }

    enum Queue: Int {
        case none
        case ahead
        case urgent
    }

    struct FlightTask {
        let context: AuthorizationContext
        let task: Task<Void, Never>
    }

    typealias Waiting = CheckedContinuation<Result<BearerToken, TokenError>, Never>

    /// What is to be done once the lock is open.
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
    var entries: [AuthorizationContext: Entry] = [:]
    var generator: SeededGenerator
    var counters = TokenCounters()
    var waiting: [Int: Waiting] = [:]
    var lastWaiter = 0
    var flights: [Int: FlightTask] = [:]
    var lastFlight = 0
    /// Keys that want a fetch for which somebody waits, in the order in which they came.
    var urgent = DueQueue()
    /// Keys that want a fetch ahead, by the end of their token.
    var ahead = DueQueue()
    /// When to look at which key.
    var times = DueQueue()
    /// The task that sleeps until the earliest of them, which of all it is, and until when it sleeps.
    var sleeper: (number: Int, until: Duration, task: Task<Void, Never>)?
    var lastSleeper = 0
    /// The task that hears of changes of the source.
    var listener: Task<Void, Never>?
    /// Time of day minus steady time, as last seen: a jump means that somebody set the clock.
    var wallBase: Double
    var liveCount = 0
    var negatives: [AuthorizationContext] = []
    var subscribers: [Int: AsyncStream<TokenEvent>.Continuation] = [:]
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

    /// The entry of a key, made if there is room for it.
    mutating func entry(for context: AuthorizationContext) -> Entry? {
        if let entry = entries[context] { return entry }
        guard hasRoom else { return nil }
        let entry = Entry(machine: KeyMachine(policy: sharedPolicy))
        entries[context] = entry
        return entry
    }

    /// Whether another key may come: one that is not held can go, and no more are unproven than could ever be kept.
    private var hasRoom: Bool {
        if entries.count - negatives.count < policy.keyLimit { return true }
        guard entries.count - negatives.count - liveCount < policy.keyLimit else { return false }
        return liveCount < policy.keyLimit || entries.values.contains { $0.isLive && $0.machine.isIdle }
    }

    /// Counts a key among the living or the failing after a change, and keeps both within their bounds.
    mutating func count(_ entry: Entry, _ context: AuthorizationContext, at now: Moment) -> [AuthorizationContext] {
        entry.version?.show(entry.machine.token?.bearer.generation)
        let isLive = entry.machine.token != nil
        if isLive != entry.isLive {
            entry.isLive = isLive
            liveCount += isLive ? 1 : -1
        }
        var evicted: [AuthorizationContext] = []
        if !isLive, !entry.isNegative, entry.machine.isIdle, entry.machine.backoff != nil {
            entry.isNegative = true
            negatives.append(context)
            if negatives.count > policy.negativeKeyLimit { evicted = forgetOldestNegative() }
        }
        // Nobody waits for it, nothing is held or wanted: it would only take the place of another.
        if !isLive, !entry.isNegative, entry.machine.isBlank { entries[context] = nil }
        if liveCount > policy.keyLimit { evicted += evictLive(keeping: context, at: now) }
        return evicted
    }

    private mutating func forgetOldestNegative() -> [AuthorizationContext] {
        let context = negatives.removeFirst()
        guard let entry = entries[context] else { return [] }
        entry.isNegative = false
        guard !entry.isLive, entry.machine.isIdle else { return [] }
        entries[context] = nil
        counters.evictions += 1
        return [context]
    }

    /// Puts out the keys whose token is over; if there are none, the least recently used sixteenth.
    ///
    /// Several at a time, since finding them means looking at all: the cost for each newcomer stays small.
    private mutating func evictLive(keeping newcomer: AuthorizationContext, at now: Moment) -> [AuthorizationContext] {
        let idle = entries.filter { $0.value.isLive && $0.value.machine.isIdle && $0.key != newcomer }
        var victims = idle.filter { $0.value.machine.token?.isUsable(at: now) != true }.map(\.key)
        if victims.isEmpty {
            let byUse = idle.sorted { $0.value.machine.lastUsed < $1.value.machine.lastUsed }
            victims = byUse.prefix(max(policy.keyLimit / 16, 1)).map(\.key)
        }
        for victim in victims { entries[victim] = nil }
        liveCount -= victims.count
        counters.evictions += victims.count
        return victims
    }

    // MARK: Times

    /// Puts a key into the queue of times, or changes its place there.
    mutating func schedule(_ entry: Entry, _ context: AuthorizationContext, at now: Moment) {
        // A time that has come without anything being wanted would come again at once, for ever.
        guard let due = entry.machine.due, due > now.steady else {
            entry.scheduledFor = nil
            return
        }
        guard entry.scheduledFor != due else { return }
        entry.scheduledFor = due
        times.insert(context, due: due)
        if times.count > 2 * entries.count + 64 {
            let entries = entries
            times.compact { entries[$0.context]?.scheduledFor == $0.due }
        }
    }

    /// The earliest time that still counts.
    mutating func earliestTime() -> Duration? {
        while let first = times.first {
            if entries[first.context]?.scheduledFor == first.due { return first.due }
            _ = times.popFirst()
        }
        return nil
    }

    /// Takes out a key whose time has come.
    mutating func popDue(at now: Moment) -> (AuthorizationContext, Entry)? {
        guard let earliest = earliestTime(), earliest <= now.steady, let item = times.popFirst(),
            let entry = entries[item.context]
        else { return nil }
        entry.scheduledFor = nil
        return (item.context, entry)
    }

    /// Lets a key stand in line for a fetch; being waited for moves it to the faster line.
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

    /// The next key whose fetch may begin: those that somebody waits for go first, then by the end of their token.
    mutating func nextWanted(at now: Moment) -> (AuthorizationContext, Entry, FetchReason)? {
        while let item = urgent.popFirst() ?? ahead.popFirst() {
            guard let entry = entries[item.context] else { continue }
            entry.queue = .none
            if let reason = entry.machine.want(at: now) { return (item.context, entry, reason) }
        }
        return nil
    }
}
