import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Token provider: clocks that differ, jump and stop", .ends(within: .quickTest))
struct ClockTests {
    private let start = Moment(wall: Date(timeIntervalSince1970: 1_767_225_600), steady: .zero)

    private func admit(
        _ issued: IssuedToken,
        roundTrip: Duration = .zero,
        policy: TokenPolicy = .standard
    ) throws -> BearerToken.Properties {
        try TokenAdmission(expectations: TokenExpectations(), policy: policy)
            .admit(issued, for: .trip(try TripID("trip-A")), sentAt: start, receivedAt: start.advanced(by: roundTrip))
            .properties
    }

    /// A token issued when the service's clock was this many seconds ahead of the local clock.
    private func token(serviceAhead seconds: Double) throws -> IssuedToken {
        FakeToken(.trip(try TripID("trip-A")), issuedAt: start.wall + seconds).issued
    }

    /// A token of an endpoint whose clock is five minutes behind: its answer has a `Date`, or else both times of the token.
    private static func lateToken(
        _ fetch: ScriptedTokenSource.Fetch,
        _ clock: ManualClock,
        isDated: Bool
    ) -> IssuedToken {
        let time = clock.now().wall - 300
        var issued = FakeToken(fetch.context, issuedAt: time, serial: fetch.number).issued
        if isDated {
            issued.serverDate = time
        } else {
            issued.issuedAt = time
            issued.expiry = .at(time + 3300)
            issued.isNew = true
        }
        return issued
    }

    // 53
    @Test func `a wall clock step of an hour forward costs one early refresh`() async throws {
        let scene = try TokenScene()
        _ = try await scene.provider.token(for: scene.trip)
        #expect(scene.provider.cached(for: scene.trip)?.generation == 1)
        await scene.clock.sleepers()
        let events = scene.provider.events()
        scene.clock.stepWall(by: .seconds(3600))
        scene.clock.advance(by: .seconds(30))
        _ = await TokenScene.collect(events) { $0.endsFetch }
        #expect(scene.provider.cached(for: scene.trip)?.generation == 2)
        await scene.clock.sleepers()
        scene.clock.advance(by: .seconds(30))
        // A refresh task that wakes now sleeps again after it has finished its work.
        await scene.clock.sleepers()
        #expect(scene.source.fetches.count == 2)
        #expect(scene.provider.cached(for: scene.trip)?.generation == 2)
    }

    // 54
    @Test func `a wall clock step of an hour back does not prolong a token`() throws {
        var driver = MachineDriver.working()
        _ = driver.call()
        driver.now.wall -= 3600
        driver.now = driver.now.advanced(by: .seconds(3300 - 30))
        #expect(driver.machine.read(at: driver.now) == nil)
    }

