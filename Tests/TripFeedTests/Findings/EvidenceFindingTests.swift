import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// Findings about refusals, rejected tokens, missing data and a sliding arrival.
@Suite("Evidence findings", .ends(within: .quickTest))
struct EvidenceFindingTests {
    /// The findings about a driver whose predicted arrival follows this function, with one answer every 5 s.
    private func slides(_ seconds: Int, _ arrival: (_ second: Double) -> Double) throws -> [Finding] {
        var scene = try FindingScene()
        let start = scene.start.wall
        var found: [Finding] = []
        for _ in 0..<(seconds / 5) {
            let now = scene.now.steady.seconds
            found += scene.answer { trip in
                trip.etaToFirstWaypoint = start.addingTimeInterval(arrival(now))
                trip.dropoffTime = trip.etaToFirstWaypoint
            }
        }
        return found.filter { $0.rule == "arrivalSlides" }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `reports an arrival that moves on with the clock, despite noise`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let found = try slides(150) { 600 + $0 + Double.random(in: -4...4, using: &random) }
        #expect(found.count == 1)
        let span = try #require(found.first?.evidence.first { $0.name == "for" })
        guard case .seconds(let time) = span.value else { return }
        #expect((40...90).contains(time))
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `does not report an arrival that fluctuates`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        #expect(try slides(300) { _ in 600 + Double.random(in: -6...6, using: &random) }.isEmpty)
    }

    @Test func `does not report a single jump or a slow drift as a slide`() throws {
        #expect(try slides(200) { $0 < 60 ? 600 : 680 }.isEmpty)
        #expect(try slides(300) { 600 + $0 * 0.3 }.isEmpty)
    }

    @Test func `a refusal is an error, and so is the missing token that it causes`() throws {
        let refusal = Failure.service(
            ServiceAnswer(httpStatus: 403, status: "PERMISSION_DENIED", message: "no"),
            retryAfter: nil
        )
        for failure in [
            refusal,
            TokenError.rejectedByService(status: 403, retryAfter: .seconds(10)).failure.with(History(refusal: refusal)),
        ] {
            var scene = try FindingScene()
            let found = scene.fail(failure)
            #expect(found.map(\.rule) == ["serviceRefuses"] && found.first?.severity == .error)
            #expect(found.first?.evidence.contains(Evidence("message", .text("no"))) == true)
            #expect(scene.fail(failure).isEmpty)
            _ = scene.answer()
            #expect(scene.fail(failure).map(\.rule) == ["serviceRefuses"])
        }
    }

    @Test func `an unusable token is an error, even while an older one is still served`() throws {
        var scene = try FindingScene()
        #expect(
            scene.fail(TokenError.unusable(.tokenWrongAudience, retryAfter: .seconds(1)).failure).map(\.rule) == [
                "tokenUnusable"
            ]
        )
        var other = try FindingScene()
        var status = TokenStatus(state: .stale, source: "test")
        status.lastError = .unusable(.tokenBoundToAnother, retryAfter: .seconds(1))
        #expect(other.answer(token: status).map(\.rule) == ["tokenForAnother"])
        #expect(other.answer(token: status).isEmpty)
        status.lastError = .unusable(.tokenIDForm(.resourceName, claim: "tripid"), retryAfter: .seconds(1))
        let form = other.answer(token: status)
        #expect(form.map(\.rule) == ["tokenIDForm"])
        #expect(form.first?.evidence == [Evidence("form", .text("resourceName"))])
        status.lastError = nil
        #expect(other.answer(token: status).isEmpty)
    }

    @Test func `reports an answer without a status as missing, not as an unknown value`() throws {
        var scene = try FindingScene()
        _ = scene.answer()
        let found = scene.answer { $0.status = TripStatus(name: "UNKNOWN_TRIP_STATUS") }
        #expect(found.map(\.rule) == ["statusMissing"])
        #expect(scene.answer { $0.status = TripStatus(name: "PAUSED") }.map(\.rule) == ["unknownValue"])
    }

    private static let losses: [(name: String, lose: @Sendable (inout Trip) -> Void)] = [
        ("position", { $0.lastLocation = nil }),
        ("route", { ($0.route, $0.routeVersion) = (nil, Version("2")) }),
        (
            "arrival",
            { trip in
                trip.etaToFirstWaypoint = nil
                for index in trip.remainingWaypoints.indices { trip.remainingWaypoints[index].eta = nil }
            }
        ),
    ]

    @Test(arguments: 0..<3)
    func `reports once what an active trip lacks for over 30 s`(index: Int) throws {
        var scene = try FindingScene()
        var found: [Finding] = []
        for _ in 0..<7 { found += scene.answer(Self.losses[index].lose) }
        #expect(!found.contains { $0.rule == "trackingMissing" })
        for _ in 0..<5 { found += scene.answer(Self.losses[index].lose) }
        let reported = found.filter { $0.rule == "trackingMissing" }
        #expect(reported.count == 1)
        #expect(reported.first?.evidence.contains(Evidence("missing", .text(Self.losses[index].name))) == true)
    }

    @Test func `does not report a value that returns within 30 s`() throws {
        var scene = try FindingScene()
        var found: [Finding] = []
        for number in 0..<30 { found += scene.answer { if number % 5 != 0 { $0.lastLocation = nil } } }
        #expect(!found.contains { $0.rule == "trackingMissing" })
    }

    @Test func `does not report a field that the source never has`() throws {
        let base = try FindingScene()
        var state = TripState(id: .trip(base.base.id))
        var detector = FindingDetector(
            journey: .trip(base.base.id),
            provider: base.base.provider,
            absent: [.remainingWaypoints, .route]
        )
        for second in stride(from: 0.0, to: 100, by: 5) {
            var trip = base.healthy(after: second)
            (trip.remainingWaypoints, trip.route, trip.routeVersion) = ([], nil, nil)
            let now = base.start.advanced(by: .seconds(second))
            var report = PollReport(journey: .trip(trip.id), started: now)
            report.outcome = .success(.trip(trip))
            state.merge(.trip(trip), serverDate: nil, at: now)
            #expect(detector.examine(report, state: state, interval: .seconds(5)).isEmpty)
        }
    }
}
