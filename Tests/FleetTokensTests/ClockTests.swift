import FleetTokens
import Foundation
import Testing
import TripModel
import TripTestSupport

@Suite("Token provider: clocks that differ, jump and stop", .ends(within: .minutes(10)))
struct ClockTests {
    private let start = Moment(wall: Date(timeIntervalSince1970: 1_767_225_600), steady: .zero)

    private func admit(
        _ issued: IssuedToken,
        roundTrip: Duration = .zero,
        policy: TokenPolicy = .standard
    ) throws -> AdmittedToken {
        try TokenAdmission(expectations: TokenExpectations(), policy: policy)
            .admit(issued, for: .trip(try TripID("trip-A")), sentAt: start, receivedAt: start.advanced(by: roundTrip))
    }

    /// A token that the service issued when its clock was so many seconds ahead of ours.
    private func token(serviceAhead seconds: Double) throws -> IssuedToken {
        FakeToken(.trip(try TripID("trip-A")), issuedAt: start.wall + seconds).issued
    }

    // 53
    @Test func `a step forward by an hour costs one early refresh`() async throws {
        let scene = try TokenScene()
        var lease = scene.provider.lease(for: scene.trip)
        _ = try await lease.token(validFor: .zero)
        await scene.clock.sleepers()
        let events = scene.provider.events()
        scene.clock.stepWall(by: .seconds(3600))
        scene.clock.advance(by: .seconds(30))
        _ = await TokenScene.collect(events) { $0.isLanding }
        await scene.clock.sleepers()
        scene.clock.advance(by: .seconds(30))
        // Whatever wakes now goes to sleep again, and has done by then what it wanted to.
        await scene.clock.sleepers()
        #expect(scene.source.fetches.count == 2)
        #expect(lease.token()?.generation == 2)
    }

    // 54
    @Test func `a step back by an hour does not prolong a token`() throws {
        var driver = MachineDriver.working()
        _ = driver.call()
        driver.now.wall -= 3600
        driver.now = driver.now.advanced(by: .seconds(3300 - 30))
        #expect(driver.machine.read(at: driver.now) == nil)
    }

