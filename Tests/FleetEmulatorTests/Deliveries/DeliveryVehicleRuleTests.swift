import FleetEmulator
import FleetWire
import Foundation
import Testing
import TripModel
import TripTestSupport

/// The rules of delivery vehicles and their stops.
@Suite("Rules of delivery vehicles", .ends(within: .quickTest))
struct DeliveryVehicleRuleTests {
    private var scene: DeliveryScene

    init() throws { scene = try DeliveryScene() }

    @Test(arguments: [
        #"{"navigationStatus":"OFF_ROUTE"}"#, #"{"remainingVehicleJourneySegments":[]}"#,
        #"{"currentRouteSegment":"AhY="}"#, #"{"remainingDistanceMeters":5}"#, #"{"pastLocations":[{}]}"#,
        #"{"lastLocation":{}}"#, #"{"lastLocation":{"location":{},"locationSensor":"FLEET_ENGINE_LOCATION"}}"#,
    ])
    mutating func `CreateDeliveryVehicle refuses what can't be set at first`(json: String) throws {
        if json.contains("Segments") {
            // A list without elements is the same as none.
            try scene.createVehicle("v", json)
            return
        }
        #expect { try scene.createVehicle("v", json) } throws: { status(of: $0) == "INVALID_ARGUMENT" }
        let id = try DeliveryVehicleID("v")
        #expect(throws: ServiceError.self) { try scene.vehicle(id) }
    }

    @Test mutating func `CreateDeliveryVehicle accepts type, position and attributes`() throws {
        let json =
            #"{"name":"x","type":"BICYCLE","lastLocation":{"location":{"latitude":51}},"attributes":[{"key":"a","value":"b"}]}"#
        try scene.createVehicle("v", json)
        let vehicle = try scene.vehicle(try DeliveryVehicleID("v"))
        #expect(vehicle.type == "BICYCLE" && vehicle.lastLocation?.serverTime == DeliveryScene.start)
        #expect(vehicle.attributes == [Attribute(key: "a", value: .text("b"))] && vehicle.segments.isEmpty)
        #expect { try scene.createVehicle("v") } throws: { status(of: $0) == "ALREADY_EXISTS" }
    }

