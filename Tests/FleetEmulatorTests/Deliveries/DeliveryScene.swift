import Failures
import FleetEmulator
import FleetWire
import Foundation
import TripModel

/// Tasks and a delivery vehicle in a world without streets: 0.01 degrees of latitude are 1,112 m or 92.7 s.
struct DeliveryScene {
    static let start = Date(timeIntervalSince1970: 1_773_476_100)

    let van: DeliveryVehicleID
    var world: DeliveryWorld

    init() throws {
        van = try DeliveryVehicleID("van-1")
        world = World(provider: try ProviderID("p")).deliveries
        try createVehicle("van-1")
    }

    static func time(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    static func place(_ number: Int) -> String {
        #"{"point":{"latitude":\#(51 + Double(number) / 100),"longitude":3.72}}"#
    }

    mutating func createVehicle(_ id: String, _ json: String = "{}") throws {
        _ = try world.createVehicle(try DeliveryVehicleID(id), try DeliveryVehicleMessage(json: json), at: Self.start)
    }

    /// Creates a task of 60 s at a place.
    @discardableResult
    mutating func create(
        _ id: String,
        _ kind: String = "DELIVERY",
        tracking: String? = nil,
        at place: Int = 1,
        more: String = ""
    ) throws -> DeliveryTask {
        let tracking = tracking.map { #""trackingId":"\#($0)","# } ?? ""
        let json =
            #"{"type":"\#(kind)","state":"OPEN",\#(tracking)"plannedLocation":\#(Self.place(place)),"taskDuration":"60s"\#(more)}"#
        return try DeliveryTaskCoding.task(
            world.createTask(try TaskID(id), try TaskMessage(json: json), at: Self.start)
        )
    }

    /// Creates the deliveries `t-1`, `t-2`, … with the tracking IDs `s-1`, `s-2`, … and assigns all of them.
    mutating func load(_ count: Int, states: [String] = []) throws {
        for number in 1...count { try create("t-\(number)", tracking: "s-\(number)", at: number) }
        try plan((1...count).map { (["t-\($0)"], $0) }, states: states)
    }

    /// Replaces the stops; states that are not given are NEW.
    @discardableResult
    mutating func plan(
        _ stops: [(tasks: [String], place: Int)],
        states: [String] = [],
        of vehicle: String = "van-1",
        at seconds: Double = 0
    ) throws -> DeliveryVehicle {
        let segments = stops.enumerated().map { index, stop in
            let tasks = stop.tasks.map { #"{"taskId":"\#($0)"}"# }.joined(separator: ",")
            let state = states.indices.contains(index) ? states[index] : "NEW"
            return #"{"stop":{"plannedLocation":\#(Self.place(stop.place)),"state":"\#(state)","tasks":[\#(tasks)]}}"#
        }
        return try update(
            #"{"remainingVehicleJourneySegments":[\#(segments.joined(separator: ","))]}"#,
            mask: "remainingVehicleJourneySegments",
            of: vehicle,
            at: seconds
        )
    }

    /// Reports a position at a place.
    mutating func locate(_ place: Double, at seconds: Double = 0) throws {
        try update(
            #"{"lastLocation":{"location":{"latitude":\#(51 + place / 100),"longitude":3.72}}}"#,
            mask: "lastLocation",
            at: seconds
        )
    }

    @discardableResult
    mutating func update(
        _ json: String,
        mask: String,
        of vehicle: String = "van-1",
        at seconds: Double = 0
    ) throws -> DeliveryVehicle {
        let (id, body) = (try DeliveryVehicleID(vehicle), try DeliveryVehicleMessage(json: json))
        return try DeliveryVehicleCoding.vehicle(
            world.updateVehicle(id, mask: FieldMask(text: mask), body, at: Self.time(seconds))
        )
    }

    @discardableResult
    mutating func updateTask(_ id: String, _ json: String, mask: String, at seconds: Double = 0) throws -> DeliveryTask
    {
        let (id, body) = (try TaskID(id), try TaskMessage(json: json))
        return try DeliveryTaskCoding.task(
            world.updateTask(id, mask: FieldMask(text: mask), body, at: Self.time(seconds))
        )
    }

    func task(_ id: String, at seconds: Double = 0) throws -> DeliveryTask {
        try DeliveryTaskCoding.task(world.task(try TaskID(id), at: Self.time(seconds)))
    }

    func vehicle(_ id: DeliveryVehicleID, at seconds: Double = 0) throws -> DeliveryVehicle {
        try DeliveryVehicleCoding.vehicle(world.vehicle(id, at: Self.time(seconds)))
    }

    func tracked(_ id: String, at seconds: Double = 0) throws -> TaskTrackingInfo {
        try world.trackingInfo(try TrackingID(id), at: Self.time(seconds))
    }
}

extension TaskMessage {
    init(json: String) throws { try self.init(body: [UInt8](json.utf8)) }
}

extension DeliveryVehicleMessage {
    init(json: String) throws { try self.init(body: [UInt8](json.utf8)) }
}

/// Returns the status of an error of the service.
func status(of error: any Error) -> String? { (error as? ServiceError)?.answer.status }
