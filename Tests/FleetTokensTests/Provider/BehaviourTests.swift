import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

/// Situations in which other token providers were measured, with the best possible result: the number of fetches and
/// errors for a number of simultaneous callers.
///
/// Any more of either is a failure of this provider.
@Suite("Token provider: comparison with other providers", .ends(within: .quickTest))
struct BehaviourTests {
    struct Situation: Sendable, CustomTestStringConvertible {
        let name: String
        let callers: Int
        /// What the source does when the callers arrive.
        let source: Source
        /// Whether a token is cached and its refresh is due.
        var isInWindow = false
        let fetches: Int
        let errors: Int

        var testDescription: String { "\(callers) callers, \(name)" }
    }

    enum Source: Sendable {
        case works(lifetime: Duration)
        case isDown
        case handsOutExpired

        /// The error code of callers that get no token from it.
        var errorCode: String? {
            switch self {
            case .works: nil
            case .isDown: "unavailable.unreachable"
            case .handsOutExpired: "unusable.expired"
            }
        }
    }

    static let situations = [
        Situation(name: "nothing cached", callers: 50, source: .works(lifetime: .seconds(3300)), fetches: 1, errors: 0),
        Situation(name: "nothing cached, source down", callers: 50, source: .isDown, fetches: 1, errors: 50),
        Situation(
            name: "refresh due",
            callers: 50,
            source: .works(lifetime: .seconds(3300)),
            isInWindow: true,
            fetches: 1,
            errors: 0
        ),
        Situation(
            name: "refresh due, source down",
            callers: 100,
            source: .isDown,
            isInWindow: true,
            fetches: 1,
            errors: 0
        ),
        Situation(
            name: "source hands out expired tokens",
            callers: 100,
            source: .handsOutExpired,
            fetches: 1,
            errors: 100
        ),
        Situation(name: "tokens of 60 s", callers: 100, source: .works(lifetime: .seconds(60)), fetches: 1, errors: 0),
    ]

    @Test(arguments: situations)
    func `simultaneous callers cause the expected fetches and get the expected errors`(
        _ situation: Situation
    ) async throws {
        let scene = try TokenScene { _ in .gate }
        if situation.isInWindow { try await scene.holdTokenWithRefreshDue() }
        let before = scene.source.fetches.count
        let answers = await withTaskGroup(of: Result<BearerToken, TokenError>.self) { group in
            for _ in 0..<situation.callers { group.addImmediateTask { await scene.outcome() } }
            await scene.source.fetches(atLeast: before + 1)
            if situation.isInWindow {
                // No caller waits: all get their answer while the fetch is still in flight.
                var early: [Result<BearerToken, TokenError>] = []
                for await answer in group { early.append(answer) }
                scene.answer(situation.source, fetch: before + 1)
                return early
            }
            scene.answer(situation.source, fetch: before + 1)
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(scene.source.fetches.count - before == situation.fetches)
        #expect(answers.filter { $0.error != nil }.count == situation.errors)
        #expect(answers.count == situation.callers)
        if situation.errors > 0 {
            let codes = Set(answers.map { $0.error?.code })
            #expect(codes == [situation.source.errorCode])
            // A caller right after a failure gets the error at once and causes no fetch.
            let late = await scene.outcome()
            #expect(late.error?.retryAfter != nil)
            #expect(scene.source.fetches.count - before == situation.fetches)
            // A caller after the backoff causes one fetch; its gate is already open.
            scene.clock.advance(by: .seconds(1))
            scene.answer(situation.source, fetch: before + 2)
            let next = await scene.outcome()
            #expect(next.error?.code == situation.source.errorCode)
            #expect(scene.source.fetches.count - before == situation.fetches + 1)
        }
        await scene.provider.close()
    }

    @Test func `when one of three waiting callers is cancelled, the other two get the token`() async throws {
        let scene = try TokenScene { _ in .gate }
        let callers = (0..<3).map { _ in Task.immediate { await scene.outcome() } }
        callers[0].cancel()
        let cancelled = await callers[0].value
        scene.source.open(1, with: scene.token(serial: 1))
        let others = [await callers[1].value, await callers[2].value]
        #expect(cancelled.error == .cancelled)
        #expect(others.allSatisfy { $0.token?.generation == 1 })
        #expect(scene.source.fetches.count == 1)
    }

    @Test func `two trips get two tokens, each with its own claim`() async throws {
        let scene = try TokenScene()
        let other = AuthorizationContext.trip(try TripID("trip-B"))
        let one = try await scene.provider.token(for: scene.trip)
        let two = try await scene.provider.token(for: other)
        #expect(try TokenClaims(token: one.revealed).tripID == "trip-A")
        #expect(try TokenClaims(token: two.revealed).tripID == "trip-B")
    }

    @Test func `printing, dumping or reflecting a token reveals none of its text`() async throws {
        let scene = try TokenScene()
        let token = try await scene.provider.token(for: scene.trip)
        var dumped = ""
        dump(token, to: &dumped)
        for text in [
            "\(token)", String(reflecting: token), dumped, "\(Mirror(reflecting: token).children.map(\.value))",
        ] {
            #expect(!text.contains(token.revealed.prefix(12)))
        }
    }
}

extension TokenScene {
    /// Stores a token of 55 minutes and advances the clock until its refresh is due.
    fileprivate func holdTokenWithRefreshDue() async throws {
        async let first = provider.token(for: trip)
        await source.fetches(atLeast: 1)
        source.open(1, with: token(serial: 1))
        let token = try await first
        #expect(token.generation == 1)
        let status = provider.status(of: trip)
        let due = try #require(status.refreshAt).timeIntervalSince(clock.now().wall)
        // One second after the end of the jitter range, so that the refresh is due for every seed.
        clock.advance(by: .seconds(due + 1))
    }

    fileprivate func answer(_ behaviour: BehaviourTests.Source, fetch: Int) {
        switch behaviour {
        case .works(let lifetime): source.open(fetch, with: token(lifetime: lifetime, serial: fetch))
        case .isDown: source.open(fetch, failing: .sourceUnreachable(reason: "down"))
        case .handsOutExpired:
            let old = FakeToken(trip, issuedAt: clock.now().wall - 7200, lifetime: .seconds(3300), serial: fetch)
            source.open(fetch, with: old.issued)
        }
    }
}
