import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

/// The lines of plain output, and what is not repeated.
@Suite("Plain lines", .ends(within: .quickTest))
struct PlainLinesTests {
    private static let now = Ride.moment(0)
    private let journey: JourneyID
    private var plain = ReportedLines(PlainLines(host: "engine.example", zone: .utc, namesTrips: false))

    init() throws { journey = .trip(try TripID("t")) }

    private mutating func found(_ rule: FindingRule, _ evidence: Evidence..., journey: JourneyID? = nil) -> [String] {
        let trip = journey ?? self.journey
        let finding = Finding(time: Self.now.wall, journey: trip, rule: rule, severity: .warning, evidence: evidence)
        return plain.lines(for: .found(trip, [finding]), now: Self.now)
    }

    private mutating func token(_ kind: TokenEvent.Kind, warnings: [Failure] = []) -> [String] {
        var status = TokenStatus(source: "endpoint")
        status.warnings = warnings
        return plain.lines(for: TokenEvent(context: .journey(journey), at: Self.now, kind: kind, status: status))
    }

    @Test(arguments: [
        ("A rider has requested a taxi.", "A rider has requested a taxi."), ("Was it late?", "Was it late?"),
        ("the bridge", "the bridge."),
    ])
    func `a remark has one full stop at its end`(text: String, end: String) {
        let remark = SessionRemark(.caption(text, while: ""), at: Self.now.wall)
        let plain = PlainLines(host: "engine.example", zone: .utc, namesTrips: false)
        #expect(plain.line(for: remark) { name, _ in name }.hasSuffix(end))
    }

    @Test mutating func `prints a finding with its title`() {
        let lines = found("offRoute", Evidence("distance", .meters(96)))
        #expect(lines == ["17:00:00  Off route: The vehicle is 96 m away from its route."])
    }

    @Test mutating func `prints the sentence for a shipment or for a place`() throws {
        let shipment = JourneyID.shipment(try TrackingID("s"))
        let moved = found("dropoffMoved", Evidence("distance", .meters(96)), journey: shipment)
        #expect(moved == ["17:00:00  Place moved: The planned place was moved by 96 m."])
        let far = found("farFromPlan", Evidence("place", .text("dropoff")), Evidence("distance", .meters(96)))
        #expect(far == ["17:00:00  Far from the plan: The drop-off was 96 m away from the requested place."])
    }

    @Test(
        arguments: [
            (1230, 1240, 90, ": A new route, arrival 1 min 30 s later."),
            (1230, 3753, -62, ": A new route: 3.8 km left instead of 1.2 km, arrival 1 min 2 s earlier."),
            (1230, 3753, 0, ": A new route: 3.8 km left instead of 1.2 km."),
        ] as [(Double, Double, Double, String)]
    )
    mutating func `prints the differing figures of a new route`(
        from: Double,
        to: Double,
        shift: Double,
        end: String
    ) {
        let lines = found(
            "rerouted",
            Evidence("from", .meters(from)),
            Evidence("to", .meters(to)),
            Evidence("shift", .seconds(shift))
        )
        #expect(lines == ["17:00:00  Longer route\(end)"])
    }

    @Test mutating func `prints a clock difference once, whichever part detects it`() throws {
        #expect(token(.clockDisagreement(.seconds(300))).count == 1)
        #expect(token(.stored(generation: 1), warnings: [.clockDiffers(.seconds(300))]).count == 1)
        #expect(found("clocksDiffer", Evidence("offset", .seconds(299))) == [])
        #expect(found("clocksDiffer", Evidence("offset", .seconds(299)), journey: try .trip(TripID("u"))) == [])
        #expect(found("clocksDiffer", Evidence("offset", .seconds(20))) == [], "the verdict follows with the answer")
        #expect(found("clocksDiffer", Evidence("offset", .seconds(4))).count == 1, "a limit may be lower")
        let end = token(.clockDisagreement(.milliseconds(300)))
        #expect(end == ["17:00:00  The service's clock agrees with this machine's again."])
    }

