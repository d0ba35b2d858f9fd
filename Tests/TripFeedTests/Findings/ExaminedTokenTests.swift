import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// What the rules use of a token is reported with the poll, so that a replay can use the same.
@Suite("Examined tokens", .ends(within: .quickTest))
struct ExaminedTokenTests {
    @Test func `a poll reports the token and the interval that the rules examined`() async throws {
        let scene = try FeedScene(trips: [try TripID("t")])
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scene.feed.run() }
            await scene.pass(1)
            group.cancelAll()
        }
        let reports = scene.now.events.compactMap { event in
            if case .polled(let report, _, _) = event { report } else { nil }
        }
        let examined = try #require(reports.first?.examined)
        #expect(examined.token.generation == 1 && examined.token.expiresAt != nil)
        #expect(examined.token.fault == nil && examined.token.rejectedTrip == nil)
        #expect(examined.interval == .seconds(5))
    }

    @Test func `only an unusable token is a fault, whatever the wait`() {
        func token(_ error: TokenError?) -> ExaminedToken {
            var status = TokenStatus(state: .failing, source: "test")
            status.lastError = error
            return ExaminedToken(status)
        }
        let fault = token(.unusable(.tokenBearerPrefix, retryAfter: .seconds(1)))
        #expect(fault.fault == .tokenBearerPrefix)
        #expect(fault == token(.unusable(.tokenBearerPrefix, retryAfter: .seconds(9))))
        #expect(token(.unavailable(.sourceTimedOut, retryAfter: .seconds(1))) == ExaminedToken())
    }
}
