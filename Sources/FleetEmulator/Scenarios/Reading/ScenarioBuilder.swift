import FleetWire
import Foundation
import Runtime
import TripFeed
import TripModel

/// Creates a scenario from its parsed file and checks references between entries.
struct ScenarioBuilder {
    let entries: ScenarioFile
    private(set) var trips: [String: DriverScript.TripPlan] = [:]
    private(set) var tasks: [String: DriverScript.TaskPlan] = [:]

    mutating func scenario(name: String) throws(YAMLProblem) -> Scenario {
        for (name, numbers) in (entries.places ?? [:]).sorted(by: { $0.key < $1.key }) where numbers.count != 2 {
            throw YAMLProblem(
                path: ["places", name],
                message: "\(name.prefix(40)): [latitude, longitude] is expected"
            )
        }
        let (drivers, followed) = try driversOfTrips()
        let (vans, shipments) = try vans()
        guard !drivers.isEmpty || !vans.isEmpty else {
            throw YAMLProblem(path: [], message: "vehicles is missing: vehicles with trips, or vans with tasks")
        }
        guard entries.expect != nil else { throw YAMLProblem(path: [], message: "expect is missing") }
        var begins: Date?
        if let text = entries.begins {
            guard let date = Timestamp.date(text) else {
                throw YAMLProblem(
                    path: ["begins"],
                    message: "begins: a time such as 2026-03-14T08:15:00Z is expected"
                )
            }
            begins = date
        }
        return Scenario(
            name: name,
            title: entries.title,
            about: entries.about.trimmingCharacters(in: .whitespacesAndNewlines),
            begins: begins,
            tokenLifetime: try entries.tokenLifetime.map { (seconds) throws(YAMLProblem) in
                .seconds(try number(seconds, in: 10...3600, ["token-lifetime"]))
            },
            drivers: drivers + vans,
            followed: followed,
            shipments: shipments,
            events: try events(),
            expectations: try expectations() + shipmentExpectations(),
            starts: try number(entries.starts ?? 0, in: 0...86_400, ["starts"])
        )
    }

    /// Reads the vehicles of trips and the trips that riders follow; both are empty without `vehicles` and `trips`.
    private mutating func driversOfTrips() throws(YAMLProblem) -> ([DriverScript], followed: [TripID]) {
        let (trips, vehicles) = (entries.trips ?? [], entries.vehicles ?? [])
        for (index, entry) in trips.enumerated() {
            let path = ["trips", "\(index)"]
            guard self.trips[entry.id] == nil else {
                throw YAMLProblem(path: path + ["id"], message: "the trip \(entry.id) is defined twice")
            }
            self.trips[entry.id] = try trip(entry, path)
        }
        var drivers: [DriverScript] = []
        for (index, entry) in vehicles.enumerated() {
            let driver = try driver(entry, ["vehicles", "\(index)"])
            guard !drivers.contains(where: { $0.vehicle == driver.vehicle }) else {
                let message = "the vehicle \(entry.id) is defined twice"
                throw YAMLProblem(path: ["vehicles", "\(index)", "id"], message: message)
            }
            drivers.append(driver)
        }
        guard entries.vehicles != nil || entries.trips != nil else { return ([], []) }
        guard !drivers.isEmpty else { throw YAMLProblem(path: ["vehicles"], message: "a vehicle is expected") }
        // The first driver creates the trips that exist from the start.
        drivers[0].trips = trips.filter { $0.created != "later" }.compactMap { self.trips[$0.id] }
        let followed = trips.filter { $0.followed != false }.compactMap { self.trips[$0.id]?.id }
        guard !followed.isEmpty else { throw YAMLProblem(path: ["trips"], message: "a followed trip is expected") }
        return (drivers, followed)
    }

