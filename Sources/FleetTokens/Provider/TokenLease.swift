import Synchronization
import TripModel

/// Publishes the generation of a key's current token without a lock.
final class KeyVersion: Sendable {
    private let generation = Atomic(0)

    /// The generation of the current token; 0 if there is none.
    var current: Int { generation.load(ordering: .acquiring) }

    func show(_ generation: Int?) { self.generation.store(generation ?? 0, ordering: .releasing) }
}

/// A lease on a key: keeps the key cached and refreshed, and provides the token without a lock.
///
/// It keeps its own copy of the token, so that pollers on several cores do not contend for a reference count. The lease ends
/// with the value. Reads through it are not counted as hits.
public struct TokenLease: ~Copyable, Sendable {
    /// The key.
    public let context: AuthorizationContext

    private let provider: TokenProvider
    private let clock: any TripClock
    private let version: KeyVersion?
    private var held: (bearer: BearerToken, generation: Int, deadline: Moment)?

    init(provider: TokenProvider, context: AuthorizationContext, version: KeyVersion?) {
        self.provider = provider
        clock = provider.clock
        self.context = context
        self.version = version
    }

    deinit {
        if version != nil { provider.unpin(context) }
    }

    /// Returns the token if it is usable now; never fetches or suspends.
    public mutating func token() -> BearerToken? {
        if let (_, generation, deadline) = held, generation == version?.current,
            !StoredToken.isPast(deadline, at: clock.now())
        {
            return held?.bearer
        }
        held = provider.stored(for: context).map { ($0.bearer.copied(), $0.bearer.generation, $0.deadline) }
        return held?.bearer
    }

    /// Returns the token, and waits for one if necessary; see ``TokenProvider/token(for:validFor:)``.
    public mutating func token(validFor: Duration) async throws(TokenError) -> BearerToken {
        if validFor <= .zero, let token = token() { return token }
        return try await provider.token(for: context, validFor: validFor)
    }
}

extension TokenProvider {
    /// Leases a key: it is refreshed ahead and not evicted while the lease exists.
    ///
    /// A lease does not fetch by itself; the first call for a token does. If there is no room for the key, the lease holds
    /// nothing: a cached token is returned but not kept, and calls that need a fetch throw the error.
    public func lease(for context: AuthorizationContext) -> TokenLease {
        let now = clock.now()
        let version: KeyVersion? = state.withLock { state in
            guard !state.isClosed, let entry = state.entry(for: context, holding: true) else { return nil }
            let version = entry.version ?? KeyVersion()
            entry.version = version
            entry.machine.pin(by: 1)
            settle(entry, context, &state, at: now)
            return version
        }
        return TokenLease(provider: self, context: context, version: version)
    }

    func unpin(_ context: AuthorizationContext) {
        change(context, creating: false) { entry, _, _ in
            entry.machine.pin(by: -1)
            return KeyMachine.Release()
        }
    }

    /// Returns the token of a key without counting as a use, so that it does not cause refreshes.
    public func peek(at context: AuthorizationContext) -> BearerToken? { stored(for: context)?.bearer }

    /// Returns the token of a key with its times.
    func stored(for context: AuthorizationContext) -> StoredToken? {
        let now = clock.now()
        return state.withLock { state in
            guard let stored = state.places[context]?.entry.machine.token, stored.isUsable(at: now) else { return nil }
            return stored
        }
    }
}
