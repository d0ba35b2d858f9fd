import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Token admission", .ends(within: .quickTest))
struct AdmissionTests {
    private let now = Moment(wall: Date(timeIntervalSince1970: 1_767_225_600), steady: .zero)

    private func admit(
        _ issued: IssuedToken,
        _ expectations: TokenExpectations = TokenExpectations(),
        policy: TokenPolicy = .standard,
        serviceAgrees: Bool = false
    ) throws -> BearerToken.Properties {
        let trip = AuthorizationContext.trip(try TripID("trip-A"))
        return try TokenAdmission(expectations: expectations, policy: policy)
            .admit(issued, for: trip, serviceAgrees: serviceAgrees, sentAt: now, receivedAt: now).properties
    }

    private func token(_ change: (inout FakeToken) -> Void) throws -> IssuedToken {
        var token = FakeToken(.trip(try TripID("trip-A")), issuedAt: now.wall)
        change(&token)
        return token.issued
    }

    // 28
    @Test func `refuses a token without an expiry unless a lifetime is assumed`() throws {
        let endless = try token { $0.expiresAt = nil }
        #expect(throws: Failure.tokenWithoutExpiry) { try admit(endless) }
        let assumed = try admit(endless, policy: TokenPolicy(assumedLifetime: .seconds(600)))
        #expect(assumed.left == .seconds(600))
        #expect(assumed.warnings == [.assumedLifetime(.seconds(600))])
    }