    /// Reads the delivery vehicles and the shipments that recipients follow; both are empty without `vans` and `tasks`.
    private mutating func vans() throws(YAMLProblem) -> ([DriverScript], followed: [TrackingID]) {
        let (tasks, vans) = (entries.tasks ?? [], entries.vans ?? [])
        // They are created with one call.
        guard tasks.count <= TaskBatch.maximumCount else {
            let message = "tasks: at most \(TaskBatch.maximumCount) are expected"
            throw YAMLProblem(path: ["tasks"], message: message)
        }
        for (index, entry) in tasks.enumerated() {
            let path = ["tasks", "\(index)"]
            guard self.tasks[entry.id] == nil else {
                throw YAMLProblem(path: path + ["id"], message: "the task \(entry.id) is defined twice")
            }
            self.tasks[entry.id] = try task(entry, path)
        }
        var drivers: [DriverScript] = []
        for (index, entry) in vans.enumerated() {
            let driver = try van(entry, ["vans", "\(index)"])
            guard !drivers.contains(where: { $0.vehicle == driver.vehicle }) else {
                let message = "the van \(entry.id) is defined twice"
                throw YAMLProblem(path: ["vans", "\(index)", "id"], message: message)
            }
            drivers.append(driver)
        }
        guard entries.vans != nil || entries.tasks != nil else { return ([], []) }
        guard !drivers.isEmpty else { throw YAMLProblem(path: ["vans"], message: "a van is expected") }
        // The backend creates the tasks that exist from the start together with the first van.
        drivers[0].tasks = tasks.filter { $0.created != "later" }.compactMap { self.tasks[$0.id] }
        var followed: [TrackingID] = []
        for (index, name) in (entries.followed ?? []).enumerated() {
            followed.append(try shipment(name, ["followed", "\(index)"]))
        }
        guard !followed.isEmpty else {
            throw YAMLProblem(path: ["followed"], message: "followed: a list of tracking IDs is expected")
        }
        return (drivers, followed)
    }

    /// Returns the tracking ID with a name that a task has.
    func shipment(_ name: String, _ path: [String]) throws(YAMLProblem) -> TrackingID {
        let id: TrackingID = try id(name, path)
        guard tasks.values.contains(where: { $0.trackingID == id }) else {
            throw YAMLProblem(path: path, message: "no task has the tracking ID \(name.prefix(40))")
        }
        return id
    }

    // MARK: Trips and vehicles

    private func trip(
        _ entry: ScenarioFile.TripEntry,
        _ path: [String]
    ) throws(YAMLProblem) -> DriverScript.TripPlan {
        var plan = DriverScript.TripPlan(
            id: try id(entry.id, path + ["id"]),
            pickup: try place(entry.pickup, path + ["pickup"]),
            dropoff: try entry.dropoff.map { (entry) throws(YAMLProblem) in try place(entry, path + ["dropoff"]) }
        )
        for (index, stop) in (entry.stops ?? []).enumerated() {
            plan.stops.append(try place(stop, path + ["stops", "\(index)"]))
        }
        plan.passengers = Int(try number(Double(entry.passengers ?? 1), in: 1...100, path + ["passengers"]))
        plan.type =
            try entry.type.map { (name) throws(YAMLProblem) in try type(name, path + ["type"]) } ?? .exclusive
        if let created = entry.created, created != "later" {
            throw YAMLProblem(path: path + ["created"], message: "created: later is expected, or nothing")
        }
        return plan
    }

    private func driver(_ entry: ScenarioFile.VehicleEntry, _ path: [String]) throws(YAMLProblem) -> DriverScript {
        var script = DriverScript(.ofTrips(try id(entry.id, path + ["id"])))
        script.capacity = Int(try number(Double(entry.capacity ?? 4), in: 1...100, path + ["capacity"]))
        script.backToBackEnabled = entry.backToBack ?? false
        if let category = entry.category {
            guard EnumNames.category.name(inQuery: category) == category else {
                throw YAMLProblem(path: path + ["category"], message: "category: a vehicle category is expected")
            }
            script.category = category
        }
        if let types = entry.types {
            script.types = []
            for name in types { script.types.append(try type(name, path + ["types"])) }
        }
        let start = try place(entry.at, path + ["at"])
        script.start = start
        var here = start
        for (index, step) in entry.steps.enumerated() {
            let path = path + ["steps", "\(index)"]
            if let caption = try caption(step.caption, step.expect, step.whileEntry, path) {
                script.steps.append(.caption(caption))
            }
            if !step.isOnlyCaption { script.steps += try steps(step, from: &here, path) }
        }
        return script
    }
}

extension ScenarioFile.StepEntry {
    /// Whether the entry has a caption and no action.
    fileprivate var isOnlyCaption: Bool {
        caption != nil && wait == nil && silent == nil && create == nil && assign == nil && drive == nil
            && status == nil
            && cancel == nil && go == nil
    }
}

extension ScenarioBuilder: ConditionBuilder {
    func journey(named name: String, _ path: [String]) throws(YAMLProblem) -> JourneyID {
        .trip(try known(name, path).id)
    }

    // The rules are the client's, and the emulator does not import them; a test plays every scenario.
    func finding(named name: String, _ path: [String]) throws(YAMLProblem) -> String { name }
}