    /// Forecasts half an hour ahead fluctuate by some seconds.
    ///
    /// A minute matters shortly before the arrival.
    @Test(arguments: [(1800, 60, 0), (1800, 120, 1), (300, 40, 0), (300, 60, 1)] as [(Double, Double, Int)])
    mutating func `prints a shift of the arrival where it matters`(left: Double, shift: Double, count: Int) throws {
        var reported = 0
        var state = TripState(id: journey)
        for (number, arrival) in [left, left + shift].enumerated() {
            var answer = try Ride().trip(at: 80)
            answer.dropoffTime = Self.now.wall.addingTimeInterval(arrival)
            answer.etaToFirstWaypoint = answer.dropoffTime
            state.merge(.trip(answer), serverDate: nil, at: Self.now)
            var report = PollReport(journey: journey, started: Self.now)
            report.outcome = .success(.trip(answer))
            let schedule = PollSchedule(interval: .seconds(5), next: nil)
            let lines = plain.lines(for: .polled(report, state, schedule), now: Self.now)
            if number == 1 { reported = lines.filter { $0.contains("than predicted before") }.count }
        }
        #expect(reported == count)
    }

    @Test(arguments: [(60, true), (-60, false)] as [(Double, Bool)])
    mutating func `a status has the expected arrival only before its time`(left: Double, isExpected: Bool) throws {
        var answer = try Ride().trip(at: 20)
        answer.pickupTime = Self.now.wall + left
        answer.etaToFirstWaypoint = answer.pickupTime
        answer.lastLocation?.serverTime = Self.now.wall
        var state = TripState(id: journey)
        state.merge(.trip(answer), serverDate: nil, at: Self.now)
        var report = PollReport(journey: journey, started: Self.now)
        report.outcome = .success(.trip(answer))
        let schedule = PollSchedule(interval: .seconds(5), next: nil)
        let lines = plain.lines(for: .polled(report, state, schedule), now: Self.now)
        #expect(try #require(lines.first).contains("expected at") == isExpected, "\(lines)")
    }

    @Test(arguments: [429, 503])
    mutating func `advice mentions no keys or screen`(status: Int) throws {
        var report = PollReport(journey: journey, started: Self.now)
        report.outcome = .failure(.service(.init(httpStatus: status), retryAfter: nil))
        let state = TripState(id: journey)
        let schedule = PollSchedule(interval: .seconds(5), next: nil)
        let lines = plain.lines(for: .polled(report, state, schedule), now: Self.now)
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { !$0.contains("screen") && !$0.contains("key ") })
    }

    /// Polls, failures and tokens come in a random order.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    mutating func `prints each stored token once, with its number`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var stored = 0
        for _ in 0..<60 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: _ = token(.fetching(FetchReason.allCases.randomElement(using: &random) ?? .needed))
            case 1: _ = token(.failed(.denied(status: 403, retryAfter: .seconds(5))))
            case 2: _ = token(.rejected(status: 401))
            case 3:
                var report = PollReport(journey: journey, started: Self.now)
                report.outcome = .failure(.service(ServiceAnswer(httpStatus: 503), retryAfter: nil))
                let schedule = PollSchedule(interval: .seconds(5), next: nil)
                _ = plain.lines(for: .polled(report, TripState(id: journey), schedule), now: Self.now)
            default:
                stored += 1
                let line = token(.stored(generation: stored)).joined()
                #expect(line.contains(stored == 1 ? "Token received" : "Token refreshed (number \(stored))"))
            }
        }
        #expect(stored > 1)
    }

    @Test mutating func `counts the tokens that a slow reader missed`() {
        let line = token(.omitted(EventOmission(successes: 3, failures: ["denied": 2]))).joined()
        #expect(line.contains("5 earlier outcomes are not listed: stored ×3, denied ×2"))
    }
}
