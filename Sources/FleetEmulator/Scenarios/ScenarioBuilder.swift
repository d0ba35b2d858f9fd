import FleetWire
import Foundation
import TripModel

/// Creates a scenario from its parsed file and checks references between entries.
struct ScenarioBuilder {
    let entries: ScenarioFile
    private var trips: [String: DriverScript.TripPlan] = [:]

    init(entries: ScenarioFile) {
        self.entries = entries
    }

    mutating func scenario(name: String) throws(ScenarioProblem) -> Scenario {
        for (index, entry) in entries.trips.enumerated() {
            let path = ["trips", "\(index)"]
            guard trips[entry.id] == nil else {
                throw ScenarioProblem(path: path + ["id"], message: "the trip \(entry.id) is there twice")
            }
            trips[entry.id] = try trip(entry, path)
        }
        var drivers: [DriverScript] = []
        for (index, entry) in entries.vehicles.enumerated() {
            drivers.append(try driver(entry, ["vehicles", "\(index)"]))
        }
        guard !drivers.isEmpty else { throw ScenarioProblem(path: ["vehicles"], message: "a vehicle is expected") }
        // The first driver creates the trips that exist from the start.
        drivers[0].trips = entries.trips.filter { $0.created != "later" }.compactMap { trips[$0.id] }
        let followed = entries.trips.filter { $0.followed != false }.compactMap { trips[$0.id]?.id }
        guard !followed.isEmpty else { throw ScenarioProblem(path: ["trips"], message: "a followed trip is expected") }
        var begins: Date?
        if let text = entries.begins {
            guard let date = Timestamp.date(text) else {
                throw ScenarioProblem(
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
            tokenLifetime: try entries.tokenLifetime.map { (seconds) throws(ScenarioProblem) in
                .seconds(try number(seconds, in: 10...3600, ["token-lifetime"]))
            },
            drivers: drivers,
            followed: followed,
            events: try events(),
            expectations: try expectations()
        )
    }

    // MARK: Trips and vehicles

    private func trip(
        _ entry: ScenarioFile.TripEntry,
        _ path: [String]
    ) throws(ScenarioProblem) -> DriverScript.TripPlan {
        var plan = DriverScript.TripPlan(
            id: try id(entry.id, path + ["id"]),
            pickup: try place(entry.pickup, path + ["pickup"]),
            dropoff: try entry.dropoff.map { (entry) throws(ScenarioProblem) in try place(entry, path + ["dropoff"]) }
        )
        for (index, stop) in (entry.stops ?? []).enumerated() {
            plan.stops.append(try place(stop, path + ["stops", "\(index)"]))
        }
        plan.passengers = Int(try number(Double(entry.passengers ?? 1), in: 1...100, path + ["passengers"]))
        plan.type =
            try entry.type.map { (name) throws(ScenarioProblem) in try type(name, path + ["type"]) } ?? .exclusive
        if let created = entry.created, created != "later" {
            throw ScenarioProblem(path: path + ["created"], message: "created: later is expected, or nothing")
        }
        return plan
    }

    private func driver(_ entry: ScenarioFile.VehicleEntry, _ path: [String]) throws(ScenarioProblem) -> DriverScript {
        var script = DriverScript(vehicle: try id(entry.id, path + ["id"]))
        script.capacity = Int(try number(Double(entry.capacity ?? 4), in: 1...100, path + ["capacity"]))
        script.backToBackEnabled = entry.backToBack ?? false
        if let category = entry.category {
            guard ProtoShape.category.name(inQuery: category) == category else {
                throw ScenarioProblem(path: path + ["category"], message: "category: a vehicle category is expected")
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
            if let caption = try caption(step.caption, step.expect, path) { script.steps.append(.caption(caption)) }
            if !step.isOnlyCaption { script.steps += try steps(step, from: &here, path) }
        }
        return script
    }

    // MARK: Steps

    private func steps(
        _ entry: ScenarioFile.StepEntry,
        from here: inout Coordinate,
        _ path: [String]
    ) throws(ScenarioProblem) -> [DriverScript.Step] {
        if let seconds = entry.wait { return [.wait(try number(seconds, in: 0...86_400, path + ["wait"]))] }
        if let seconds = entry.silent { return [.silent(try number(seconds, in: 0...86_400, path + ["silent"]))] }
        if let name = entry.create { return [.create(try known(name, path + ["create"]))] }
        if let assign = entry.assign {
            var order: [DriverScript.Stop] = []
            for text in assign.order ?? [] { order.append(try stop(text, path + ["assign", "order"])) }
            return [.assign(try known(assign.trip, path + ["assign"]).id, order: order)]
        }
        if let drive = entry.drive { return [.drive(try self.drive(drive, from: &here, path + ["drive"]))] }
        if let status = entry.status {
            let trip = try known(status.trip, path + ["status", "trip"])
            return [.status(trip.id, try self.status(status.to, path + ["status", "to"]))]
        }
        if let name = entry.cancel { return [.status(try known(name, path + ["cancel"]).id, .canceled)] }
        if let state = entry.go {
            guard state == "ONLINE" || state == "OFFLINE" else {
                throw ScenarioProblem(path: path + ["go"], message: "go: ONLINE or OFFLINE is expected")
            }
            return [.state(Vehicle.State(name: state))]
        }
        throw ScenarioProblem(
            path: path,
            message: "a step is expected: wait, silent, create, assign, drive, status, cancel, go or caption"
        )
    }

    private func drive(
        _ entry: ScenarioFile.DriveEntry,
        from here: inout Coordinate,
        _ path: [String]
    ) throws(ScenarioProblem) -> DriverScript.Drive {
        let stop = try stop(entry.to, path + ["to"])
        var points = [here]
        for (index, via) in (entry.via ?? []).enumerated() {
            points.append(try place(via, path + ["via", "\(index)"]))
        }
        points.append(stop.place)
        var jam: (share: Double, seconds: Double)?
        if let entry = entry.jam {
            jam = (
                try number(entry.at, in: 0...1, path + ["jam", "at"]),
                try number(entry.seconds, in: 1...7200, path + ["jam", "seconds"])
            )
        }
        let leg = RidePlan.Leg(
            points,
            slow: try range(entry.slow, path + ["slow"]),
            pace: try number(entry.pace ?? 1, in: 0.1...50, path + ["pace"]),
            redLightAt: entry.redLight,
            jam: jam
        )
        var manner = DriveManner()
        manner.silent = try range(entry.silent, path + ["silent"])
        manner.tunnel = try range(entry.tunnel, path + ["tunnel"])
        manner.keepsForecast = entry.keepsForecast ?? false
        manner.leavesRouteAt = try number(entry.leavesRouteAt ?? 0, in: 0...1, path + ["leaves-route-at"])
        if let planned = entry.planned {
            manner.plannedRoute = [here]
            for (index, point) in planned.enumerated() {
                manner.plannedRoute.append(try place(point, path + ["planned", "\(index)"]))
            }
            manner.plannedRoute.append(stop.place)
        }
        here = stop.place
        return DriverScript.Drive(leg: leg, stop: stop, manner: manner)
    }

    /// Parses `TRIP pickup`, `TRIP stop 1` or `TRIP dropoff`.
    private func stop(_ text: String, _ path: [String]) throws(ScenarioProblem) -> DriverScript.Stop {
        let words = text.split(separator: " ").map(String.init)
        let problem = ScenarioProblem(
            path: path,
            message:
                "\(text.prefix(40)): a place of a trip is expected, as in \"ride pickup\", \"ride stop 1\", \"ride dropoff\""
        )
        guard let name = words.first else { throw problem }
        let trip = try known(name, path)
        switch (words.count, words.count > 1 ? words[1] : "") {
        case (2, "pickup"): return .init(trip: trip.id, kind: .pickup, place: trip.pickup)
        case (2, "dropoff"):
            guard let place = trip.dropoff else { throw problem }
            return .init(trip: trip.id, kind: .dropoff, place: place)
        case (3, "stop"):
            guard let number = Int(words[2]), trip.stops.indices.contains(number - 1) else { throw problem }
            let place = trip.stops[number - 1]
            return .init(trip: trip.id, kind: .intermediateDestination, index: number - 1, place: place)
        default: throw problem
        }
    }

    // MARK: Events and expectations

    private func events() throws(ScenarioProblem) -> [Scenario.Event] {
        var events: [Scenario.Event] = []
        for (index, entry) in (entries.events ?? []).enumerated() {
            let path = ["events", "\(index)"]
            let time = try number(entry.at, in: 0...86_400, path + ["at"])
            if let caption = try caption(entry.caption, entry.expect, path) {
                events.append(.init(time: time, action: .caption(caption)))
            }
            if let name = entry.cancel {
                events.append(.init(time: time, action: .cancel(try known(name, path + ["cancel"]).id)))
            } else if let fault = entry.fault {
                do {
                    events.append(.init(time: time, action: .fault(try fault.fault())))
                } catch {
                    throw ScenarioProblem(path: path + ["fault"], message: error.message)
                }
            } else if entry.clearFaults == true {
                events.append(.init(time: time, action: .clearFaults))
            } else if entry.caption == nil {
                throw ScenarioProblem(
                    path: path,
                    message: "an event is expected: cancel, fault, clear-faults or caption"
                )
            }
        }
        return events.sorted { $0.time < $1.time }
    }

    private func expectations() throws(ScenarioProblem) -> [Scenario.Expectation] {
        var result: [Scenario.Expectation] = []
        for (index, entry) in entries.expect.enumerated() {
            let path = ["expect", "\(index)"]
            result.append(
                Scenario.Expectation(
                    trip: try known(entry.trip, path + ["trip"]).id,
                    status: try status(entry.status, path + ["status"]),
                    within: try number(entry.within, in: 1...86_400, path + ["within"])
                )
            )
        }
        return result
    }

    // MARK: Values

    private func caption(
        _ caption: ScenarioFile.CaptionEntry?,
        _ entry: ScenarioFile.ShownEntry?,
        _ path: [String]
    ) throws(ScenarioProblem) -> SceneCaption? {
        guard let caption else {
            guard entry == nil else {
                throw ScenarioProblem(
                    path: path + ["expect"],
                    message: "expect: it belongs to a caption, and there is none"
                )
            }
            return nil
        }
        let texts = [caption.text] + caption.translations.values
        guard texts.allSatisfy({ (1...SceneCaptions.longest).contains($0.count) }) else {
            throw ScenarioProblem(
                path: path + ["caption"],
                message: "caption: a sentence of at most \(SceneCaptions.longest) characters is expected"
            )
        }
        return SceneCaption(
            caption.text,
            translations: caption.translations,
            try entry.map { (entry) throws(ScenarioProblem) in try expectation(entry, path + ["expect"]) }
        )
    }

    private func expectation(
        _ entry: ScenarioFile.ShownEntry,
        _ path: [String]
    ) throws(ScenarioProblem) -> SceneCaption.Expectation {
        var expectation = SceneCaption.Expectation()
        if let trip = entry.trip { expectation.trip = try known(trip, path + ["trip"]).id }
        for name in entry.status ?? [] { expectation.statuses.append(try status(name, path + ["status"])) }
        let day = 0.0...86_400
        expectation.overdue = try entry.overdue.map { (seconds) throws(ScenarioProblem) in
            try number(seconds, in: day, path + ["overdue"])
        }
        if let delay = entry.delay {
            guard delay.count == 2, delay[0] <= delay[1] else {
                throw ScenarioProblem(
                    path: path + ["delay"],
                    message: "delay: two numbers are expected, as in [60, 300]"
                )
            }
            expectation.delay = delay[0]...delay[1]
        }
        expectation.finding = entry.finding
        expectation.positionAge = try entry.positionAge.map { (seconds) throws(ScenarioProblem) in
            try number(seconds, in: day, path + ["position-age"])
        }
        expectation.othersAhead = entry.othersAhead
        expectation.isFailing = entry.failing
        if let within = entry.within { expectation.within = try number(within, in: 0...86_400, path + ["within"]) }
        expectation.isThroughout = entry.throughout ?? false
        return expectation
    }

    private func known(_ name: String, _ path: [String]) throws(ScenarioProblem) -> DriverScript.TripPlan {
        guard let trip = trips[name] else {
            throw ScenarioProblem(path: path, message: "there is no trip \(name.prefix(40)) in this scenario")
        }
        return trip
    }

    private func id<Kind>(_ text: String, _ path: [String]) throws(ScenarioProblem) -> ResourceID<Kind> {
        do {
            return try ResourceID(text)
        } catch {
            throw ScenarioProblem(path: path, message: "an ID of at most 64 characters without / : ? , # is expected")
        }
    }

    private func place(_ entry: ScenarioFile.PlaceEntry, _ path: [String]) throws(ScenarioProblem) -> Coordinate {
        let point: Coordinate
        switch entry {
        case .point(let latitude, let longitude): point = Coordinate(latitude: latitude, longitude: longitude)
        case .name(let name):
            guard let numbers = entries.places?[name], numbers.count == 2 else {
                throw ScenarioProblem(
                    path: path,
                    message: "\(name.prefix(40)): [latitude, longitude] is expected, or the name of one of the places"
                )
            }
            point = Coordinate(latitude: numbers[0], longitude: numbers[1])
        }
        guard point.isValid else {
            throw ScenarioProblem(
                path: path,
                message: "a latitude of -90 to 90 and a longitude of -180 to 180 are expected"
            )
        }
        return point
    }

    private func type(_ name: String, _ path: [String]) throws(ScenarioProblem) -> TripType {
        guard name == "EXCLUSIVE" || name == "SHARED" else {
            throw ScenarioProblem(path: path, message: "EXCLUSIVE or SHARED is expected")
        }
        return TripType(name: name)
    }

    private func status(_ name: String, _ path: [String]) throws(ScenarioProblem) -> TripStatus {
        let status = TripStatus(name: name)
        guard status.rank != nil else {
            throw ScenarioProblem(path: path, message: "a trip status such as COMPLETE is expected")
        }
        return status
    }

    private func number(
        _ value: Double,
        in range: ClosedRange<Double>,
        _ path: [String]
    ) throws(ScenarioProblem) -> Double {
        guard range.contains(value) else {
            throw ScenarioProblem(
                path: path,
                message: "\(path.last ?? ""): a number from \(range.lowerBound) to \(range.upperBound) is expected"
            )
        }
        return value
    }

    private func range(_ numbers: [Double]?, _ path: [String]) throws(ScenarioProblem) -> ClosedRange<Double>? {
        guard let numbers else { return nil }
        guard numbers.count == 2, numbers[0] <= numbers[1], numbers[0] >= 0, numbers[1] <= 1 else {
            throw ScenarioProblem(path: path, message: "\(path.last ?? ""): two shares such as [0.3, 0.6] are expected")
        }
        return numbers[0]...numbers[1]
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
