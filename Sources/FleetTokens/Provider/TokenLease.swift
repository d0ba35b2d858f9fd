import Synchronization
import TripModel

/// Says without a lock which token of a key is current.
final class KeyVersion: Sendable {
    private let generation = Atomic(0)

    /// The generation of the current token; 0 while there is none.
    var current: Int { generation.load(ordering: .acquiring) }

    func show(_ generation: Int?) { self.generation.store(generation ?? 0, ordering: .releasing) }
}

/// A poller's hold on one key: keeps it in the cache and refreshed, and has the token at hand without a lock.
///
/// It keeps a copy of the token of its own, so that pollers on several cores don't count references on the same one.
/// The hold ends with the value. Reads through it are not counted among the hits.
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

    /// The token if there is one that may be used now: never fetches and never suspends.
    public mutating func token() -> BearerToken? {
        if let (_, generation, deadline) = held, generation == version?.current,
            !StoredToken.isPast(deadline, at: clock.now())
        {
            return held?.bearer
        }
        held = provider.stored(for: context).map { ($0.bearer.copied(), $0.bearer.generation, $0.deadline) }
        return held?.bearer
    }

    /// The token, waited for where there is none; see ``TokenProvider/token(for:validFor:)``.
    public mutating func token(validFor: Duration) async throws(TokenError) -> BearerToken {
        if validFor <= .zero, let token = token() { return token }
        return try await provider.token(for: context, validFor: validFor)
    }
}

extension TokenProvider {
    /// Holds a key for as long as the lease lives: it is refreshed ahead and not put out of the cache.
    ///
    /// A lease fetches nothing by itself; the first call for a token does. Where there is no room for the key, the lease
    /// holds nothing: a token that is there is handed out but not kept, and for another one its calls say so.
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

    /// The token of a key for somebody who only looks at it: does not count as use, so that it keeps nothing refreshed.
    public func peek(at context: AuthorizationContext) -> BearerToken? { stored(for: context)?.bearer }

    /// The token of a key with its times.
    func stored(for context: AuthorizationContext) -> StoredToken? {
        let now = clock.now()
        return state.withLock { state in
            guard let stored = state.places[context]?.entry.machine.token, stored.isUsable(at: now) else { return nil }
            return stored
        }
    }
}
