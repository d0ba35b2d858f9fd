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

    /// Records an answer after the expected arrival that shows only what a change adds to the position, at the place, and the ETA.
    private mutating func hide(_ change: (inout TaskTrackingInfo) -> Void = { _ in }) {
        let expected = scene.now.wall - 10
        _ = scene.answer {
            ($0.remainingStopCount, $0.remainingDistance, $0.route) = (nil, nil, nil)
            $0.estimatedArrival = expected
            $0.vehicleLocation?.coordinate = $0.plannedLocation
            change(&$0)
        }
    }

    @Test(arguments: [false, true])
    mutating func `without stops and distance, a vehicle near the place may have arrived`(
        isPositionHidden: Bool
    ) throws {
        hide { if isPositionHidden { $0.vehicleLocation = nil } }
        guard case .notShown(let stop, let expected)? = kinds.first else {
            Issue.record("\(kinds)")
            return
        }
        #expect(stop.kind == .dropoff && expected == scene.state.journey?.etaToFirstWaypoint && kinds.count == 1)
        #expect(scene.state.overdue == nil)
        #expect(Claims(of: scene.state, answer: nil, at: scene.now).next?.kind == kinds.first)
    }

    @Test(arguments: ["stops", "distance", "route", "position"])
    mutating func `each value that shows the stop ahead makes the vehicle overdue`(_ shown: String) {
        hide {
            switch shown {
            case "stops": $0.remainingStopCount = 2
            case "distance": $0.remainingDistance = Distance(meters: 350)
            case "route": $0.route = Route([0.09, 0.1].map { Coordinate(latitude: 0, longitude: $0) })
            default: $0.vehicleLocation?.coordinate = Coordinate(latitude: 0, longitude: 0.09)
            }
        }
        guard case .overdue(_, _, let late)? = kinds.first else {
            Issue.record("\(kinds)")
            return
        }
        #expect(late == .seconds(10) && scene.state.overdue == .seconds(10))
    }

    @Test mutating func `a vehicle whose position is too old is not said to have arrived or to be late`() {
        hide { $0.vehicleLocation?.serverTime = $0.estimatedArrival.map { $0 - 5 } }
        guard case .noReport(_, .some)? = kinds.first else {
            Issue.record("\(kinds)")
            return
        }
    }

    @Test mutating func `a cache does not delay the arrival at the stop`() {
        _ = scene.answer(after: .seconds(20))
        let created = scene.now.wall - 15
        arrive(cacheAge: .seconds(15))
        #expect(scene.state.milestones.finalArrival?.time == created)
    }
}
