import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// What is said about a shipment whose vehicle is at its stop.
@Suite("Claims about shipments", .ends(within: .quickTest))
struct ShipmentClaimsTests {
    private var scene: ShipmentScene

    init() throws {
        scene = try ShipmentScene()
        _ = scene.answer()
    }

    private var kinds: [Claim.Kind] { Claims(of: scene.state, answer: nil, at: scene.now).all.map(\.kind) }

    /// Records an answer that shows the vehicle at the stop since 10 s before.
    private mutating func arrive(cacheAge: Duration = .zero, _ change: (inout TaskTrackingInfo) -> Void = { _ in }) {
        let arrival = scene.now.wall - 10
        _ = scene.answer(cacheAge: cacheAge) {
            $0.remainingStopCount = 1
            $0.remainingDistance = Distance(meters: 0)
            $0.estimatedArrival = arrival
            change(&$0)
        }
    }

    @Test mutating func `after a failed attempt no arrival is open, although the service still shows it`() {
        arrive { ($0.outcome, $0.outcomeTime) = (.failed, $0.estimatedArrival) }
        #expect(scene.state.journey?.status == .shipment(.failed) && kinds.isEmpty, "\(kinds)")
        #expect(scene.state.overdue == nil)
    }

    @Test mutating func `a vehicle whose arrival is hidden is at the stop since the answer that showed it`() throws {
        let seen = scene.now.wall
        arrive { $0.estimatedArrival = nil }
        guard case .atStop(let stop, let since)? = kinds.first else {
            Issue.record("\(kinds)")
            return
        }
        #expect(since == seen && stop.kind == .dropoff && !stop.isHereLonger)
    }

    @Test mutating func `a cache does not delay the arrival at the stop`() {
        _ = scene.answer(after: .seconds(20))
        let created = scene.now.wall - 15
        arrive(cacheAge: .seconds(15))
        #expect(scene.state.milestones.finalArrival?.time == created)
    }
}
