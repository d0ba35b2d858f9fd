import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

/// Many token endpoints return the same token repeatedly until it expires.
@Suite("Token machine: a source that caches", .ends(within: .quickTest))
struct CachingSourceTests {
    private static let start = Moment(wall: Date(timeIntervalSince1970: 1_767_225_600), steady: .zero)

    /// A machine whose source has one token at a time and creates the next one when that one expires.
    private func caching(life: Duration) -> MachineDriver {
        MachineDriver { _, now in
            let index = Int(now.steady / life)
            let end = life * (index + 1)
            return .success(
                BearerToken(
                    bytes: SecretBytes("cached-\(index)"),
                    BearerToken.Properties(
                        fingerprint: "\(index)",
                        issuedAt: Self.start.wall + (life * index).seconds,
                        expiresAt: Self.start.wall + end.seconds,
                        sentAt: now,
                        left: end - now.steady,
                        lifetime: life
                    )
                )
            )
        }
    }

    @Test(arguments: [60, 300, 3300])
    func `polls a caching source at most 5 times in the last minute and continues to serve the token`(life: Int) throws
    {
        var driver = caching(life: .seconds(life))
        var failures: [Int] = []
        for second in stride(from: 0, through: life + 40, by: 2) {
            driver.now = Self.start.advanced(by: .seconds(second))
            guard case .success? = driver.call() else {
                failures.append(second)
                continue
            }
        }
        let last = driver.fetches.filter { $0 >= .seconds(life - 60) && $0 < .seconds(life) }
        #expect(last.count <= 5, "\(last)")
        #expect(failures.count <= 1 && failures.allSatisfy { abs($0 - life) <= 1 }, "\(failures)")
        #expect(driver.machine.token?.fingerprint == "1")
        #expect(driver.machine.generation == 2, "the same token is no new one")
    }

    @Test func `reports a repeated token with its expiry and does not count it as a failure`() throws {
        var driver = caching(life: .seconds(3300))
        _ = driver.call()
        _ = driver.machine.read(at: driver.now)
        let refresh = try #require(driver.machine.token?.refresh)
        let now = Self.start.advanced(by: refresh.steady)
        driver.machine.begin(number: 9, reason: .ahead, timeout: .seconds(10), at: now)
        guard case .success(let again) = driver.answer(9, now) else { return }
        let release = driver.machine.completed(
            number: 9,
            result: .success(again),
            duration: .zero,
            jitter: 0,
            at: now
        )
        #expect(release.events == [.repeated(endsAt: Self.start.wall + 3300)])
        #expect(driver.machine.failures.count == 0 && driver.machine.failures.lastError == nil)
        #expect(driver.machine.read(at: now)?.token.generation == 1)
        // Half of the time left, which is 150 to 300 s.
        let next = try #require(driver.machine.token?.refresh.steady)
        #expect(next > now.steady + .seconds(70) && next < now.steady + .seconds(155))
    }

    @Test func `accepts the current token again with little time left, but not another token`() throws {
        let trip = AuthorizationContext.trip(try TripID("t"))
        let issued = FakeToken(trip, issuedAt: Self.start.wall).issued
        let late = Self.start.advanced(by: .seconds(3290))
        let admission = TokenAdmission(expectations: TokenExpectations(), policy: .standard)
        let held = tokenFingerprint(of: issued.revealed)
        #expect(
            try admission.admit(issued, for: trip, held: held, sentAt: late, receivedAt: late).properties.left
                == .seconds(10)
        )
        #expect(throws: Failure.tokenNearlyOver(left: .seconds(10), lifetime: .seconds(3300))) {
            try admission.admit(issued, for: trip, held: "another", sentAt: late, receivedAt: late)
        }
    }
}
