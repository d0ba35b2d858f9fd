import FleetEmulator
import FleetWire
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

/// The rules of CreateTask, UpdateTask, DeleteTask and BatchCreateTasks.
@Suite("Rules of tasks", .ends(within: .quickTest))
struct TaskRuleTests {
    private var scene: DeliveryScene

    init() throws { scene = try DeliveryScene() }

    private static let place = #""plannedLocation":{"point":{"latitude":51,"longitude":3}}"#
    private static let refused = [
        #"{"state":"OPEN","trackingId":"s",\#(place),"taskDuration":"1s"}"#,
        #"{"type":"DELIVERY","trackingId":"s",\#(place),"taskDuration":"1s"}"#,
        #"{"type":"DELIVERY","state":"CLOSED","trackingId":"s",\#(place),"taskDuration":"1s"}"#,
        #"{"type":"DELIVERY","state":"OPEN",\#(place),"taskDuration":"1s"}"#,
        #"{"type":"PICKUP","state":"OPEN",\#(place),"taskDuration":"1s"}"#,
        #"{"type":"SCHEDULED_STOP","state":"OPEN","trackingId":"s",\#(place),"taskDuration":"1s"}"#,
        #"{"type":"UNAVAILABLE","state":"OPEN","trackingId":"s","taskDuration":"1s"}"#,
        #"{"type":"SCHEDULED_STOP","state":"OPEN","taskDuration":"1s"}"#,
        #"{"type":"DELIVERY","state":"OPEN","trackingId":"s",\#(place)}"#,
        #"{"type":"DELIVERY","state":"OPEN","trackingId":"s",\#(place),"taskDuration":"1s","taskOutcome":"FAILED"}"#,
        #"{"type":"DELIVERY","state":"OPEN","trackingId":"s",\#(place),"taskDuration":"1s","deliveryVehicleId":"v"}"#,
        #"{"type":"DELIVERY","state":"OPEN","trackingId":"s",\#(place),"taskDuration":"1s","journeySharingInfo":{}}"#,
    ]

