import FleetEmulator
import Foundation
import Testing
import TripModel
import TripTestSupport

/// What the recipient of a shipment sees, and when.
@Suite("Tracking of shipments", .ends(within: .quickTest))
struct TrackingTests {
    private var scene: DeliveryScene

    init() throws { scene = try DeliveryScene() }

    /// The values that a rule may hide, by their names.
    private static func visible(_ info: TaskTrackingInfo) -> Set<String> {
        var names: Set<String> = []
        if info.vehicleLocation != nil { names.insert("location") }
        if info.route != nil { names.insert("route") }
        if info.remainingStopCount != nil { names.insert("stops") }
        if info.remainingDistance != nil { names.insert("distance") }
        if info.estimatedArrival != nil { names.insert("arrival") }
        if info.estimatedCompletion != nil { names.insert("completion") }
        return names
    }

    private static let all: Set<String> = ["location", "route", "stops", "distance", "arrival", "completion"]

    /// Sets the conditions of a task.
    private mutating func show(_ task: String, _ conditions: String) throws {
        try scene.updateTask(task, #"{"taskTrackingViewConfig":\#(conditions)}"#, mask: "taskTrackingViewConfig")
    }

    @Test mutating func `without a vehicle, place, state, window and attributes are visible`() throws {
        try scene.create(
            "t",
            tracking: "s",
            more:
                #","targetTimeWindow":{"startTime":"2026-03-14T08:00:00Z","endTime":"2026-03-14T09:00:00Z"},"attributes":[{"key":"a","stringValue":"b"}],"taskTrackingViewConfig":{"vehicleLocationVisibility":{"always":true},"remainingStopCountVisibility":{"always":true}}"#
        )
        let info = try scene.tracked("s")
        #expect(info.trackingID.rawValue == "s" && info.provider.rawValue == "p" && info.state == .open)
        #expect(info.plannedLocation?.longitude == 3.72 && info.targetTimeWindow != nil && info.attributes.count == 1)
        #expect(Self.visible(info).isEmpty)
    }

    @Test mutating func `by default everything is visible within 5 stops, and nothing before`() throws {
        try scene.load(7)
        try scene.locate(0)
        for number in 1...7 {
            let info = try scene.tracked("s-\(number)")
            #expect(Self.visible(info) == (number <= 5 ? Self.all : []), "\(number)")
            #expect(info.remainingStopCount == (number <= 5 ? number : nil))
        }
        // Two stops are completed.
        try scene.plan((3...7).map { (["t-\($0)"], $0) }, states: ["ENROUTE"])
        #expect(try scene.tracked("s-7").remainingStopCount == 5)
    }

    @Test mutating func `distance, arrival, completion and route add up over the stops`() throws {
        try scene.load(3)
        try scene.locate(0)
        let leg = Coordinate(latitude: 51, longitude: 3.72).distance(to: Coordinate(latitude: 51.01, longitude: 3.72))
        let info = try scene.tracked("s-3")
        #expect(abs((info.remainingDistance?.meters ?? 0) - 3 * leg.meters) < 0.01)
        // Three drives at 12 m/s, and the tasks of 60 s at the two stops before.
        let drive = 3 * leg.meters / 12
        let arrival = try #require(info.estimatedArrival).timeIntervalSince(DeliveryScene.start)
        #expect(abs(arrival - drive - 120) < 0.01)
        #expect(try #require(info.estimatedCompletion).timeIntervalSince(DeliveryScene.start) - arrival == 60)
        #expect(info.route?.points.map(\.latitude) == [51, 51.01, 51.02, 51.03])
        #expect(abs((info.route?.length.meters ?? 0) - 3 * leg.meters) < 0.01)
    }

    @Test mutating func `two tasks at a stop are completed one after the other`() throws {
        try scene.create("a", tracking: "s-a", at: 1)
        try scene.create("b", tracking: "s-b", at: 1)
        try scene.create("c", tracking: "s-c", at: 1)
        try scene.plan([(["a", "b"], 1), (["c"], 1)])
        try scene.locate(1)
        let (first, second) = (try scene.tracked("s-a"), try scene.tracked("s-c"))
        #expect(first.remainingStopCount == 1 && second.remainingStopCount == 2)
        #expect(first.estimatedArrival == DeliveryScene.start)
        #expect(first.estimatedCompletion == DeliveryScene.time(120))
        #expect(second.estimatedArrival == DeliveryScene.time(120))
    }

    @Test mutating func `at a stop the arrival stays, and later stops wait for the tasks`() throws {
        try scene.load(2)
        try scene.locate(1)
        try scene.plan([(["t-1"], 1), (["t-2"], 2)], states: ["ARRIVED"], at: 10)
        try scene.locate(1, at: 40)
        let here = try scene.tracked("s-1", at: 40)
        #expect(here.remainingDistance?.meters == 0 && here.estimatedArrival == DeliveryScene.time(10))
        #expect(here.estimatedCompletion == DeliveryScene.time(70) && here.route == nil)
        let before = try #require(try scene.tracked("s-2", at: 40).estimatedArrival)
        // The tasks take longer than planned, so that the vehicle has not left yet.
        try scene.locate(1, at: 100)
        let after = try #require(try scene.tracked("s-2", at: 100).estimatedArrival)
        #expect(after.timeIntervalSince(before) == 30)
    }

    private static let conditions: [(condition: String, isVisible: Bool)] = [
        (#"{"always":true}"#, true), (#"{"never":true}"#, false), (#"{"remainingStopCountThreshold":7}"#, true),
        (#"{"remainingStopCountThreshold":6}"#, false),
        // The vehicle arrives after 7 drives of 92.7 s and 6 tasks of 60 s.
        (#"{"durationUntilEstimatedArrivalTimeThreshold":"1010s"}"#, true),
        (#"{"durationUntilEstimatedArrivalTimeThreshold":"1000s"}"#, false),
        (#"{"remainingDrivingDistanceMetersThreshold":7800}"#, true),
        (#"{"remainingDrivingDistanceMetersThreshold":7700}"#, false),
    ]

    @Test(arguments: conditions)
    mutating func `each condition shows each value`(condition: String, isVisible: Bool) throws {
        try scene.load(7)
        try scene.locate(0)
        let fields = [
            "routePolylinePointsVisibility": "route", "estimatedArrivalTimeVisibility": "arrival",
            "estimatedTaskCompletionTimeVisibility": "completion", "remainingDrivingDistanceVisibility": "distance",
            "remainingStopCountVisibility": "stops", "vehicleLocationVisibility": "location",
        ]
        for (field, name) in fields {
            try show("t-7", #"{"\#(field)":\#(condition)}"#)
            // The other values have the default.
            #expect(Self.visible(try scene.tracked("s-7")) == (isVisible ? [name] : []), "\(field)")
        }
    }

    @Test mutating func `Google's example: route within 3 stops, arrival within 5,000 m, never the count`() throws {
        try scene.load(5)
        try scene.locate(0)
        let config =
            #"{"routePolylinePointsVisibility":{"remainingStopCountThreshold":3},"estimatedArrivalTimeVisibility":{"remainingDrivingDistanceMetersThreshold":5000},"remainingStopCountVisibility":{"never":true}}"#
        for task in ["t-3", "t-4", "t-5"] { try show(task, config) }
        #expect(Self.visible(try scene.tracked("s-3")) == Self.all.subtracting(["stops"]))
        #expect(Self.visible(try scene.tracked("s-4")) == Self.all.subtracting(["stops", "route"]))
        #expect(Self.visible(try scene.tracked("s-5")) == Self.all.subtracting(["stops", "route", "arrival"]))
    }

    @Test mutating func `a condition about time follows the clock`() throws {
        try scene.load(1)
        try scene.locate(0)
        try show("t-1", #"{"routePolylinePointsVisibility":{"durationUntilEstimatedArrivalTimeThreshold":"60s"}}"#)
        #expect(try scene.tracked("s-1", at: 0).route == nil)
        #expect(try scene.tracked("s-1", at: 40).route != nil)
    }

    @Test mutating func `an unknown distance shows nothing that depends on it`() throws {
        try scene.load(1)
        let info = try scene.tracked("s-1")
        #expect(Self.visible(info) == ["stops"])
        try show("t-1", #"{"remainingStopCountVisibility":{"remainingDrivingDistanceMetersThreshold":2147483647}}"#)
        #expect(Self.visible(try scene.tracked("s-1")).isEmpty)
    }

    @Test mutating func `a closed task shows its outcome and nothing of the vehicle`() throws {
        try scene.load(2)
        try scene.locate(0)
        try show("t-1", #"{"vehicleLocationVisibility":{"always":true}}"#)
        try scene.updateTask("t-1", #"{"taskOutcome":"SUCCEEDED"}"#, mask: "taskOutcome", at: 5)
        let open = try scene.tracked("s-1")
        #expect(open.state == .open && open.outcome == .succeeded && Self.visible(open) == Self.all)
        try scene.plan([(["t-2"], 2)])
        let closed = try scene.tracked("s-1")
        #expect(closed.state == .closed && closed.outcome == .succeeded)
        #expect(closed.outcomeTime == DeliveryScene.time(5) && closed.plannedLocation != nil)
        #expect(Self.visible(closed).isEmpty)
    }

    @Test mutating func `during a break, position and route are hidden`() throws {
        try scene.create("break", "UNAVAILABLE", at: 1)
        try scene.create("t-2", tracking: "s-2", at: 2)
        try show("t-2", #"{"vehicleLocationVisibility":{"always":true}}"#)
        try scene.plan([(["break"], 1), (["t-2"], 2)])
        try scene.locate(0)
        #expect(Self.visible(try scene.tracked("s-2")) == Self.all)
        for state in ["ENROUTE", "ARRIVED"] {
            try scene.plan([(["break"], 1), (["t-2"], 2)], states: [state])
            #expect(Self.visible(try scene.tracked("s-2")) == Self.all.subtracting(["location", "route"]), "\(state)")
        }
        try scene.plan([(["t-2"], 2)], states: ["ENROUTE"])
        #expect(Self.visible(try scene.tracked("s-2")) == Self.all)
    }

    @Test mutating func `of several tasks with a tracking ID, an open one is shown before closed ones`() throws {
        try scene.create("pickup", "PICKUP", tracking: "s", at: 1)
        try scene.create("delivery", tracking: "s", at: 3)
        // Without a vehicle, the first one.
        #expect(try scene.tracked("s").plannedLocation?.latitude == 51.01)
        try scene.create("other", tracking: "s-2", at: 2)
        // The order of the stops counts, not that of creation.
        try scene.plan([(["delivery"], 3), (["other"], 2), (["pickup"], 1)])
        #expect(try scene.tracked("s").plannedLocation?.latitude == 51.03)
        try scene.plan([(["other"], 2), (["pickup"], 1)])
        #expect(try scene.tracked("s").plannedLocation?.latitude == 51.01)
        #expect(try scene.tracked("s").remainingStopCount == 2)
    }

    @Test mutating func `of closed tasks with a tracking ID, that with the latest outcome is shown`() throws {
        for (number, id) in ["a", "b", "c"].enumerated() { try scene.create(id, tracking: "s", at: number + 1) }
        try scene.updateTask("b", #"{"taskOutcome":"FAILED"}"#, mask: "taskOutcome", at: 20)
        try scene.updateTask("c", #"{"taskOutcome":"FAILED"}"#, mask: "taskOutcome", at: 10)
        for id in ["a", "b", "c"] { try scene.updateTask(id, #"{"state":"CLOSED"}"#, mask: "state", at: 30) }
        #expect(try scene.tracked("s").plannedLocation?.latitude == 51.02)
    }

    @Test mutating func `a rerouted shipment continues under its tracking ID`() throws {
        try scene.load(2)
        try scene.locate(0)
        try scene.plan([(["t-2"], 2)])
        #expect(try scene.tracked("s-1").state == .closed)
        try scene.create("t-1b", tracking: "s-1", at: 4)
        try scene.plan([(["t-2"], 2), (["t-1b"], 4)])
        let info = try scene.tracked("s-1")
        #expect(info.state == .open && info.plannedLocation?.latitude == 51.04 && info.remainingStopCount == 2)
    }

    @Test func `an unknown tracking ID is not found`() throws {
        #expect { try scene.tracked("s") } throws: { status(of: $0) == "NOT_FOUND" }
    }
}
