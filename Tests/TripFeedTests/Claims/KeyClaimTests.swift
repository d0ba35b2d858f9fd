import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// What may be said about the tokens of a trip, with the events that support it.
@Suite("Claims about tokens", .ends(within: .quickTest))
struct KeyClaimTests {
    private var scene: JourneyScene

    init() throws { scene = try JourneyScene() }

    private static let refused = Failure.service(ServiceAnswer(httpStatus: 401), retryAfter: nil)
    private static let missing = TokenError.unavailable(.sourceTimedOut, retryAfter: .seconds(5))

    private var claims: [KeyClaim] {
        KeyClaim.all(of: scene.facts?.token.keys ?? KeyFacts(), interval: .seconds(5), at: scene.now)
    }

    private var kinds: [KeyClaim.Kind] { claims.map(\.kind) }

    /// Stores a token that is good for a minute.
    private mutating func store(_ number: Int) {
        let end = scene.now.wall + 60
        scene.apply(.stored(generation: number)) {
            $0.generation = number
            $0.expiresAt = end
        }
    }

    /// Begins a fetch.
    private mutating func fetch(_ reason: FetchReason, _ state: TokenState, after number: Int, left: Double = 20) {
        let end = scene.now.wall + left
        scene.apply(.fetching(reason)) {
            ($0.state, $0.generation) = (state, number)
            $0.expiresAt = end
        }
    }

    @Test mutating func `a token is used again with each answer, and the next one from its first answer on`() {
        store(1)
        #expect(kinds == [])
        for _ in 1...3 { scene.answer(token: 1) }
        #expect(kinds == [.used(token: 1, times: 3)])
        #expect(claims.first?.evidence.map(\.number.rawValue) == [2, 4])
        scene.fail(Self.refused)
        #expect(kinds == [.used(token: 1, times: 3)], "a poll that failed is no use")
        scene.answer(token: 2)
        #expect(kinds == [.used(token: 2, times: 1)])
    }

    @Test mutating func `what the next token opens stands beside no use of the last one`() throws {
        store(1)
        for _ in 1...3 { scene.answer(token: 1) }
        store(2)
        let scope = KeyScope.only(.trip(try TripID("t")))
        func kinds() -> [KeyClaim.Kind] {
            let facts = scene.facts?.token.keys ?? KeyFacts()
            return KeyClaim.all(of: facts, scope: (2, scope, nil), interval: .seconds(5), at: scene.now).map(\.kind)
        }
        func isUse(_ kind: KeyClaim.Kind) -> Bool { if case .used = kind { true } else { false } }
        #expect(kinds().first == .opens(token: 2, scope) && !kinds().contains(where: isUse))
        scene.answer(token: 2)
        #expect(kinds().filter(isUse) == [.used(token: 2, times: 1)])
    }

    @Test mutating func `an answer whose token is not known supports no claim`() {
        scene.answer()
        #expect(kinds == [])
    }

    @Test mutating func `a token that comes before the last one ends is a renewal, and nobody waits for it`() {
        store(1)
        scene.answer(token: 1)
        fetch(.ahead, .refreshingAhead, after: 1)
        store(2)
        #expect(kinds.last == .renewed(times: 1, left: .seconds(20), isWithoutWait: true))
    }

    @Test mutating func `a token that comes after the end of the last one is no renewal`() {
        store(1)
        scene.answer(token: 1)
        fetch(.ahead, .refreshingAhead, after: 1, left: 3)
        scene.answer(token: 1)
        store(2)
        #expect(!kinds.contains { if case .renewed = $0 { true } else { false } })
    }

    @Test mutating func `nobody has waited only until a poll waits for a token`() {
        scene.answer(token: 1)
        fetch(.ahead, .refreshingAhead, after: 1)
        store(2)
        fetch(.needed, .fetching, after: 2)
        #expect(kinds.last == .renewed(times: 1, left: .seconds(20), isWithoutWait: false))
    }

    @Test mutating func `a refused token is replaced when an answer has come with the next one`() {
        store(1)
        scene.answer(token: 1)
        scene.apply(.rejected(status: 401)) { $0.state = .invalidated }
        scene.fail(Self.refused)
        store(2)
        #expect(!kinds.contains { if case .replaced = $0 { true } else { false } }, "nothing was answered yet")
        scene.answer(token: 2)
        #expect(kinds.contains(.replaced(after: .seconds(5), isWithoutGap: true)))
        let claim = claims.first { if case .replaced = $0.kind { true } else { false } }
        #expect(claim?.evidence.map(\.number.rawValue) == [3, 5, 6])
    }

    @Test mutating func `an answer that comes later than the next poll was due is no replacement without a gap`() {
        scene.answer(token: 1)
        scene.apply(.rejected(status: 401)) { $0.state = .invalidated }
        scene.fail(Self.refused)
        scene.fail(Self.refused)
        store(2)
        scene.answer(token: 2)
        #expect(kinds.contains(.replaced(after: .seconds(10), isWithoutGap: false)))
    }

    @Test mutating func `a source that fails costs the time without an answer`() {
        store(1)
        scene.answer(token: 1)
        scene.apply(.failed(Self.missing)) { $0.state = .stale }
        #expect(kinds.last == .sourceFailed(times: 1), "the last token is still good")
        scene.fail(Self.missing.failure)
        scene.fail(Self.missing.failure)
        #expect(kinds.last == .missing(for: .seconds(10), polls: 2, isOver: false))
        scene.answer(token: 2)
        scene.answer(token: 2)
        #expect(kinds.last == .missing(for: .seconds(10), polls: 2, isOver: true))
    }

    @Test mutating func `a token that the service refuses is no failure of its source`() {
        let refused = TokenError.rejectedByService(status: 401, retryAfter: .seconds(10))
        store(1)
        scene.answer(token: 1)
        scene.apply(.rejected(status: 401)) { $0.state = .invalidated }
        scene.apply(.failed(refused)) { $0.state = .failing }
        #expect(kinds == [.used(token: 1, times: 1)])
        scene.fail(refused.failure)
        #expect(kinds == [.used(token: 1, times: 1)])
    }

    @Test mutating func `the driver's token is for one vehicle, and is used with each accepted report`() {
        scene.report(from: "taxi-7", token: 1)
        scene.report(from: "taxi-7", token: 1, failure: Self.refused)
        scene.report(from: "taxi-7", token: nil)
        scene.report(from: "taxi-7", token: 1)
        #expect(kinds == [.driver(vehicle: "taxi-7", token: 1, times: 2)])
        #expect(claims.first?.evidence.map(\.number.rawValue) == [1, 4])
    }

    @Test func `what a token opens is in its own claims`() throws {
        func scope(_ authorization: String) throws -> KeyScope? {
            func part(_ json: String) -> String { Base64URL.encode(Array(json.utf8)) }
            let token = "\(part(#"{"alg":"RS256"}"#)).\(part("{\"authorization\":\(authorization)}")).\(part("s"))"
            return KeyScope(try TokenClaims(token: token), of: .trip(try TripID("t")))
        }
        #expect(try scope(#"{"tripid":"t"}"#) == .only(.trip(try TripID("t"))))
        #expect(try scope(#"{"tripid":"*"}"#) == .all)
        #expect(try scope(#"{"tripid":"u"}"#) == nil)
        #expect(try scope(#"{"tripid":"t","vehicleid":"v"}"#) == nil, "it opens the vehicle, too")
        #expect(try scope(#"{"trackingid":"t"}"#) == nil)
        #expect(try scope("{}") == nil)
    }
}