    // 60
    @Test func `refuses a token for another trip and does not reveal its ID`() throws {
        let other = try token { $0.authorization = ["tripid": "trip-B"] }
        #expect(throws: Failure.tokenBoundToAnother) { try admit(other) }
        #expect(!"\(TokenError.unusable(.tokenBoundToAnother, retryAfter: .zero))".contains("trip-B"))
        #expect(throws: Failure.tokenIDForm(.letterCase, claim: "tripid")) {
            try admit(try token { $0.authorization = ["tripid": "TRIP-A"] })
        }
        #expect(throws: Failure.tokenWrongKind) { try admit(try token { $0.authorization = ["vehicleid": "trip-A"] }) }
        #expect(throws: Failure.tokenWithoutAuthorization) { try admit(try token { $0.authorization = nil }) }
    }

    @Test func `compares trip IDs byte by byte, so another Unicode spelling is another trip`() throws {
        let trip = AuthorizationContext.trip(try TripID("caf\u{E9}"))
        let admission = TokenAdmission(expectations: TokenExpectations(), policy: .standard)
        func admit(_ spelling: String) throws -> BearerToken.Properties {
            var token = FakeToken(trip, issuedAt: now.wall)
            token.authorization = ["tripid": spelling]
            return try admission.admit(token.issued, for: trip, sentAt: now, receivedAt: now).properties
        }
        #expect(throws: Never.self) { try admit("caf\u{E9}") }
        #expect(throws: Failure.tokenBoundToAnother) { try admit("cafe\u{301}") }
    }

    // 61
    @Test func `refuses a wildcard unless wildcards are allowed`() throws {
        let wild = try token { $0.authorization = ["tripid": "*"] }
        #expect(throws: Failure.tokenOverBroad) { try admit(wild) }
        #expect(try admit(wild, TokenExpectations(allowsWildcard: true)).warnings == [.wildcard])
    }

    // 61
    @Test(arguments: [["vehicleid": "*"], ["deliveryvehicleid": "*"], ["taskid": "*"]])
    func `refuses a consumer token that combines its trip with a wildcard`(extra: [String: String]) throws {
        let wild = try token { $0.authorization = ["tripid": "trip-A"].merging(extra) { $1 } }
        #expect(throws: Failure.tokenOverBroad) { try admit(wild) }
        #expect(try admit(wild, TokenExpectations(allowsWildcard: true)).warnings == [.wildcard])
    }

    @Test func `accepts a driver token for all tasks but not for all vehicles`() throws {
        let taxi = AuthorizationContext.vehicle(try VehicleID("taxi"))
        func admit(_ authorization: [String: String]) throws -> BearerToken.Properties {
            var token = FakeToken(taxi, issuedAt: now.wall)
            token.authorization = authorization
            return try TokenAdmission(expectations: TokenExpectations(), policy: .standard)
                .admit(token.issued, for: taxi, sentAt: now, receivedAt: now).properties
        }
        #expect(try admit(["vehicleid": "taxi", "taskid": "*"]).warnings == [.wildcard])
        #expect(throws: Failure.tokenOverBroad) { try admit(["vehicleid": "*"]) }
    }

    @Test func `reports a Bearer prefix in front of a token`() throws {
        let bare = try token { _ in }.revealed
        for prefix in ["Bearer ", "bearer "] {
            #expect(throws: Failure.tokenBearerPrefix) { try admit(IssuedToken(prefix + bare)) }
        }
    }

    @Test(arguments: [
        // Seconds read as milliseconds, milliseconds read as seconds, a time of day read as seconds from now.
        IssuedToken.Expiry.at(Date(timeIntervalSince1970: 1_767_229)),
        .at(Date(timeIntervalSince1970: 1_767_229_000_000)), .after(.seconds(1_767_229_000)),
        // Milliseconds read as seconds from now.
        .after(.seconds(3_300_000)),
    ])
    func `warns about an expiry in the wrong unit and uses the token's own expiry`(
        expiry: IssuedToken.Expiry
    ) throws {
        var issued = try token { _ in }
        issued.expiry = expiry
        let admitted = try admit(issued)
        #expect(admitted.warnings == [.ignoredExpiryUnit])
        #expect(admitted.left == .seconds(3300))
        let opaque = IssuedToken("opaque-token", expiry: expiry)
        #expect(throws: Failure.tokenWrongExpiryUnit) { try admit(opaque) }
    }

    @Test func `warns about a token with a lifetime under 30 s`() throws {
        func warnings(_ life: Double) throws -> [Failure] {
            try admit(token { $0.expiresAt = now.wall + life }).warnings
        }
        #expect(try warnings(12) == [.shortLived(.seconds(12))])
        #expect(try warnings(30) == [])
    }

    @Test func `warns about a signer's clock that is ahead and does not take it for the service's clock`() throws {
        let admitted = try admit(token { $0.issuedAt = now.wall + 300 })
        #expect(admitted.warnings == [.clockDiffers(.seconds(300))])
        #expect(admitted.clockOffset == nil)
    }

    // 27
    @Test func `refuses a token with at most one second left beyond the margin`() throws {
        // The lifetime is 55 minutes, so the margin is 30 s.
        func left(_ seconds: Double) throws -> Duration {
            let issued = try token {
                $0.expiresAt = now.wall + seconds
                $0.issuedAt = now.wall + seconds - 3300
            }
            return try admit(issued).left
        }
        #expect(throws: Failure.tokenNearlyOver(left: .seconds(31), lifetime: .seconds(3300))) { try left(31) }
        #expect(try left(31.001) > .seconds(31))
        #expect(try left(32) == .seconds(32))
    }

    // 63
    @Test(arguments: [
        "a.b", "a.b.c.d", "a.b.c\r\nX: y", "a b.c.d", "é.a.b", "", "..", "=.a.b",
        // Without a dot only the characters decide: nothing else of an opaque token is checked.
        "abc\r\nX: y", "abc\ny", "abc y", "abcé", "abc\0",
    ])
    func `refuses text that is not a token`(text: String) {
        // The expiry is given, so that its absence is not the reason for the refusal.
        #expect(throws: Failure.tokenMalformed) { try admit(IssuedToken(text, expiry: .after(.seconds(600)))) }
    }

    @Test func `refuses a good token with a missing part, an extra part or an extra line`() throws {
        let good = try token { _ in }.revealed
        #expect(throws: Never.self) { try admit(IssuedToken(good)) }
        let short = good.split(separator: ".").prefix(2).joined(separator: ".")
        for text in ["\(good).x", short, "\(good)\r\nX: y"] {
            #expect(throws: Failure.tokenMalformed) { try admit(IssuedToken(text)) }
        }
    }

    @Test func `refuses unsigned and oversized tokens`() throws {
        for algorithm in ["none", "None"] {
            #expect(throws: Failure.tokenUnsigned) { try admit(try token { $0.algorithm = algorithm }) }
        }
        let good = try token { _ in }.revealed
        let bare = good.split(separator: ".").prefix(2).joined(separator: ".")
        #expect(throws: Failure.tokenUnsigned) { try admit(IssuedToken("\(bare).")) }
        func long(_ bytes: Int) -> IssuedToken {
            IssuedToken(String(repeating: "a", count: bytes), expiry: .after(.seconds(600)))
        }
        #expect(try admit(long(8192)).left == .seconds(600))
        for bytes in [8193, 9 << 10] {
            #expect(throws: Failure.tokenTooLong(bytes: bytes)) { try admit(long(bytes)) }
        }
    }

    @Test(
        arguments: [
            (600, 2400, nil), (601, 2400, .tokenIssuedInFuture(by: .seconds(601))),
            // One hour plus a grace period of one minute.
            (0, 3660, nil), (0, 3661, .tokenTooLongLived(.seconds(3661))),
        ] as [(Double, Double, Failure?)]
    )
    func `limits issue time and lifetime to the exact second`(ahead: Double, life: Double, fault: Failure?) throws {
        let issued = try token {
            $0.issuedAt = now.wall + ahead
            $0.expiresAt = now.wall + ahead + life
        }
        if let fault {
            #expect(throws: fault) { try admit(issued) }
        } else {
            #expect(try admit(issued).lifetime.seconds == life)
        }
    }

    @Test func `accepts escaped slashes and fractional times`() throws {
        let header = Base64URL.encode(Array(#"{"alg":"RS256"}"#.utf8))
        let claims =
            #"{"aud":"https:\/\/fleetengine.googleapis.com\/","exp":1767228900.25,"iat":1767225600.5,"#
            + #""authorization":{"tripid":"trip-A"}}"#
        let payload = Base64URL.encode(Array(claims.utf8))
        #expect(try admit(IssuedToken("\(header).\(payload).c2ln")).left > .seconds(3299))
    }

    @Test func `requires the service's audience, including the trailing slash`() throws {
        let wrong = try token { $0.audience = "https://fleetengine.googleapis.com" }
        #expect(throws: Failure.tokenWrongAudience) { try admit(wrong) }
    }

    @Test func `refuses a list of audiences, as the inspection says that the service does`() throws {
        let header = Base64URL.encode(Array(#"{"alg":"RS256","kid":"k"}"#.utf8))
        for (audiences, isGood) in [(#""X""#, true), (#""X","https://other.example/""#, false)] {
            let list = audiences.replacing("X", with: TokenExpectations.fleetEngineAudience)
            let claims =
                #"{"aud":[\#(list)],"iat":1767225600,"exp":1767228900,"authorization":{"tripid":"trip-A"}}"#
            let token = IssuedToken("\(header).\(Base64URL.encode(Array(claims.utf8))).c2ln")
            if isGood {
                #expect(try admit(token).left == .seconds(3300))
            } else {
                #expect(throws: Failure.tokenWrongAudience) { try admit(token) }
            }
        }
    }

    @Test func `refuses a token that expires more than an hour ahead by the service's own clock`() throws {
        // Its lifetime is short enough, but the signer's clock is ahead.
        var ahead = try token {
            $0.issuedAt = now.wall + 500
            $0.expiresAt = now.wall + 4000
        }
        #expect(try admit(ahead).left == .seconds(3500), "who knows what time it is there")
        ahead.serverDate = now.wall
        #expect(throws: Failure.tokenEndsTooFarAhead(by: .seconds(4000))) { try admit(ahead) }
        var little = try token { $0.expiresAt = now.wall + 3640 }
        little.serverDate = now.wall
        #expect(try admit(little).left == .seconds(3640), "a minute of grace, as the inspection gives")
        let inspection = TokenInspection.inspect(little.revealed, .init(), now: now.wall)
        #expect(inspection.isFaultless, "\(inspection.findings)")
    }

    @Test(arguments: [0.0, -60, -200])
    func `accepts a token whose issue time agrees with the local clock although the endpoint's clock is behind`(
        issued: Double
    ) throws {
        var good = try token {
            $0.issuedAt = now.wall + issued
            $0.expiresAt = now.wall + issued + 3600
        }
        good.serverDate = now.wall - 300
        let admitted = try admit(good)
        #expect(admitted.left == .seconds(3600 + issued), "by the local clock")
        #expect(admitted.clockOffset == .zero)
        #expect(admitted.warnings == [.clockDiffers(.milliseconds(-299_500))])
    }

    @Test func `judges a token by the endpoint's clock if its issue time agrees with that clock`() throws {
        // The local clock is five minutes ahead.
        var long = try token {
            $0.issuedAt = now.wall - 299
            $0.expiresAt = now.wall - 299 + 3660
        }
        long.serverDate = now.wall - 301
        #expect(throws: Failure.tokenEndsTooFarAhead(by: .seconds(3661))) { try admit(long) }
    }

    @Test func `judges a token by the endpoint's clock if its issue time agrees with neither clock`() throws {
        var ahead = try token {
            $0.issuedAt = now.wall + 200
            $0.expiresAt = now.wall + 3700
        }
        ahead.serverDate = now.wall - 300
        #expect(throws: Failure.tokenEndsTooFarAhead(by: .seconds(3999))) { try admit(ahead) }
    }

    @Test func `a slow endpoint's clock prolongs no token if the service agrees with the local clock`() throws {
        var slow = try token {
            $0.issuedAt = now.wall - 301
            $0.expiresAt = now.wall - 301 + 3300
        }
        slow.serverDate = now.wall - 301
        #expect(try admit(slow).left == .seconds(3299), "by the endpoint's clock, as nothing else is known")
        let admitted = try admit(slow, serviceAgrees: true)
        #expect(admitted.left == .seconds(2999))
        #expect(admitted.clockOffset == .zero)
        #expect(admitted.warnings == [.clockDiffers(.milliseconds(-300_500))])
        var expired = try token {
            $0.issuedAt = now.wall - 3400
            $0.expiresAt = now.wall - 100
        }
        expired.serverDate = now.wall - 3400
        #expect(throws: Failure.tokenExpired(ago: .seconds(100))) { try admit(expired, serviceAgrees: true) }
        var fast = try token { $0.issuedAt = now.wall + 301 }
        fast.serverDate = now.wall + 301
        #expect(try admit(fast, serviceAgrees: true).clockOffset == .milliseconds(301_500), "it prolongs nothing")
    }

    @Test func `refuses absurd times and names the cause`() throws {
        let late = try token { $0.expiresAt = Date(timeIntervalSince1970: 1_767_228_900_000) }
        #expect(throws: Failure.tokenExpiryInMilliseconds) { try admit(late) }
        let long = try token { $0.expiresAt = now.wall + 7200 }
        #expect(throws: Failure.tokenTooLongLived(.seconds(7200))) { try admit(long) }
        let future = try token {
            $0.issuedAt = now.wall + 1000
            $0.expiresAt = now.wall + 3000
        }
        #expect(throws: Failure.tokenIssuedInFuture(by: .seconds(1000))) { try admit(future) }
        let short = try token { $0.expiresAt = now.wall + 1 }
        #expect(throws: Failure.tokenTooShort(left: .seconds(1))) { try admit(short) }
    }

    @Test func `uses the earlier of two expiries and warns about the difference`() throws {
        var issued = try token { _ in }
        issued.expiry = .at(now.wall + 600)
        let admitted = try admit(issued)
        #expect(admitted.left == .seconds(600))
        #expect(admitted.warnings == [.expiryDisagreement(token: now.wall + 3300, endpoint: now.wall + 600)])
        issued.expiry = .after(.seconds(3300))
        #expect(try admit(issued).warnings.isEmpty)
    }

    @Test func `gives an opaque token the lifetime that its endpoint states`() throws {
        let opaque = IssuedToken("abc123", expiry: .after(.seconds(600)))
        let admitted = try admit(opaque)
        #expect(admitted.left == .seconds(600))
        #expect(admitted.warnings == [.opaqueToken])
        #expect(throws: Failure.tokenWithoutExpiry) { try admit(IssuedToken("abc123")) }
        #expect(throws: Failure.tokenOpaque) { try admit(opaque, TokenExpectations(acceptsOpaqueTokens: false)) }
    }

    /// A token with this payload.
    private func token(saying payload: String) -> IssuedToken {
        let parts = [#"{"alg":"RS256","typ":"JWT","kid":"k"}"#, payload, "signature"]
        return IssuedToken(parts.map { Base64URL.encode(Array($0.utf8)) }.joined(separator: "."))
    }

    @Test(arguments: [
        (#""aud":["https://fleetengine.googleapis.com/",7,{}],"iat":1767225600,"exp":1767228900"#, "wrong_audience"),
        (#""aud":"https://fleetengine.googleapis.com/","iat":"1767225600","exp":1767228900"#, "mistyped_time"),
        (#""aud":"https://fleetengine.googleapis.com/","iat":1767225600,"exp":"1767228900""#, "mistyped_time"),
        (#""aud":"https://fleetengine.googleapis.com/","nbf":true,"exp":1767228900"#, "mistyped_time"),
        (#""aud":"https://fleetengine.googleapis.com/","iat":1767225600000,"exp":1767228900"#, "begin_in_milliseconds"),
        (#""aud":"https://fleetengine.googleapis.com/","nbf":1767225600000,"exp":1767228900"#, "begin_in_milliseconds"),
        (#""aud":"https://fleetengine.googleapis.com/","iat":1767225600,"exp":1767228900."#, "malformed"),
        (#""aud":"https://fleetengine.googleapis.com/","iat":01767225600,"exp":1767228900"#, "malformed"),
    ])
    func `refuses every token that the inspection reports as broken`(claims: String, code: String) throws {
        var issued = token(saying: "{\(claims),\"authorization\":{\"tripid\":\"trip-A\"}}")
        issued.expiry = .after(.seconds(600))
        #expect { try admit(issued) } throws: { ($0 as? Failure)?.name == code }
        let expectations = TokenInspection.Expectations(context: .trip(try TripID("trip-A")))
        #expect(!TokenInspection.inspect(issued.revealed, expectations, now: now.wall).isFaultless)
    }

    @Test(arguments: ["0", "-0", "12", "-5", "1.5", "0.5", "1e3", "1E+3", "1.25e-3", "123456789012345678901"])
    func `parses every valid JSON number`(text: String) { #expect(JSONValue(Array(text.utf8))?.number == Double(text)) }

    @Test(arguments: [
        "", "-", "+1", "01", "-01", "007", ".5", "-.5", "1.", "1.e3", "1e", "1e+", "--1", "1-", "0x1", "1e999",
    ])
    func `rejects numbers that are not valid JSON`(text: String) { #expect(JSONValue(Array(text.utf8)) == nil) }
}
