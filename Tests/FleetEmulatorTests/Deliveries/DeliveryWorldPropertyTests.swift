import Failures
import FleetEmulator
import FleetWire
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

/// Random valid and invalid calls on a few tasks and two delivery vehicles.
///
/// After each call, the tasks in stops are open and assigned to that vehicle, each in one stop; an open task with a vehicle is in
/// its stops; a closed task stays closed; an outcome stays; and a refused call has changed nothing.
@Suite("Deliveries: invariants", .ends(within: .quickTest))
struct DeliveryWorldPropertyTests {
    /// What must not change while a task exists.
    private struct Past {
        var isClosed = false
        var outcome: DeliveryTask.Outcome?
    }

    /// Everything that calls return; `nil` for what does not exist.
    private struct Snapshot: Equatable {
        var tasks: [DeliveryTask?]
        var vehicles: [DeliveryVehicle?]
    }

    private static let tasks = (1...6).map { "t-\($0)" }
    private static let vans = ["van-1", "van-2"]

    @Test(arguments: 0..<20)
    func `every rule holds after each of 200 random calls`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var scene = try DeliveryScene()
        var past: [String: Past] = [:]
        var (seconds, accepted) = (0.0, 0)
        for step in 0..<200 {
            seconds += Double(Int.random(in: 0...90, using: &random))
            let before = Self.snapshot(scene, at: seconds)
            do {
                try Self.change(&scene, &random, at: seconds)
                accepted += 1
            } catch let error as ServiceError {
                #expect([400, 404, 409].contains(error.answer.httpStatus), "seed \(seed) step \(step)")
                #expect(Self.snapshot(scene, at: seconds) == before, "seed \(seed) step \(step): \(error)")
            }
            let place = "seed \(seed) step \(step)"
            for van in Self.vans { try Self.checkVehicle(van, scene, at: seconds, place) }
            for id in Self.tasks {
                guard let task = try? scene.task(id, at: seconds) else {
                    past[id] = nil
                    continue
                }
                try Self.checkTask(task, scene, at: seconds, place)
                let old = past[id] ?? Past()
                #expect(!old.isClosed || task.state == .closed, "\(place) \(id)")
                #expect(old.outcome == nil || old.outcome == task.outcome, "\(place) \(id)")
                past[id] = Past(isClosed: task.state == .closed, outcome: task.outcome)
            }
        }
        #expect(accepted > 40, "seed \(seed)")
    }

    private static func snapshot(_ scene: DeliveryScene, at seconds: Double) -> Snapshot {
        Snapshot(
            tasks: tasks.map { try? scene.task($0, at: seconds) },
            vehicles: vans.map { try? vehicle($0, scene, at: seconds) }
        )
    }

    private static func vehicle(
        _ id: String,
        _ scene: DeliveryScene,
        at seconds: Double
    ) throws -> DeliveryVehicle {
        try scene.vehicle(try DeliveryVehicleID(id), at: seconds)
    }

    // MARK: Invariants

    private static func checkVehicle(
        _ id: String,
        _ scene: DeliveryScene,
        at seconds: Double,
        _ place: String
    ) throws {
        guard let vehicle = try? vehicle(id, scene, at: seconds) else { return }
        let stops = vehicle.segments.compactMap(\.stop)
        #expect(stops.dropFirst().allSatisfy { $0.state == .new }, "\(place) \(id)")
        let ids = stops.flatMap(\.tasks).map(\.id)
        #expect(Set(ids).count == ids.count, "\(place) \(id)")
        for task in ids {
            let task = try scene.task(task.rawValue, at: seconds)
            #expect(task.state == .open && task.vehicleID == vehicle.id && task.journey != nil, "\(place) \(task.id)")
        }
        for segment in vehicle.segments {
            #expect((segment.distance?.meters ?? 0) >= 0 && (segment.duration ?? .zero) >= .zero, "\(place) \(id)")
        }
    }

    private static func checkTask(
        _ task: DeliveryTask,
        _ scene: DeliveryScene,
        at seconds: Double,
        _ place: String
    ) throws {
        // The vehicle of a closed task may be deleted.
        let vehicle = task.vehicleID.flatMap { try? Self.vehicle($0.rawValue, scene, at: seconds) }
        let index = vehicle?.segments.firstIndex { $0.stop?.tasks.contains { $0.id == task.id } == true }
        #expect((task.state == .open && task.vehicleID != nil) == (index != nil), "\(place) \(task.id)")
        #expect(task.journey?.segments.count == index.map { $0 + 1 }, "\(place) \(task.id)")
        #expect((task.outcome == nil) == (task.outcomeTime == nil), "\(place) \(task.id)")
        guard let tracking = task.trackingID else { return }
        let info = try scene.tracked(tracking.rawValue, at: seconds)
        if info.state == .closed {
            #expect(info.vehicleLocation == nil && info.route == nil && info.remainingStopCount == nil, "\(place)")
            #expect(info.estimatedArrival == nil && info.remainingDistance == nil, "\(place)")
        }
        if let arrival = info.estimatedArrival, let completion = info.estimatedCompletion {
            #expect(completion >= arrival, "\(place)")
        }
        #expect(info.state == .open || task.state == .closed, "\(place): an open task is shown before closed ones")
    }

    // MARK: Calls

    private static func change(
        _ scene: inout DeliveryScene,
        _ random: inout SeededGenerator,
        at seconds: Double
    ) throws {
        let (task, van) = (tasks.randomElement(using: &random) ?? "", vans.randomElement(using: &random) ?? "")
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1:
            let kind = ["PICKUP", "DELIVERY", "SCHEDULED_STOP", "UNAVAILABLE"].randomElement(using: &random) ?? ""
            // Two tasks have the same tracking ID; some requests have one that their type forbids.
            let tracking = Int.random(in: 0..<5, using: &random)
            try scene.create(task, kind, tracking: tracking == 4 ? nil : "s-\(tracking)", at: tracking)
        case 2, 3, 4: try plan(&scene, van, &random, at: seconds)
        case 5:
            try scene.update(
                #"{"lastLocation":{"location":{"latitude":\#(Double.random(in: 51...51.1, using: &random)),"longitude":3.72}}}"#,
                mask: "lastLocation",
                of: van,
                at: seconds
            )
        case 6:
            let outcome = ["SUCCEEDED", "FAILED"].randomElement(using: &random) ?? ""
            try scene.updateTask(task, #"{"taskOutcome":"\#(outcome)"}"#, mask: "taskOutcome", at: seconds)
        case 7:
            let state = ["OPEN", "CLOSED"].randomElement(using: &random) ?? ""
            try scene.updateTask(task, #"{"state":"\#(state)"}"#, mask: "state", at: seconds)
        case 8: try scene.world.deleteTask(try TaskID(task))
        case 9:
            if Bool.random(using: &random) {
                try scene.world.deleteVehicle(try DeliveryVehicleID(van))
            } else {
                try scene.createVehicle(van)
            }
        case 10:
            let config = #"{"taskTrackingViewConfig":{"vehicleLocationVisibility":{"always":true}}}"#
            try scene.updateTask(task, config, mask: "taskTrackingViewConfig", at: seconds)
        default:
            let path = S2Polyline.encode((1...3).map { Coordinate(latitude: 51 + Double($0) / 100, longitude: 3.72) })
            try scene.update(
                #"{"currentRouteSegment":"\#(path)","remainingDistanceMeters":900,"remainingDuration":"90s"}"#,
                mask: "currentRouteSegment,remainingDistanceMeters,remainingDuration",
                of: van,
                at: seconds
            )
        }
    }

    private static func plan(
        _ scene: inout DeliveryScene,
        _ van: String,
        _ random: inout SeededGenerator,
        at seconds: Double
    ) throws {
        var rest = tasks.filter { (try? scene.task($0, at: seconds)) != nil }.shuffled(using: &random)
        if Int.random(in: 0..<6, using: &random) == 0 { rest += ["t-1"] }
        var stops: [(tasks: [String], place: Int)] = []
        for number in 0..<Int.random(in: 0...4, using: &random) {
            let count = min(rest.count, Int.random(in: 0...2, using: &random))
            stops.append((Array(rest.prefix(count)), number))
            rest.removeFirst(count)
        }
        let states = stops.map { _ in ["NEW", "NEW", "NEW", "ENROUTE", "ARRIVED"].randomElement(using: &random) ?? "" }
        try scene.plan(stops, states: states, of: van, at: seconds)
    }
}
