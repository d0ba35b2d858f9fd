import Runtime
import TripModel

/// The keys of a provider, and the limits of their number.
///
/// | keys | limit | removed above it |
/// |---|---|---|
/// | with a token | `keyLimit` | expired ones, else the least recently used sixteenth |
/// | that only remember a failure | `negativeKeyLimit` | the oldest failure |
/// | whose token is no longer refreshed | 1000 | the first released |
/// | with waiting callers or a first fetch | `keyLimit` | none: a new key is refused |
struct KeyTable {
    /// A key's machine and its place in the queue of fetches.
    final class Slot {
        var machine: KeyMachine
        let context: AuthorizationContext
        fileprivate var role: Role = []
        /// Whether the key is urgent in the queue of fetches; `nil` if it is not queued.
        var isQueuedUrgently: Bool?

        init(_ context: AuthorizationContext, _ machine: KeyMachine) {
            self.context = context
            self.machine = machine
        }
    }

    /// The data about a key that the limits depend on.
    fileprivate struct Role: OptionSet {
        let rawValue: UInt8

        static let hasToken = Role(rawValue: 1)
        /// Callers wait, or the first fetch is in flight or due.
        static let isBusy = Role(rawValue: 2)
        static let onlyFailed = Role(rawValue: 4)
        static let isReleased = Role(rawValue: 8)
    }

    private let policy: SharedPolicy
    private var slots: [AuthorizationContext: Slot] = [:]
    private var tokenCount = 0
    private var busyCount = 0
    /// Keys that only remember a failure, oldest first.
    private var failed: [AuthorizationContext] = []
    /// Keys whose token is no longer refreshed, in order of their release.
    private var released: [AuthorizationContext] = []
    /// The starts of the last fetches of evicted keys; their minimum spacing may have passed.
    private var recentlyEvicted: [AuthorizationContext: Duration] = [:]
    private(set) var evictions = 0

    /// The maximum number of recently evicted keys; with a higher turnover, the spacing of single keys does not matter.
    private static let recentlyEvictedLimit = 1024
    private static let releasedLimit = 1000

    init(policy: TokenPolicy) { self.policy = SharedPolicy(policy) }

    var count: Int { slots.count }

    var all: Dictionary<AuthorizationContext, Slot>.Values { slots.values }

    subscript(context: AuthorizationContext) -> Slot? { slots[context] }

    /// Returns the slot of a key, and creates it if there is room.
    mutating func slot(creating context: AuthorizationContext) -> Slot? {
        if let slot = slots[context] { return slot }
        // There must be room for this key and all busy ones after all others are evicted.
        guard busyCount < policy.policy.keyLimit else { return nil }
        let machine = KeyMachine(policy: policy, lastStart: recentlyEvicted.removeValue(forKey: context))
        let slot = Slot(context, machine)
        slots[context] = slot
        setRole(.isBusy, of: slot)
        return slot
    }

    /// Returns keys in order of their IDs, so that the same seed gives the same run in every process.
    func inOrder(where isIncluded: (Slot) -> Bool = { _ in true }) -> [Slot] {
        slots.values.filter(isIncluded).sorted { $0.context.id < $1.context.id }
    }

    mutating func removeAll() { slots = [:] }

    // MARK: Limits

    /// Updates the counts after a change of a key and enforces the limits.
    ///
    /// - Returns: The evicted keys, except released ones.
    mutating func update(_ slot: Slot, at now: Moment) -> [AuthorizationContext] {
        setRole(role(of: slot.machine), of: slot)
        // A blank key would only occupy a slot.
        if slot.role.isDisjoint(with: [.hasToken, .onlyFailed]), slot.machine.isBlank(at: now) { remove(slot) }
        var evicted: [Slot] = []
        if failed.count > policy.policy.negativeKeyLimit, let oldest = slots[failed[0]] { evicted.append(oldest) }
        if tokenCount > policy.policy.keyLimit { evicted += leastUseful(except: slot.context, at: now) }
        evict(evicted, at: now)
        // The user has released these tokens, so that their eviction is no event. A fetch may have begun since the release.
        if released.count > Self.releasedLimit {
            let oldest = released.lazy.compactMap { [slots] in slots[$0] }.first { $0.machine.isEvictable }
            evict([oldest].compactMap(\.self), at: now)
        }
        return evicted.map(\.context)
    }

    private func role(of machine: KeyMachine) -> Role {
        guard machine.token != nil else {
            // A key with a pending fetch is more than a remembered failure.
            return machine.isEvictable && machine.hasFailed && machine.demand == nil ? .onlyFailed : .isBusy
        }
        var role: Role = .hasToken
        if !machine.waiters.isEmpty { role.insert(.isBusy) }
        if machine.use == .released, machine.isEvictable { role.insert(.isReleased) }
        return role
    }

    private mutating func setRole(_ role: Role, of slot: Slot) {
        let (added, removed) = (role.subtracting(slot.role), slot.role.subtracting(role))
        func change(_ element: Role) -> Int { added.contains(element) ? 1 : removed.contains(element) ? -1 : 0 }
        slot.role = role
        tokenCount += change(.hasToken)
        busyCount += change(.isBusy)
        if added.contains(.onlyFailed) { failed.append(slot.context) }
        if added.contains(.isReleased) { released.append(slot.context) }
        if removed.contains(.onlyFailed) { failed.removeAll { $0 == slot.context } }
        if removed.contains(.isReleased) { released.removeAll { $0 == slot.context } }
    }

    /// Returns the keys with expired tokens; if there are none, the least recently used sixteenth.
    ///
    /// Finding them requires a scan of all keys, so evicting several at once reduces the average cost.
    private func leastUseful(except newcomer: AuthorizationContext, at now: Moment) -> [Slot] {
        let evictable = slots.values.filter {
            $0.role.contains(.hasToken) && $0.machine.isEvictable && $0.context != newcomer
        }
        let expired = evictable.filter { $0.machine.token?.isUsable(at: now) != true }
        guard expired.isEmpty else { return expired }
        let byUse = evictable.sorted { $0.machine.lastUsed < $1.machine.lastUsed }
        return Array(byUse.prefix(max(policy.policy.keyLimit / 16, 1)))
    }

    /// Removes keys to make room for others.
    private mutating func evict(_ victims: [Slot], at now: Moment) {
        guard !victims.isEmpty else { return }
        let spacing = policy.policy.minimumSpacing
        if recentlyEvicted.count >= Self.recentlyEvictedLimit {
            recentlyEvicted = recentlyEvicted.filter { now.steady < $0.value + spacing }
        }
        for victim in victims {
            remove(victim)
            evictions += 1
            guard let start = victim.machine.lastStart, now.steady < start + spacing else { continue }
            if recentlyEvicted.count < Self.recentlyEvictedLimit { recentlyEvicted[victim.context] = start }
        }
    }

    private mutating func remove(_ slot: Slot) {
        slots[slot.context] = nil
        setRole([], of: slot)
    }
}
