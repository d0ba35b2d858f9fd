import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Findings about shipments", .ends(within: .quickTest))
struct ShipmentFindingTests {
    private var scene: ShipmentScene

    init() throws { scene = try ShipmentScene() }

    /// Makes an answer one of a closed task, which shows nothing of the vehicle.
    private static func close(_ info: inout TaskTrackingInfo, _ outcome: DeliveryTask.Outcome?) {
        info = TaskTrackingInfo(trackingID: info.trackingID, provider: info.provider, state: .closed)
        info.outcome = outcome
    }

    @Test mutating func `a tour that goes as promised, and one that is not shown, cause no finding`() {
        for stops in [4, 3, 2, 1] { #expect(scene.answer { $0.remainingStopCount = stops } == []) }
        #expect(scene.answer { ($0.outcome, $0.outcomeTime) = (.succeeded, ShipmentScene.start + 25) } == [])
        #expect(scene.answer { Self.close(&$0, .succeeded) } == [])
    }

    @Test mutating func `nothing is missing before the sender shows the vehicle`() {
        func hide(_ info: inout TaskTrackingInfo) {
            info = TaskTrackingInfo(trackingID: info.trackingID, provider: info.provider, state: .open)
        }
        for _ in 0..<3 { #expect(scene.answer(hide) == []) }
    }

    @Test mutating func `a vehicle that is at the stop of the shipment is not overdue`() {
        for _ in 0..<30 {
            let found = scene.answer { info in
                (info.remainingStopCount, info.remainingDistance) = (1, Distance(meters: 0))
                (info.estimatedArrival, info.route) = (ShipmentScene.start, nil)
            }
            #expect(found.isEmpty, "\(found.map(\.rule.id))")
        }
    }

    @Test(arguments: [(3, false), (1, true)])
    mutating func `a van that stands at the stops before that of a shipment serves them`(_ stops: Int, _ isFound: Bool)
    {
        var rules: Set<FindingRule> = []
        for minute in 0..<20 {
            rules.formUnion(
                scene.answer(after: .seconds(60)) { info in
                    info.remainingStopCount = stops
                    info.vehicleLocation?.updateTime = ShipmentScene.start + Double(minute) * 60
                }.map(\.rule)
            )
        }
        #expect(rules.contains("standsStill") == isFound, "\(rules.map(\.id))")
    }

    @Test(arguments: [(1800.0, false), (1860, false), (1861, true)])
    mutating func `an expected arrival after the window is reported once it is late by a minute`(
        _ seconds: Double,
        _ isReported: Bool
    ) {
        let rules = scene.answer { $0.estimatedArrival = ShipmentScene.start + seconds }.map(\.rule)
        #expect(rules == (isReported ? ["arrivalAfterWindow"] : []))
    }

    @Test mutating func `a window that has passed replaces the forecast that it will`() {
        func rules(after delay: Duration = .seconds(5)) -> Set<FindingRule> {
            Set(scene.answer(after: delay) { $0.estimatedArrival = ShipmentScene.start + 2000 }.map(\.rule))
        }
        #expect(rules(after: .seconds(1870)) == ["arrivalAfterWindow"])
        #expect(rules().intersection(["arrivalAfterWindow", "windowPassed"]) == ["windowPassed"])
        // It lasts, and is reported again only if it gets worse.
        #expect(rules() == [])
    }

    @Test(arguments: [(600.0, false), (601, true)])
    mutating func `a task that is open long after its outcome is reported`(_ age: Double, _ isReported: Bool) {
        let rules = scene.answer { info in
            (info.outcome, info.outcomeTime) = (.succeeded, ShipmentScene.start - age)
            (info.estimatedArrival, info.estimatedCompletion) = (nil, nil)
        }.map(\.rule)
        #expect(rules == (isReported ? ["outcomeNotClosed"] : []))
    }

    @Test mutating func `more stops before that of the shipment are a change of the tour`() {
        _ = scene.answer { $0.remainingStopCount = 2 }
        let found = scene.answer { $0.remainingStopCount = 6 }
        #expect(found.map(\.rule) == ["stopsGrew"])
        #expect(found.first?.evidence.map(\.value) == [.count(2), .count(6)])
    }

    @Test mutating func `a time window that is moved is reported once, and is a change of the trip`() {
        #expect(scene.answer() == [])
        let later: (inout TaskTrackingInfo) -> Void = {
            $0.targetTimeWindow = TimeWindow(start: ShipmentScene.start + 10_800, end: ShipmentScene.start + 12_600)
        }
        let found = scene.answer(later)
        #expect(found.map(\.rule) == ["windowMoved"])
        #expect(found.first?.severity == .warning)
        let times = [0, 1800, 10_800, 12_600].map { Evidence.Value.time(ShipmentScene.start + $0) }
        #expect(found.first?.evidence.map(\.value) == times + [.seconds(10_800)])
        #expect(scene.changed == [.targetTimeWindow])
        #expect(scene.answer(later) == [])
        // An answer without a window withdraws nothing that was reported.
        #expect(scene.answer { $0.targetTimeWindow = nil } == [])
    }

    @Test mutating func `a value that disappears while the shipment is open is reported, not one at its end`() {
        _ = scene.answer()
        let found = scene.answer { ($0.vehicleLocation, $0.route) = (nil, nil) }
        #expect(found.map(\.rule) == ["valueHidden"])
        #expect(found.first?.evidence.map(\.value) == [.text("vehicleLocation,route")])
        _ = scene.answer()
        #expect(scene.answer { Self.close(&$0, .succeeded) } == [])
    }

    @Test mutating func `no rule for pickups, vehicles, waypoints and steps of a trip applies to a shipment`() {
        let ofTrips: Set<FindingRule> = [
            "statusSkipped", "vehicleMissing", "waypointsMissing", "otherTripFirst", "stopsSkipped", "planShrank",
            "vehicleAlternates", "trackingMissing", "pickupTimeMoves", "dropoffBeforePickup", "farFromPlan",
            "pickupMoved",
            "tripTypeChanged", "unknownValue",
        ]
        var random = SeededGenerator(seed: 7)
        for _ in 0..<400 {
            let found = scene.answer { info in
                if Bool.random(using: &random) { info.vehicleLocation = nil }
                if Bool.random(using: &random) { info.route = nil }
                if Bool.random(using: &random) { info.remainingStopCount = Int.random(in: 1...9, using: &random) }
                if Bool.random(using: &random) { info.remainingDistance = nil }
                if Bool.random(using: &random) { (info.estimatedArrival, info.estimatedCompletion) = (nil, nil) }
                if Int.random(in: 0..<20, using: &random) == 0 { Self.close(&info, .failed) }
            }
            #expect(ofTrips.isDisjoint(with: found.map(\.rule)), "\(found.map(\.rule.id))")
        }
    }
}