    // 55
    @Test func `a cached token is refused once the wall clock passes its expiry`() async throws {
        let scene = try TokenScene()
        _ = try await scene.provider.token(for: scene.trip)
        for _ in 1...2 { #expect(scene.provider.cached(for: scene.trip) != nil) }
        // The step wakes no sleeping task, so that no refresh happens in between.
        scene.clock.stepWall(by: .seconds(3271))
        #expect(scene.provider.cached(for: scene.trip) == nil)
    }

    // 55, 56
    @Test(arguments: [false, true])
    func `refuses the old token after two hours of suspension`(steadyCounts: Bool) async throws {
        let scene = try TokenScene()
        _ = try await scene.provider.token(for: scene.trip)
        scene.clock.advance(by: .seconds(60))
        scene.clock.suspend(for: .seconds(7200), steadyCounts: steadyCounts)
        #expect(scene.provider.cached(for: scene.trip) == nil)
        #expect(try await scene.provider.token(for: scene.trip).generation == 2)
        #expect(scene.source.fetches.count == 2)
    }

    @Test func `refreshes a key in use after a suspension that the steady clock counts`() async throws {
        let scene = try TokenScene()
        _ = try await scene.provider.token(for: scene.trip)
        #expect(scene.provider.cached(for: scene.trip)?.generation == 1)
        await scene.clock.sleepers()
        scene.clock.suspend(for: .seconds(7200), steadyCounts: true)
        await scene.source.fetches(atLeast: 2)
        #expect(try await scene.provider.token(for: scene.trip).generation == 2)
        #expect(scene.source.fetches.count == 2)
    }

    // 57
    @Test func `a token is used for its whole lifetime when the local clock is five minutes ahead`() throws {
        var dated = try token(serviceAhead: -300)
        dated.serverDate = start.wall - 300
        let byDate = try admit(dated)
        #expect(byDate.left >= .seconds(3299) && byDate.left <= .seconds(3300))
        let offset = try #require(byDate.clockOffset).seconds
        #expect(abs(offset + 300) <= 1)
        var paired = try token(serviceAhead: -300)
        paired.issuedAt = start.wall - 300
        paired.expiry = .at(start.wall + 3000)
        paired.isNew = true
        #expect(try admit(paired).left == .seconds(3300))
    }

    @Test func `an issue time and expiry that came with an old token do not prolong it`() throws {
        // As from a file: issued nine minutes ago with a lifetime of five minutes.
        let context = AuthorizationContext.trip(try TripID("trip-A"))
        var old = FakeToken(context, issuedAt: start.wall - 540, lifetime: .seconds(300)).issued
        old.issuedAt = start.wall - 540
        old.expiry = .at(start.wall - 240)
        #expect(throws: Failure.tokenExpired(ago: .seconds(240))) { try admit(old) }
    }

    @Test func `an opaque token may live longer than a JWT`() throws {
        let opaque = IssuedToken("opaque-token-of-somebody", expiry: .after(.seconds(7200)))
        #expect(try admit(opaque).left == .seconds(7200))
    }

    @Test func `refuses a token before its nbf time`() throws {
        let body =
            #"{"aud":"https://fleetengine.googleapis.com/","exp":1767228000,"nbf":1767229000,"authorization":{"tripid":"trip-A"}}"#
        let parts = [Array(#"{"alg":"RS256","kid":"k"}"#.utf8), Array(body.utf8), Array("signature".utf8)]
        let text = parts.map(Base64URL.encode).joined(separator: ".")
        #expect(throws: Failure.tokenIssuedInFuture(by: .seconds(3400))) { try admit(IssuedToken(text)) }
    }

    @Test(arguments: [true, false])
    func `reports a clock difference once`(isDated: Bool) async throws {
        let clock = ManualClock()
        let scene = try TokenScene { .token(Self.lateToken($0, clock, isDated: isDated)) }
        let events = scene.provider.events()
        _ = try await scene.provider.token(for: scene.trip)
        _ = try await scene.provider.token(for: .trip(try TripID("trip-B")))
        await scene.provider.close()
        var reported = 0
        for await event in events {
            if case .clockDisagreement = event.kind { reported += 1 }
        }
        #expect(reported == 1)
    }

    @Test func `reports a clock difference that makes the token unusable`() async throws {
        let clock = ManualClock()
        let scene = try TokenScene { fetch in
            // The token expired over an hour ago by the service's clock, though it is valid by the local clock.
            var issued = FakeToken(fetch.context, issuedAt: clock.now().wall, serial: fetch.number).issued
            issued.serverDate = clock.now().wall + 7200
            return .token(issued)
        }
        let events = scene.provider.events()
        #expect(await scene.outcome().error?.code == "unusable.expired")
        await scene.provider.close()
        let kinds = await TokenScene.collect(events) { $0 == .closed }.map(\.kind)
        let offsets = kinds.compactMap { kind -> Duration? in
            guard case .clockDisagreement(let offset) = kind else { return nil }
            return offset
        }
        #expect(offsets.count == 1)
        #expect(abs(offsets[0].seconds - 7200) < 2)
        #expect(scene.provider.counters.clockDisagreements == 1)
    }

    @Test(arguments: [true, false])
    func `a slow endpoint's clock prolongs no token once the service's clock is known to be right`(
        isDated: Bool
    ) async throws {
        let clock = ManualClock()
        let scene = try TokenScene { .token(Self.lateToken($0, clock, isDated: isDated)) }
        _ = try await scene.provider.token(for: scene.trip)
        let (trusting, now) = (scene.provider.status(of: scene.trip), scene.clock.now())
        #expect(trusting.clockOffset != .zero)
        scene.provider.compareClocks(serviceAgrees: true)
        let corrected = scene.provider.status(of: scene.trip)
        #expect(corrected.usableUntil == now.wall + 3000 - 30)
        #expect(corrected.clockOffset == .zero)
        #expect(abs(try #require(corrected.sourceClockOffset).seconds + 300) < 2, "it stays visible")
        // Neither the stored token nor the next one is used past its end.
        for clock in [clock, scene.clock] { clock.advance(by: .seconds(2971)) }
        #expect(scene.provider.cached(for: scene.trip) == nil)
        _ = try await scene.provider.token(for: scene.trip)
        #expect(scene.provider.status(of: scene.trip).usableUntil == scene.clock.now().wall + 3000 - 30)
        #expect(scene.source.fetches.count == 2)
    }

    @Test func `after the local clock was set, the endpoint's clock counts until the service has answered again`()
        async throws
    {
        let clock = ManualClock()
        let scene = try TokenScene { fetch in
            var issued = FakeToken(fetch.context, issuedAt: clock.now().wall, serial: fetch.number).issued
            issued.serverDate = clock.now().wall
            return .token(issued)
        }
        scene.provider.compareClocks(serviceAgrees: true)
        // An hour ahead of the endpoint and the service: by the local clock, every new token would have expired.
        scene.clock.stepWall(by: .seconds(3600))
        #expect(await scene.outcome().token != nil)
        #expect(abs(try #require(scene.provider.status(of: scene.trip).clockOffset).seconds + 3600) < 2)
        scene.provider.compareClocks(serviceAgrees: false)
        #expect(scene.provider.cached(for: scene.trip) != nil)
    }

    // 58
    @Test func `no token is used past its expiry when the local clock is five minutes behind`() throws {
        var dated = try token(serviceAhead: 300)
        dated.serverDate = start.wall + 300
        #expect(try admit(dated).left <= .seconds(3300))
        #expect(try admit(try token(serviceAhead: 300)).left <= .seconds(3300))
    }

    // 59
    @Test func `does not count a round trip of 20 s as lifetime`() throws {
        var dated = try token(serviceAhead: 0)
        dated.serverDate = start.wall + 20
        #expect(try admit(dated, roundTrip: .seconds(20)).left == .seconds(3280))
    }

    @Test func `counts the remaining time from the request, however late the answer comes`() async throws {
        let scene = try TokenScene { _ in .gate }
        let caller = Task.immediate { await scene.outcome() }
        await scene.source.fetches(atLeast: 1)
        // Issued when the answer comes, with a lifetime of 55 minutes and without a Date header.
        scene.clock.advance(by: .seconds(9))
        scene.source.open(1, with: scene.token(serial: 1))
        #expect(await caller.value.token != nil)
        #expect(scene.provider.status(of: scene.trip).usableUntil == start.wall + 3270)
    }

    @Test func `uses a token that is expired by the local clock only with trustsIssuerLifetime`() throws {
        let old = try token(serviceAhead: -4000)
        #expect(throws: Failure.tokenExpired(ago: .seconds(700))) { try admit(old) }
        #expect(try admit(old, policy: TokenPolicy(trustsIssuerLifetime: true)).left == .seconds(3300))
    }

    @Test func `a clock that reports speed 0 causes no crash`() async throws {
        let scene = try TokenScene(speed: 0) { _ in .gate }
        let caller = Task.immediate { await scene.outcome() }
        await scene.source.fetches(atLeast: 1)
        scene.clock.advance(by: .seconds(2))
        scene.source.open(1, with: scene.token(serial: 1))
        #expect(await caller.value.token != nil)
        #expect(scene.provider.status(of: scene.trip).lastFetchDuration == .seconds(2))
    }
}
