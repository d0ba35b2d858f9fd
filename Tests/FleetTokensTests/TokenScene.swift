import FleetTokens
import Foundation
import Runtime
import Synchronization
import TripModel
import TripTestSupport

/// The environment of most tests: a manual clock, a scripted source, and a provider that uses both.
struct TokenScene {
    let clock: ManualClock
    let source: ScriptedTokenSource
    let provider: TokenProvider
    let trip: AuthorizationContext

    /// A scene whose source answers each fetch as the closure says; by default with a token of 55 minutes.
    init(
        policy: TokenPolicy = .standard,
        expectations: TokenExpectations = TokenExpectations(),
        lifetime: Duration = .seconds(3300),
        seed: UInt64 = 1,
        speed: Double = 1,
        script: (@Sendable (ScriptedTokenSource.Fetch) -> ScriptedTokenSource.Answer)? = nil
    ) throws {
        let clock = ManualClock(speed: speed)
        let source = ScriptedTokenSource { fetch in
            if let script { return script(fetch) }
            return .token(Self.token(fetch.context, clock, lifetime: lifetime, serial: fetch.number))
        }
        self.clock = clock
        self.source = source
        provider = TokenProvider(source: source, clock: clock, policy: policy, expectations: expectations, seed: seed)
        trip = .trip(try TripID("trip-A"))
    }

    /// A token issued now.
    static func token(
        _ context: AuthorizationContext,
        _ clock: ManualClock,
        lifetime: Duration = .seconds(3300),
        serial: Int
    ) -> IssuedToken {
        FakeToken(context, issuedAt: clock.now().wall, lifetime: lifetime, serial: serial).issued
    }

    /// A token issued now for this scene's trip.
    func token(lifetime: Duration = .seconds(3300), serial: Int) -> IssuedToken {
        Self.token(trip, clock, lifetime: lifetime, serial: serial)
    }

    /// The result of a call as a value.
    func outcome(validFor: Duration = .zero) async -> Result<BearerToken, TokenError> {
        do throws(TokenError) {
            return .success(try await provider.token(for: trip, validFor: validFor))
        } catch {
            return .failure(error)
        }
    }

    /// Waits for an event of this kind.
    ///
    /// Returns all events up to and including it.
    static func collect(
        _ events: AsyncStream<TokenEvent>,
        until isLast: (TokenEvent.Kind) -> Bool
    ) async -> [TokenEvent] {
        var collected: [TokenEvent] = []
        for await event in events {
            collected.append(event)
            if isLast(event.kind) { break }
        }
        return collected
    }
}

extension TokenEvent.Kind {
    /// Whether a fetch has ended, successfully or not.
    var endsFetch: Bool {
        switch self {
        case .stored, .repeated, .failed, .discardedLate: true
        case .fetching, .rejected, .clockDisagreement, .omitted, .evicted, .closed: false
        }
    }
}
