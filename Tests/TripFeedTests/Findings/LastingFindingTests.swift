import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Findings over many polls", .ends(within: .quickTest))
struct LastingFindingTests {
    /// Makes the vehicle report the same position again.
    private func stand(_ trip: inout Trip) {
        trip.lastLocation?.coordinate = Coordinate(latitude: 0, longitude: 0)
        trip.remainingDistance = Distance(meters: 11_119)
    }

    @Test func `reports once that an active vehicle has not moved for three minutes`() throws {
        var scene = try FindingScene()
        var found: [(Double, Finding)] = []
        for _ in 0..<60 {
            let time = scene.now.steady.seconds
            found += scene.answer(stand).map { (time, $0) }
        }
        #expect(found.map(\.1.rule) == ["standsStill"])
        #expect(found.first?.0 == 185)
    }

    /// The first stop is the own one or that of another trip, and so far from the vehicle; `nil` if its place is not known.
    @Test(arguments: [
        ("other", 0.0, 11_119.0, false), ("other", 90, 11_119, false), ("other", 110, 11_119, true),
        ("t", 0, 11_119, true), ("other", nil, 80, false), ("other", nil, 120, true),
    ])
    func `a shared vehicle that stands at the stop of another trip serves it`(
        _ trip: String,
        _ away: Double?,
        _ distance: Double,
        _ isFound: Bool
    ) throws {
        var scene = try FindingScene()
        // A degree of longitude at the equator is 111,195 m.
        let place = away.map { Coordinate(latitude: 0, longitude: $0 / 111_195) }
        let stop = Waypoint(coordinate: place, tripID: try TripID(trip), kind: .dropoff)
        var rules: Set<String> = []
        for _ in 0..<60 {
            let found = scene.answer {
                stand(&$0)
                $0.remainingDistance = Distance(meters: distance)
                $0.remainingWaypoints.insert(stop, at: 0)
            }
            rules.formUnion(found.map(\.rule.id))
        }
        #expect(rules.contains("standsStill") == isFound, "\(rules)")
    }

    @Test func `does not report a vehicle that waits at the pickup`() throws {
        var scene = try FindingScene()
        for _ in 0..<60 {
            let found = scene.answer {
                stand(&$0)
                $0.status = .arrivedAtPickup
            }
            #expect(found.isEmpty)
        }
    }

    @Test func `reports an arrival that moves on with the clock as information`() throws {
        var scene = try FindingScene()
        var found: [Finding] = []
        for _ in 0..<20 {
            let passed = scene.now.steady.seconds
            found += scene.answer {
                stand(&$0)
                $0.etaToFirstWaypoint? += passed
            }
        }
        #expect(found.map(\.rule) == ["arrivalSlides"])
        #expect(found.first?.severity == .info)
    }

    @Test func `reports a gap in the positions when it ends`() throws {
        var scene = try FindingScene()
        _ = scene.answer()
        let known = scene.healthy(after: 5).lastLocation
        for _ in 0..<9 {
            let found = scene.answer { $0.lastLocation = known }
            #expect(found.isEmpty)
        }
        #expect(scene.answer().map(\.rule) == ["positionGap"])
    }

    @Test func `does not report a gap in the polls as a gap in the positions`() throws {
        var scene = try FindingScene()
        _ = scene.answer()
        for _ in 0..<12 { _ = scene.fail(.refused) }
        #expect(scene.answer().isEmpty)
    }

    @Test func `reports an answer that is older than the one before`() throws {
        var scene = try FindingScene()
        _ = scene.answer()
        _ = scene.answer()
        let old = scene.healthy(after: 0)
        #expect(scene.answer { $0 = old }.map(\.rule) == ["answerOutdated"])
    }

    @Test func `reports failures without a pause between them`() throws {
        var scene = try FindingScene()
        var found: [Finding] = []
        for _ in 0..<6 { found += scene.fail(.refused, after: .milliseconds(300)) }
        #expect(found.map(\.rule).filter { $0 != "pollsFail" } == ["noBackOff"])
        for _ in 0..<6 { #expect(scene.fail(.refused).isEmpty) }
    }

    @Test func `reports a token for another trip as an error`() throws {
        var scene = try FindingScene()
        let failure = TokenError.unusable(.tokenBoundToAnother, retryAfter: .seconds(1)).failure
        #expect(scene.fail(failure).map(\.rule) == ["tokenForAnother"])
    }

    private func token(_ generation: Int, life: Double, at date: Date) -> TokenStatus {
        var status = TokenStatus(state: .fresh, source: "test")
        status.generation = generation
        status.issuedAt = date
        status.expiresAt = date.addingTimeInterval(life)
        return status
    }

    @Test func `reports a token that lives shorter than two poll intervals`() throws {
        var scene = try FindingScene()
        let token = token(1, life: 9, at: scene.now.wall)
        #expect(scene.answer(token: token).map(\.rule) == ["tokenTooShortLived"])
    }

    @Test func `reports tokens that are fetched long before the previous one expires`() throws {
        var scene = try FindingScene()
        var found: [Finding] = []
        for number in 1...3 { found += scene.answer(token: token(number, life: 3300, at: scene.now.wall)) }
        #expect(found.map(\.rule) == ["tokenRefetched"])
    }

    @Test func `does not report short tokens that are used until they expire`() throws {
        var scene = try FindingScene()
        for number in 0..<40 {
            // A lifetime of 30 s, refreshed when a fifth of it is left.
            let found = scene.answer(token: token(1 + number / 5, life: 30, at: scene.now.wall))
            #expect(found.isEmpty)
        }
    }
}
