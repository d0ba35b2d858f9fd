import Failures
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// What is said about an arrival, on which answers, and until when.
@Suite("Claims about arrivals and reports", .ends(within: .quickTest))
struct ClaimsTests {
    private var scene: JourneyScene

    private static let unavailable = Failure.service(ServiceAnswer(httpStatus: 503), retryAfter: nil)

    /// The pickup is expected 12 s after the start.
    init() throws {
        scene = try JourneyScene()
        scene.trip.pickupTime = JourneyScene.start + 12
        scene.trip.etaToFirstWaypoint = scene.trip.pickupTime
    }

    private func claims(at second: Double) throws -> Claims {
        let moment = Moment(wall: JourneyScene.start + second, steady: .seconds(second))
        return try #require(scene.facts?.claims(at: moment))
    }

    private func isOverdue(at second: Double) throws -> Bool {
        try claims(at: second).all.contains { if case .overdue = $0.kind { true } else { false } }
    }

    /// How long there has been no news since before the expected arrival.
    private func silence(at second: Double) throws -> Double? {
        guard case .noReport(let silence, let missed?)? = try claims(at: second).next?.kind else { return nil }
        #expect(missed.expected == JourneyScene.start + 12 && missed.arrival.kind == .pickup)
        return silence.seconds
    }

    @Test mutating func `before the first answer nothing is said`() {
        scene.fail(Self.unavailable)
        #expect(scene.facts?.claims(at: scene.now) == nil)
    }

    @Test mutating func `an arrival is expected until its time`() throws {
        scene.answer()
        let claim = try #require(try claims(at: 5).next)
        guard case .expected(let stop, let time, let left) = claim.kind else {
            Issue.record("\(claim.kind)")
            return
        }
        #expect(stop.kind == .pickup && time == JourneyScene.start + 12 && left == .seconds(7))
        #expect(claim.evidence.map(\.rawValue) == [1] && claim.asOf == JourneyScene.start)
        #expect(claim.until == JourneyScene.start + 13 && claim.strength == .estimated)
        #expect(try silence(at: 12.9) == nil)
        #expect(try silence(at: 13.1) != nil)
    }

    @Test mutating func `without an answer after the expected time there is no report, not a delay`() throws {
        scene.answer()
        // The vehicle reported 1 s before the answer.
        #expect(try silence(at: 20) == 21 && !isOverdue(at: 20))
        #expect(try silence(at: 600) == 601 && !isOverdue(at: 600))
    }

    @Test mutating func `failed polls are no report`() throws {
        scene.answer()
        for _ in 0..<5 { scene.fail(Self.unavailable) }
        #expect(try silence(at: 25) == 26 && !isOverdue(at: 25))
        #expect(try claims(at: 25).next?.evidence.map(\.rawValue) == [1])
    }

    @Test mutating func `answers that repeat an old report of the vehicle are no report`() throws {
        scene.answer()
        for _ in 0..<5 { scene.answer(reports: false) }
        #expect(try silence(at: 25) == 26 && !isOverdue(at: 25))
    }

    @Test mutating func `an arrival is overdue as of the report after its time, and not as of the clock`() throws {
        for _ in 0..<4 { scene.answer() }
        for second in [15.0, 20, 44] {
            let claim = try #require(try claims(at: second).next)
            guard case .overdue(let stop, let expected, let late) = claim.kind else {
                Issue.record("\(claim.kind)")
                return
            }
            #expect(stop.kind == .pickup && expected == JourneyScene.start + 12 && late == .seconds(2))
            #expect(claim.evidence.map(\.rawValue) == [4] && claim.asOf == JourneyScene.start + 14)
            #expect(claim.until == JourneyScene.start + 44)
        }
        #expect(try silence(at: 45) == 31)
    }

    @Test mutating func `a vehicle that is not shown is overdue as of the answer`() throws {
        for _ in 0..<4 { scene.answer(reports: false) }
        guard case .overdue(_, _, let late)? = try claims(at: 18).next?.kind else {
            Issue.record("nothing is overdue")
            return
        }
        #expect(late == .seconds(3))
    }

    @Test mutating func `an arrival that a renewed estimate moves is expected again`() throws {
        for _ in 0..<4 { scene.answer() }
        scene.trip.etaToFirstWaypoint = JourneyScene.start + 60
        scene.answer()
        guard case .expected(_, _, let left)? = try claims(at: 21).next?.kind else {
            Issue.record("it is not expected")
            return
        }
        #expect(left == .seconds(39))
    }