    // 55
    @Test func `a token that was just read is refused all the same once the time of day has gone past its end`()
        async throws
    {
        let scene = try TokenScene()
        _ = try await scene.provider.token(for: scene.trip)
        for _ in 1...2 { #expect(scene.provider.cached(for: scene.trip) != nil) }
        // Nobody is woken by it, so that no refresh comes in between.
        scene.clock.stepWall(by: .seconds(3271))
        #expect(scene.provider.cached(for: scene.trip) == nil)
    }

    // 55, 56
    @Test(arguments: [false, true])
    func `after two hours of suspension the old token is refused`(steadyCounts: Bool) async throws {
        let scene = try TokenScene()
        _ = try await scene.provider.token(for: scene.trip)
        scene.clock.advance(by: .seconds(60))
        scene.clock.suspend(for: .seconds(7200), steadyCounts: steadyCounts)
        #expect(scene.provider.cached(for: scene.trip) == nil)
        #expect(try await scene.provider.token(for: scene.trip).generation == 2)
        #expect(scene.source.fetches.count == 2)
    }

    @Test func `after a suspension that the steady clock counts a held key has its next token without a call`()
        async throws
    {
        let scene = try TokenScene()
        var lease = scene.provider.lease(for: scene.trip)
        _ = try await lease.token(validFor: .zero)
        await scene.clock.sleepers()
        scene.clock.suspend(for: .seconds(7200), steadyCounts: true)
        await scene.source.fetches(atLeast: 2)
        #expect(try await scene.provider.token(for: scene.trip).generation == 2)
        #expect(scene.source.fetches.count == 2)
        #expect(lease.token()?.generation == 2)
    }

    // 57
    @Test func `with our clock five minutes ahead a token is used for its whole life`() throws {
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

    @Test func `a pair of times that came with an old token prolongs nothing`() throws {
        // From a file: made nine minutes ago to live five.
        let context = AuthorizationContext.trip(try TripID("trip-A"))
        var old = FakeToken(context, issuedAt: start.wall - 540, lifetime: .seconds(300)).issued
        old.issuedAt = start.wall - 540
        old.expiry = .at(start.wall - 240)
        #expect(throws: TokenFault.expired(ago: .seconds(240))) { try admit(old) }
    }

    @Test func `an opaque token may live longer than a JWT`() throws {
        let opaque = IssuedToken("opaque-token-of-somebody", expiry: .after(.seconds(7200)))
        #expect(try admit(opaque).left == .seconds(7200))
    }

    @Test func `a token that may not be used yet is refused`() throws {
        let body =
            #"{"aud":"https://fleetengine.googleapis.com/","exp":1767228000,"nbf":1767229000,"authorization":{"tripid":"trip-A"}}"#
        let parts = [Array(#"{"alg":"RS256","kid":"k"}"#.utf8), Array(body.utf8), Array("signature".utf8)]
        let text = parts.map(Base64URL.encode).joined(separator: ".")
        #expect(throws: TokenFault.issuedInFuture(by: .seconds(3400))) { try admit(IssuedToken(text)) }
    }

    @Test(arguments: [true, false])
    func `a clock that differs is told of once`(isDated: Bool) async throws {
        let clock = ManualClock()
        let scene = try TokenScene { fetch in
            let service = clock.now().wall - 300
            var issued = FakeToken(fetch.context, issuedAt: service, serial: fetch.number).issued
            if isDated {
                issued.serverDate = service
            } else {
                issued.issuedAt = service
                issued.expiry = .at(service + 3300)
                issued.isNew = true
            }
            return .token(issued)
        }
        let events = scene.provider.events()
        _ = try await scene.provider.token(for: scene.trip)
        _ = try await scene.provider.token(for: .trip(try TripID("trip-B")))
        await scene.provider.close()
        var told = 0
        for await event in events {
            if case .clockDisagreement = event.kind { told += 1 }
        }
        #expect(told == 1)
    }

    @Test func `a clock that differs is told of where it spoils the token, too`() async throws {
        let clock = ManualClock()
        let scene = try TokenScene { fetch in
            // It was over an hour ago there, though it has long to go by our clock.
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

    // 58
    @Test func `with our clock five minutes behind no token is used past its end`() throws {
        var dated = try token(serviceAhead: 300)
        dated.serverDate = start.wall + 300
        #expect(try admit(dated).left <= .seconds(3300))
        #expect(try admit(try token(serviceAhead: 300)).left <= .seconds(3300))
    }

    // 59
    @Test func `a round trip of twenty seconds is not counted as life`() throws {
        var dated = try token(serviceAhead: 0)
        dated.serverDate = start.wall + 20
        #expect(try admit(dated, roundTrip: .seconds(20)).left == .seconds(3280))
    }

    @Test func `what is left is counted from the request, however late its answer comes`() async throws {
        let scene = try TokenScene { _ in .gate }
        let caller = Task.immediate { await scene.outcome() }
        await scene.source.fetches(atLeast: 1)
        // Issued when it comes, to live 55 minutes; nobody says what time it is there.
        scene.clock.advance(by: .seconds(9))
        scene.source.open(1, with: scene.token(serial: 1))
        #expect(await caller.value.token != nil)
        #expect(scene.provider.status(of: scene.trip).usableUntil == start.wall + 3270)
    }

    @Test func `a token that is over by our clock is used only if the issuer's word is trusted`() throws {
        let old = try token(serviceAhead: -4000)
        #expect(throws: TokenFault.expired(ago: .seconds(700))) { try admit(old) }
        #expect(try admit(old, policy: TokenPolicy(trustsIssuerLifetime: true)).left == .seconds(3300))
    }

    @Test func `a clock that says it stands still brings down nothing`() async throws {
        let scene = try TokenScene(speed: 0) { _ in .gate }
        let caller = Task.immediate { await scene.outcome() }
        await scene.source.fetches(atLeast: 1)
        scene.clock.advance(by: .seconds(2))
        scene.source.open(1, with: scene.token(serial: 1))
        #expect(await caller.value.token != nil)
        #expect(scene.provider.status(of: scene.trip).lastFetchDuration == .seconds(2))
    }
}