    @Test(arguments: ["", "name", "nonsense", "lastLocation,name"])
    mutating func `UpdateDeliveryVehicle refuses an empty mask and unknown fields`(mask: String) throws {
        #expect { try scene.update(#"{"lastLocation":{"location":{}}}"#, mask: mask) } throws: {
            status(of: $0) == "INVALID_ARGUMENT"
        }
        #expect(try scene.vehicle(scene.van).lastLocation == nil)
    }

    @Test mutating func `a position needs a coordinate`() throws {
        #expect(throws: ServiceError.self) { try scene.update(#"{"lastLocation":{}}"#, mask: "lastLocation") }
        let vehicle = try scene.update(
            #"{"lastLocation":{"rawLocation":{"latitude":51.5,"longitude":3}}}"#,
            mask: "lastLocation"
        )
        #expect(vehicle.lastLocation?.rawCoordinate == Coordinate(latitude: 51.5, longitude: 3))
    }

    @Test mutating func `positions that were sent late are not in answers, and the newest becomes the last`() throws {
        let vehicle = try scene.update(
            #"{"pastLocations":[{"location":{"latitude":1},"updateTime":"2026-03-14T08:14:00Z"},{"location":{"latitude":2},"updateTime":"2026-03-14T08:14:30Z"}]}"#,
            mask: "pastLocations"
        )
        #expect(vehicle.lastLocation?.coordinate?.latitude == 2 && vehicle.pastLocations.isEmpty)
    }

    @Test mutating func `naming a task in a stop assigns it, with what the service knows of it`() throws {
        try scene.create(
            "t-1",
            tracking: "s-1",
            more: #","targetTimeWindow":{"startTime":"2026-03-14T08:00:00Z","endTime":"2026-03-14T09:00:00Z"}"#
        )
        let vehicle = try scene.plan([(["t-1"], 1)])
        let info = try #require(vehicle.segments.first?.stop?.tasks.first)
        #expect(info.duration == .seconds(60) && info.targetTimeWindow != nil)
        let task = try scene.task("t-1")
        #expect(task.vehicleID == scene.van && task.state == .open)
        // The answer about a task does not show the stops.
        #expect(task.journey?.segments.count == 1 && task.journey?.segments.first?.stop == nil)
    }

    @Test mutating func `leaving out a stop closes its tasks, also without an outcome`() throws {
        try scene.load(3)
        try scene.plan([(["t-1"], 1), (["t-3"], 3)])
        #expect(try scene.task("t-2").state == .closed)
        #expect(try scene.task("t-2").outcome == nil && scene.task("t-2").journey == nil)
        #expect(try scene.task("t-2").vehicleID == scene.van)
        #expect(try scene.task("t-1").state == .open && scene.task("t-3").state == .open)
        try scene.plan([])
        #expect(try scene.task("t-1").state == .closed && scene.task("t-3").state == .closed)
    }

    @Test(arguments: ["ENROUTE", "ARRIVED"])
    mutating func `stops before the one that the vehicle drives to or is at are completed`(state: String) throws {
        try scene.load(3)
        let vehicle = try scene.plan(
            [(["t-1"], 1), (["t-2"], 2), (["t-3"], 3)],
            states: ["ARRIVED", state, "NEW"]
        )
        #expect(vehicle.segments.count == 2)
        #expect(try scene.task("t-1").state == .closed && scene.task("t-2").state == .open)
        // A driver's app may send the completed stop again.
        try scene.plan([(["t-1"], 1), (["t-2"], 2), (["t-3"], 3)], states: ["ARRIVED", state, "NEW"])
        #expect(try scene.task("t-1").state == .closed)
    }

    @Test mutating func `a task that moves to another stop stays open`() throws {
        try scene.load(2)
        try scene.plan([(["t-2", "t-1"], 2)])
        #expect(try scene.task("t-1").state == .open && scene.task("t-2").state == .open)
        #expect(try scene.tracked("s-1").remainingStopCount == 1)
    }

    private static let refused: [(tasks: [[String]], status: String)] = [
        ([["unknown"]], "NOT_FOUND"), ([["t-1"], ["t-1"]], "INVALID_ARGUMENT"), ([["t-1", "t-1"]], "INVALID_ARGUMENT"),
        ([["closed"]], "FAILED_PRECONDITION"), ([["foreign"]], "FAILED_PRECONDITION"),
    ]

    @Test(arguments: refused)
    mutating func `stops with tasks that can't be assigned change nothing`(tasks: [[String]], status: String) throws {
        try scene.load(2)
        try scene.create("closed", tracking: "s-8")
        try scene.updateTask("closed", #"{"state":"CLOSED"}"#, mask: "state")
        try scene.create("foreign", tracking: "s-9")
        try scene.createVehicle("van-2")
        try scene.plan([(["foreign"], 9)], of: "van-2")
        let before = try scene.vehicle(scene.van)
        #expect {
            try scene.plan(tasks.map { ($0, 1) })
        } throws: {
            FleetEmulatorTests.status(of: $0) == status
        }
        #expect(try scene.vehicle(scene.van) == before)
        #expect(try scene.task("t-2").state == .open)
    }

    @Test mutating func `a vehicle with open tasks can't be deleted`() throws {
        try scene.load(1)
        let van = scene.van
        #expect { try scene.world.deleteVehicle(van) } throws: { status(of: $0) == "FAILED_PRECONDITION" }
        try scene.plan([])
        try scene.world.deleteVehicle(van)
        #expect { try scene.world.deleteVehicle(van) } throws: { status(of: $0) == "NOT_FOUND" }
    }

    @Test mutating func `ListDeliveryVehicles filters by attributes and place, and shows no stops`() throws {
        try scene.load(1)
        try scene.locate(1)
        try scene.createVehicle(
            "van-2",
            #"{"lastLocation":{"location":{"latitude":52}},"attributes":[{"key":"color","stringValue":"red"}]}"#
        )
        var list = DeliveryVehicleList()
        let all = try scene.world.listVehicles(list)
        let vehicles = try all.items.map(DeliveryVehicleCoding.vehicle)
        #expect(vehicles.map(\.id.rawValue) == ["van-1", "van-2"] && all.total == 2)
        #expect(vehicles.allSatisfy { $0.segments.isEmpty })
        list.filter = try AttributeFilter(#"attributes.color = "red""#)
        let red = try scene.world.listVehicles(list).items.map(DeliveryVehicleCoding.vehicle)
        #expect(red.map(\.id.rawValue) == ["van-2"])
        list.page = try PageRequest(size: 1, token: nil)
        #expect(try scene.world.listVehicles(list).next == nil)
        list.filter = nil
        let page = try scene.world.listVehicles(list)
        #expect(page.items.count == 1 && page.next != nil)
        list.filter = try AttributeFilter(#"attributes.color = "red""#)
        list.page.token = page.next
        #expect(throws: ServiceError.self) { try scene.world.listVehicles(list) }
    }
}
