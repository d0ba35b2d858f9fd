import Failures
import FleetTokens
import Foundation
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// Findings about clocks: which clock is wrong is the same in all of them.
@Suite("Clock findings", .ends(within: .quickTest))
struct ClockFindingTests {
    /// A token whose source has a clock that is this many seconds ahead.
    private func token(ahead seconds: Int) -> TokenStatus {
        var status = TokenStatus(state: .fresh, source: "test")
        status.clockOffset = .seconds(seconds)
        return status
    }

    @Test(arguments: [(0, TextKey.adviceServiceClock), (-300, .adviceClock)])
    func `the advice names the clock that differs from the two others`(
        endpoint: Int,
        advice: TextKey
    ) throws {
        var scene = try FindingScene()
        let findings = scene.answer(token: token(ahead: endpoint), serviceAhead: -300)
        #expect(findings.map(\.rule) == ["clocksDiffer"])
        #expect(findings.first?.advice == advice)
    }

    @Test func `without the endpoint's time, this machine's clock is checked first`() throws {
        var scene = try FindingScene()
        #expect(scene.answer(serviceAhead: 300).first?.advice == .adviceClock)
    }

    @Test func `a cache explains an old answer, instead of the service's clock and the driver's phone`() throws {
        var scene = try FindingScene()
        let cache = CacheEvidence([(name: "Age", value: "120"), (name: "X-Cache", value: "HIT")])
        let findings = scene.answer(serviceAhead: -120, cache: cache)
        #expect(findings.map(\.rule.id) == ["answerCached"])
        #expect(findings.first?.evidence == [Evidence("headers", .text("Age: 120, X-Cache: HIT"))])
        #expect(findings.first?.advice == .adviceCache)
        for (cache, blamesDevice) in [(cache, false), (nil, true)] {
            var scene = try FindingScene()
            let stale = scene.answer(cache: cache) { trip in
                trip.lastLocation?.updateTime? -= 300
                trip.lastLocation?.serverTime? -= 300
            }
            #expect(stale.contains { $0.advice == .adviceDevice } == blamesDevice, "\(stale)")
        }
    }

    @Test(arguments: [(0, 300.0, false), (0, 330, true), (-300, 300, true)])
    func `a device is not ahead of a service whose clock alone is behind`(
        endpoint: Int,
        lead: Double,
        isFinding: Bool
    ) throws {
        var scene = try FindingScene()
        let findings = scene.answer(token: token(ahead: endpoint), serviceAhead: -300) { trip in
            // The service's clock is five minutes behind, also when it receives a position.
            trip.lastLocation?.serverTime? -= 300
            trip.lastLocation?.updateTime? += lead - 300
        }
        #expect(findings.map(\.rule).contains("deviceClockAhead") == isFinding, "\(findings)")
    }
}
