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
        /// Whether it is counted among those of them that somebody holds.
        var isHeld = false
        /// Tells leases which token is current; made with the first lease.
        var version: KeyVersion?
        /// Whether it stands in the ring of keys that brought nothing but trouble.
        var isNegative = false
        /// Whether it stands in the ring of keys with a token that nobody needs any more.
        var isResting = false

        init(machine: KeyMachine) { self.machine = machine }
    }

    /// A key's place in the table, with what nearly every hit needs: looking at the entry is one more wait for memory.
    struct Place {
        let entry: Entry
        /// The current token while there is nothing to be decided: it was read before, and the next one is not due.
        var settled: (token: BearerToken, until: Moment)?
        /// When a settled token was handed out last, by the steady clock; the machine knows of all other uses.
        var lastHit = Duration.zero

        init(_ entry: Entry) { self.entry = entry }

        /// When anybody asked last, by the steady clock.
        var lastUsed: Duration { max(lastHit, entry.machine.lastUsed) }

        /// Whether the key has a token and can do without it.
        var isSpare: Bool { entry.isLive && entry.machine.isIdle }

        /// The token, if it may be handed out now without a look at anything else.
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

    /// Somebody who hears of events.
    struct Subscriber: Sendable {
        /// Hears of one; called under the lock, so that events come in order.
        let hear: @Sendable (TokenEvent) -> Void
        /// Hears that nothing follows.
        let finish: @Sendable () -> Void
    }

    struct FlightTask {
        let context: AuthorizationContext
        /// When it is given up, by the steady clock.
        let timeoutAt: Duration
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
    var places: [AuthorizationContext: Place] = [:]
    /// What was last heard of the keys, for screens.
    var evidence = EvidenceStore()
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
    /// The task that sleeps until the earliest of them or the end of a fetch's patience, perhaps of one that is over by now:
    /// which of all it is, and until when it sleeps.
    var sleeper: (number: Int, until: Duration, task: Task<Void, Never>)?
    var lastSleeper = 0
    /// The task that hears of changes of the source.
    var listener: Task<Void, Never>?
    /// Time of day minus steady time, as last seen: a jump means that somebody set the clock.
    var wallBase: Double
    var liveCount = 0
    var heldCount = 0
    var negatives: [AuthorizationContext] = []
    /// Keys with a token that nobody needs any more, in the order in which that was told.
    private var resting: [AuthorizationContext] = []
    /// When the last fetch began of keys that were put out so soon after it that the next one still has to wait.
    private var departed: [AuthorizationContext: Duration] = [:]
    /// When those that need not wait any more are dropped from them.
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

    /// The entry of a key, made if there is room for it; one that is to be held and was not needs room like a newcomer.
    mutating func entry(for context: AuthorizationContext, holding: Bool = false) -> Entry? {
        if let entry = places[context]?.entry {
            return holding && (entry.isNegative || entry.isLive && !entry.isHeld) && !hasRoom ? nil : entry
        }
        guard hasRoom else { return nil }
        let entry = Entry(machine: KeyMachine(policy: sharedPolicy, lastStart: departed.removeValue(forKey: context)))
        places[context] = Place(entry)
        return entry
    }

    /// So many departed keys are remembered at most: where more go within the least spacing, no single key is the matter.
    private static let departedLimit = 1024

    /// So many tokens are kept for those who come back: trips that come and go without end leave no more.
    static let restingLimit = 1000

    /// Takes keys out to make room for others.
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

    /// Whether another key may come: with a token, it and all that have none yet find a place, if all go that are not held.
    private var hasRoom: Bool {
        let unproven = places.count - negatives.count - liveCount
        return unproven + heldCount < policy.keyLimit
    }

    /// Counts a key among the living or the failing after a change, and keeps both within their bounds.
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
        // What is wanted is no mere memory of trouble.
        let isNegative = !isLive && entry.machine.isIdle && entry.machine.isTroubled && !entry.machine.isDemanded
        if entry.isNegative != isNegative {
            entry.isNegative = isNegative
            if isNegative { negatives.append(context) } else { negatives.removeAll { $0 == context } }
            if negatives.count > policy.negativeKeyLimit { evicted = forgetOldestNegative(at: now) }
        }
        countResting(entry, context, isLive: isLive, at: now)
        // Nobody waits for it, nothing is held or wanted: it would only take the place of another.
        if !isLive, !entry.isNegative, entry.machine.isBlank(at: now) { places[context] = nil }
        if liveCount > policy.keyLimit { evicted += evictLive(keeping: context, at: now) }
        return evicted
    }

    /// Lets leases and hits see which token is current.
    mutating func show(_ entry: Entry, _ context: AuthorizationContext) {
        entry.version?.show(entry.machine.token?.bearer.generation)
        let token = entry.machine.wasRead ? entry.machine.token : nil
        places[context]?.settled = token.map { ($0.bearer, $0.refresh) }
    }

    /// Counts a key among those that nobody needs any more, and drops the oldest of them where they are too many.
    ///
    /// No event tells of that: whoever needed the token has said so.
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

    /// Puts out the keys whose token is over; if there are none, the least recently used sixteenth.
    ///
    /// Several at a time, since finding them means looking at all: the cost for each newcomer stays small.
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

    /// Keys in the order of their IDs, so that the same seed gives the same run in another process, too.
    func inOrder(where isWanted: (Entry) -> Bool = { _ in true }) -> [(AuthorizationContext, Entry)] {
        // A table that is filtered would be another table.
        places.compactMap { isWanted($0.value.entry) ? ($0.key, $0.value.entry) : nil }.sorted { $0.0.id < $1.0.id }
    }

    // MARK: Times

    /// Puts a key into the queue of times, or changes its place there; what is in the air has its own time.
    mutating func schedule(_ entry: Entry, _ context: AuthorizationContext, at now: Moment) {
        // A time that has come without anything being wanted would come again at once, for ever.
        guard let due = entry.machine.due, due > now.steady else {
            entry.scheduledFor = nil
            return
        }
        guard entry.scheduledFor != due else { return }
        entry.scheduledFor = due
        times.insert(context, due: due)
        if times.count > 2 * places.count + 64 {
            let places = places
            // A time that went away and came back stands there twice.
            var kept: Set<AuthorizationContext> = []
            times.compact {
                places[$0.context]?.entry.scheduledFor == $0.due && kept.insert($0.context).inserted
            }
        }
    }

    /// The earliest time that still counts: of a key, or of a fetch that is to be given up.
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

    /// Takes out a key whose time has come.
    mutating func popDue(at now: Moment) -> (AuthorizationContext, Entry)? {
        guard let earliest = earliestKeyTime(), earliest <= now.steady, let item = times.popFirst(),
            let entry = places[item.context]?.entry
        else { return nil }
        entry.scheduledFor = nil
        return (item.context, entry)
    }

    /// The keys whose fetch has taken too long, in the order in which the fetches began.
    func overdue(at now: Moment) -> [(AuthorizationContext, Entry)] {
        flights.filter { $0.value.timeoutAt <= now.steady }.sorted { $0.key < $1.key }
            .compactMap { flight in places[flight.value.context].map { (flight.value.context, $0.entry) } }
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
            guard let entry = places[item.context]?.entry else { continue }
            entry.queue = .none
            if let reason = entry.machine.want(at: now) { return (item.context, entry, reason) }
        }
        return nil
    }
}