    @Test(arguments: refused)
    mutating func `CreateTask refuses missing, forbidden and read-only fields`(json: String) throws {
        let (id, body) = (try TaskID("t"), try TaskMessage(json: json))
        #expect {
            _ = try scene.world.createTask(id, body, at: DeliveryScene.start)
        } throws: {
            status(of: $0) == "INVALID_ARGUMENT"
        }
        #expect(throws: ServiceError.self) { try scene.task("t") }
    }

    @Test mutating func `CreateTask retains what is set and ignores the name`() throws {
        let task = try scene.create(
            "t",
            tracking: "s",
            more: #","name":"providers/x/tasks/y","attributes":[{"key":"a","boolValue":true}]"#
        )
        #expect(task.id.rawValue == "t" && task.provider.rawValue == "p")
        #expect(task.kind == .delivery && task.state == .open && task.duration == .seconds(60))
        #expect(task.attributes == [Attribute(key: "a", value: .flag(true))])
        #expect(task.vehicleID == nil && task.journey == nil)
        #expect { _ = try scene.create("t", tracking: "s") } throws: { status(of: $0) == "ALREADY_EXISTS" }
    }

    @Test mutating func `a break needs no place`() throws {
        let body = try TaskMessage(json: #"{"type":"UNAVAILABLE","state":"OPEN","taskDuration":"900s"}"#)
        let task = try DeliveryTaskCoding.task(
            scene.world.createTask(try TaskID("break"), body, at: DeliveryScene.start)
        )
        #expect(task.kind == .unavailable && task.plannedLocation == nil)
    }

    @Test mutating func `a batch creates all tasks or none`() throws {
        func batch(_ second: String) throws -> TaskBatch {
            let task = #"{"type":"DELIVERY","state":"OPEN","trackingId":"s",\#(Self.place),"taskDuration":"1s"}"#
            let json =
                #"{"requests":[{"taskId":"a","task":\#(task)},{"taskId":"\#(second)","task":\#(second == "bad" ? "{}" : task)}]}"#
            return try TaskBatch(body: Array(json.utf8), provider: try ProviderID("p"))
        }
        let bad = try batch("bad")
        #expect { _ = try scene.world.createTasks(bad, at: DeliveryScene.start) } throws: {
            status(of: $0) == "INVALID_ARGUMENT"
        }
        #expect(throws: ServiceError.self) { try scene.task("a") }
        let tasks = try scene.world.createTasks(try batch("b"), at: DeliveryScene.start).map(DeliveryTaskCoding.task)
        #expect(tasks.map(\.id.rawValue) == ["a", "b"])
        let again = try batch("c")
        #expect { _ = try scene.world.createTasks(again, at: DeliveryScene.start) } throws: {
            status(of: $0) == "ALREADY_EXISTS"
        }
        #expect(throws: ServiceError.self) { try scene.task("c") }
    }

    private static let fixedFields = [
        "", "name", "type", "trackingId", "plannedLocation", "taskDuration", "deliveryVehicleId",
        "journeySharingInfo", "taskOutcomeLocationSource", "nonsense", "state,type",
    ]

    @Test(arguments: fixedFields)
    mutating func `UpdateTask refuses an empty mask, immutable fields and those of the service`(mask: String) throws {
        try scene.create("t", tracking: "s")
        #expect {
            try scene.updateTask("t", #"{"state":"CLOSED","type":"PICKUP"}"#, mask: mask)
        } throws: {
            status(of: $0) == "INVALID_ARGUMENT"
        }
        #expect(try scene.task("t").state == .open)
    }

    @Test mutating func `a task without a vehicle is closed by its state, and stays closed`() throws {
        try scene.create("t", tracking: "s")
        #expect(try scene.updateTask("t", #"{"state":"CLOSED"}"#, mask: "state").state == .closed)
        #expect(try scene.updateTask("t", #"{"state":"CLOSED"}"#, mask: "state").state == .closed)
        #expect { try scene.updateTask("t", #"{"state":"OPEN"}"#, mask: "state") } throws: {
            status(of: $0) == "FAILED_PRECONDITION"
        }
    }

    @Test mutating func `an assigned task is not closed by its state`() throws {
        try scene.load(1)
        #expect { try scene.updateTask("t-1", #"{"state":"CLOSED"}"#, mask: "state") } throws: {
            status(of: $0) == "FAILED_PRECONDITION"
        }
        #expect(try scene.updateTask("t-1", #"{"state":"OPEN"}"#, mask: "state").state == .open)
    }

    @Test mutating func `an outcome is set once, does not close the task, and has defaults`() throws {
        try scene.load(1)
        try scene.update(
            #"{"lastLocation":{"location":{"latitude":51.01,"longitude":3.72},"rawLocation":{"latitude":51.02,"longitude":3.7}}}"#,
            mask: "lastLocation"
        )
        let task = try scene.updateTask("t-1", #"{"taskOutcome":"SUCCEEDED"}"#, mask: "taskOutcome", at: 30)
        #expect(task.outcome == .succeeded && task.state == .open)
        #expect(task.outcomeTime == DeliveryScene.time(30))
        #expect(task.outcomeLocation == Coordinate(latitude: 51.02, longitude: 3.7))
        #expect(task.outcomeLocationSource == "LAST_VEHICLE_LOCATION")
        // The same value again changes nothing.
        let same = try scene.updateTask("t-1", #"{"taskOutcome":"SUCCEEDED"}"#, mask: "taskOutcome", at: 40)
        #expect(same.outcomeTime == DeliveryScene.time(30))
        for json in [#"{"taskOutcome":"FAILED"}"#, "{}"] {
            #expect(throws: ServiceError.self) { try scene.updateTask("t-1", json, mask: "taskOutcome", at: 50) }
        }
        #expect(try scene.task("t-1").outcome == .succeeded)
    }

    @Test mutating func `a provider's time and place of the outcome replace the defaults`() throws {
        try scene.create("t", tracking: "s")
        #expect {
            try scene.updateTask("t", "{}", mask: "taskOutcomeTime")
        } throws: {
            status(of: $0) == "FAILED_PRECONDITION"
        }
        var task = try scene.updateTask("t", #"{"taskOutcome":"FAILED"}"#, mask: "taskOutcome")
        // Without a vehicle there is no place.
        #expect(task.outcomeLocation == nil && task.outcomeLocationSource == nil)
        task = try scene.updateTask(
            "t",
            #"{"taskOutcomeTime":"2026-03-14T08:00:00Z","taskOutcomeLocation":{"point":{"latitude":1,"longitude":2}}}"#,
            mask: "task_outcome_time,task_outcome_location"
        )
        #expect(task.outcomeTime == Timestamp.date("2026-03-14T08:00:00Z"))
        #expect(task.outcomeLocation == Coordinate(latitude: 1, longitude: 2))
        #expect(task.outcomeLocationSource == "PROVIDER")
    }

    @Test mutating func `window, view and attributes can be changed at any time`() throws {
        try scene.create("t", tracking: "s")
        let task = try scene.updateTask(
            "t",
            #"{"targetTimeWindow":{"startTime":"2026-03-14T08:00:00Z","endTime":"2026-03-14T09:00:00Z"},"taskTrackingViewConfig":{"routePolylinePointsVisibility":{"never":true}},"attributes":[{"key":"a","stringValue":"b"}]}"#,
            mask: "targetTimeWindow,taskTrackingViewConfig,attributes"
        )
        #expect(task.targetTimeWindow != nil && task.trackingView?.route == .never && task.attributes.count == 1)
        let bare = try scene.updateTask("t", "{}", mask: "targetTimeWindow,taskTrackingViewConfig,attributes")
        #expect(bare.targetTimeWindow == nil && bare.trackingView == nil && bare.attributes.isEmpty)
    }

    @Test mutating func `a task can't be deleted while it is open and assigned`() throws {
        try scene.load(2)
        let id = try TaskID("t-1")
        #expect { try scene.world.deleteTask(id) } throws: { status(of: $0) == "FAILED_PRECONDITION" }
        try scene.plan([(["t-2"], 2)])
        try scene.world.deleteTask(id)
        #expect { try scene.world.deleteTask(id) } throws: { status(of: $0) == "NOT_FOUND" }
        #expect { try scene.tracked("s-1") } throws: { status(of: $0) == "NOT_FOUND" }
        try scene.create("free", tracking: "s-9")
        try scene.world.deleteTask(try TaskID("free"))
    }

    @Test mutating func `ListTasks filters, counts and pages in order of creation`() throws {
        try scene.load(5)
        try scene.plan([(["t-4"], 4), (["t-5"], 5)])
        var list = TaskList()
        list.filter = try TaskFilter("state = OPEN AND delivery_vehicle_id = van-1")
        let open = try scene.world.listTasks(list, at: DeliveryScene.start)
        let tasks = try open.items.map(DeliveryTaskCoding.task)
        #expect(tasks.map(\.id.rawValue) == ["t-4", "t-5"] && open.total == 2 && open.next == nil)
        #expect(tasks.last?.journey?.segments.count == 2)
        list.filter = nil
        list.page = try PageRequest(size: 2, token: nil)
        var names: [String] = []
        repeat {
            let page = try scene.world.listTasks(list, at: DeliveryScene.start)
            #expect(page.total == 5)
            names += try page.items.map { try DeliveryTaskCoding.task($0).id.rawValue }
            list.page.token = page.next
        } while list.page.token != nil
        #expect(names == ["t-1", "t-2", "t-3", "t-4", "t-5"])
        let first = try scene.world.listTasks(
            TaskList(page: try PageRequest(size: 2, token: nil)),
            at: DeliveryScene.start
        )
        var other = TaskList(page: try PageRequest(size: 2, token: first.next))
        other.filter = try TaskFilter("state = OPEN")
        #expect(throws: ServiceError.self) { try scene.world.listTasks(other, at: DeliveryScene.start) }
    }
}

extension TaskList {
    fileprivate init(page: PageRequest) {
        self.init()
        self.page = page
    }
}