    @Test mutating func `a vehicle that arrives during an outage is never late`() throws {
        scene.answer()
        for _ in 0..<4 { scene.fail(Self.unavailable) }
        #expect(try silence(at: 24) == 25)
        scene.trip.status = .arrivedAtPickup
        scene.answer()
        let all = try claims(at: 26).all
        #expect(try !isOverdue(at: 26) && silence(at: 26) == nil)
        let stop = all.first { if case .atStop = $0.kind { true } else { false } }
        #expect(stop?.arrival?.kind == .pickup && stop?.evidence.map(\.rawValue) == [6])
        // Without news it is not known whether the vehicle is still there.
        #expect(try claims(at: 90).all.first?.kind == .noReport(for: .seconds(66), missed: nil))
    }

    @Test mutating func `an estimate without a report for long is one from long ago`() throws {
        scene.trip.etaToFirstWaypoint = JourneyScene.start + 600
        scene.answer()
        #expect(try claims(at: 29).all.map(\.strength) == [.estimated])
        let all = try claims(at: 40).all
        #expect(all.first?.kind == .noReport(for: .seconds(41), missed: nil))
        #expect(all.map(\.strength) == [.reported, .estimatedLongAgo])
    }

    @Test(arguments: [300.0, 5, 2])
    mutating func `a ride that is complete arrived earlier, later or as promised`(_ promised: Double) throws {
        scene.trip.status = .enrouteToDropoff
        scene.trip.dropoffTime = JourneyScene.start + promised
        scene.answer()
        scene.trip.status = .complete
        scene.trip.dropoffTime = JourneyScene.start + 5
        scene.answer()
        let all = try claims(at: 700).all
        #expect(all.first?.kind == .ended(.trip(.complete)))
        guard case .reached(_, let time, let delay)? = try claims(at: 700).final?.kind else {
            Issue.record("it has not arrived")
            return
        }
        #expect(time == JourneyScene.start + 5 && delay == .seconds(5 - promised))
        #expect(try claims(at: 700).next == nil)
    }

    @Test(arguments: [(100.0, false), (600, true)])
    mutating func `an arrival that an outage hid may have been on time, unless even its end was early`(
        _ promised: Double,
        _ isKnown: Bool
    ) throws {
        scene.trip.status = .enrouteToDropoff
        scene.trip.dropoffTime = JourneyScene.start + promised
        scene.answer()
        for _ in 0..<40 { scene.fail(Self.unavailable) }
        scene.trip.status = .complete
        scene.trip.dropoffTime = nil
        scene.answer()
        guard case .reached(_, _, let delay)? = try claims(at: 300).final?.kind else {
            Issue.record("it has not arrived")
            return
        }
        #expect((delay != nil) == isKnown)
    }

    @Test mutating func `a canceled trip has ended and is not late`() throws {
        scene.answer()
        scene.trip.status = .canceled
        scene.answer()
        #expect(try claims(at: 900).all.map(\.kind) == [.ended(.trip(.canceled))])
    }

    @Test mutating func `a failed poll does not make a vehicle late for a notice`() {
        scene.answer()
        for _ in 0..<20 {
            let kinds = scene.fail(Self.unavailable)
            #expect(!kinds.contains { if case .approach = $0 { true } else { false } })
        }
    }

    @Test func `an answer from a cache is a report of when the service created it`() {
        var state = TripState(id: scene.id)
        let now = scene.now.advanced(by: .seconds(60))
        state.merge(.trip(scene.trip), serverDate: now.wall, cacheAge: .seconds(50), at: now)
        #expect(state.answerTime == JourneyScene.start + 10 && state.overdue == nil)
        let claims = Claims(of: state, answer: nil, at: now)
        guard case .noReport(let silence, _?)? = claims.next?.kind else {
            Issue.record("\(claims.all)")
            return
        }
        #expect(silence == .seconds(50))
    }

    @Test(arguments: [1.0, 300, -300])
    func `a slow answer is a report of when the service created it`(_ date: Double) {
        var state = TripState(id: scene.id)
        let now = scene.now.advanced(by: .seconds(20))
        state.merge(.trip(scene.trip), serverDate: scene.now.wall + date, sent: scene.now, at: now)
        #expect(state.answerTime == JourneyScene.start + date)
    }

    @Test func `a slow answer from before the expected time does not make a vehicle late`() {
        var state = TripState(id: scene.id)
        let now = scene.now.advanced(by: .seconds(20))
        state.merge(.trip(scene.trip), serverDate: scene.now.wall + 10, sent: scene.now, at: now)
        guard case .noReport(let silence, _?)? = Claims(of: state, answer: nil, at: now).next?.kind else {
            Issue.record("\(Claims(of: state, answer: nil, at: now).all)")
            return
        }
        #expect(silence == .seconds(10) && state.overdue == nil)
    }
}
