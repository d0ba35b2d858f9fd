import Foundation
import TripFeed
import TripModel

/// The delivery vehicles and their steps.
extension ScenarioBuilder {
    /// A vehicle while its steps are read: where it is, and the stops that it has.
    private struct Progress {
        var here: Coordinate
        var stops: [DriverScript.DeliveryStop] = []
        /// The factor of the speed of drives without their own one.
        let pace: Double
    }

    func van(_ entry: ScenarioFile.VanEntry, _ path: [String]) throws(YAMLProblem) -> DriverScript {
        var script = DriverScript(.ofDeliveries(try id(entry.id, path + ["id"])))
        let types = ["AUTO", "TWO_WHEELER", "BICYCLE", "PEDESTRIAN"]
        if let type = entry.type {
            guard types.contains(type) else {
                let message = "type: one of \(types.joined(separator: ", ")) is expected"
                throw YAMLProblem(path: path + ["type"], message: message)
            }
            script.category = type
        }
        let start = try place(entry.at, path + ["at"])
        script.start = start
        var progress = Progress(here: start, pace: try number(entry.pace ?? 1, in: 0.1...50, path + ["pace"]))
        for (index, step) in entry.steps.enumerated() {
            let path = path + ["steps", "\(index)"]
            let caption = try caption(step.caption, nil, step.whileEntry, path)
            if let caption { script.steps.append(.caption(caption)) }
            let steps = try steps(step, &progress, path)
            guard !steps.isEmpty || caption != nil else {
                throw YAMLProblem(
                    path: path,
                    message: "a step is expected: wait, silent, create, assign, close, visit, round or caption"
                )
            }
            script.steps += steps
        }
        return script
    }

    private func steps(
        _ entry: ScenarioFile.VanStepEntry,
        _ progress: inout Progress,
        _ path: [String]
    ) throws(YAMLProblem) -> [DriverScript.Step] {
        if let seconds = entry.wait { return [.wait(try number(seconds, in: 0...86_400, path + ["wait"]))] }
        if let seconds = entry.silent { return [.silent(try number(seconds, in: 0...86_400, path + ["silent"]))] }
        if let names = entry.create {
            var created: [DriverScript.TaskPlan] = []
            for name in names.all { created.append(try knownTask(name, path + ["create"])) }
            return [.createTasks(created)]
        }
        if let names = entry.assign {
            progress.stops = try stops(names, path + ["assign"])
            return [.assignStops(progress.stops)]
        }
        if let name = entry.close { return [.closeTask(try knownTask(name, path + ["close"]).id)] }
        if let visit = entry.visit { return [.visit(try self.visit(visit.drive, &progress, path + ["visit"]))] }
        if let round = entry.round { return try self.round(round, &progress, path + ["round"]) }
        return []
    }

    private func stops(
        _ names: [OneOrMore],
        _ path: [String]
    ) throws(YAMLProblem) -> [DriverScript.DeliveryStop] {
        var stops: [DriverScript.DeliveryStop] = []
        var seen: Set<TaskID> = []
        for (index, names) in names.enumerated() {
            let path = path + ["\(index)"]
            var plans: [DriverScript.TaskPlan] = []
            for name in names.all { plans.append(try knownTask(name, path)) }
            guard let place = plans.first?.place else {
                throw YAMLProblem(path: path, message: "assign: a task or a list of tasks is expected")
            }
            for plan in plans where !seen.insert(plan.id).inserted {
                throw YAMLProblem(path: path, message: "assign: the task \(plan.id) is named twice")
            }
            let jobs = plans.map { plan in
                DriverScript.DeliveryStop.Job(
                    id: plan.id,
                    duration: plan.duration,
                    outcome: plan.outcome,
                    shipment: plan.trackingID
                )
            }
            stops.append(DriverScript.DeliveryStop(place: place, jobs: jobs))
        }
        return stops
    }

    /// Returns the visit of the stop with a task; the stops before it are skipped.
    private func visit(
        _ entry: ScenarioFile.DriveEntry,
        _ progress: inout Progress,
        _ path: [String]
    ) throws(YAMLProblem) -> DriverScript.DeliveryVisit {
        let id = try knownTask(entry.to, path).id
        guard let index = progress.stops.firstIndex(where: { $0.tasks.contains(id) }) else {
            throw YAMLProblem(path: path, message: "the task \(id) is in no stop that remains for the van")
        }
        let stop = progress.stops[index]
        progress.stops.removeFirst(index + 1)
        var entry = entry
        entry.pace = entry.pace ?? progress.pace
        let drive = try drive(entry, to: .delivery(stop.place), from: &progress.here, path)
        return DriverScript.DeliveryVisit(tasks: stop.tasks, drive: drive)
    }

    private func round(
        _ entry: ScenarioFile.RoundEntry,
        _ progress: inout Progress,
        _ path: [String]
    ) throws(YAMLProblem) -> [DriverScript.Step] {
        let last = try entry.until.map { (name) throws(YAMLProblem) in try knownTask(name, path + ["until"]).id }
        var steps: [DriverScript.Step] = []
        while let stop = progress.stops.first, let first = stop.tasks.first {
            steps.append(.visit(try visit(ScenarioFile.DriveEntry(to: first.rawValue), &progress, path)))
            if let last, stop.tasks.contains(last) { return steps }
        }
        guard last == nil, !steps.isEmpty else {
            throw YAMLProblem(path: path, message: "round: there is no such stop for the van")
        }
        return steps
    }

    private func knownTask(_ name: String, _ path: [String]) throws(YAMLProblem) -> DriverScript.TaskPlan {
        guard let task = tasks[name] else {
            throw YAMLProblem(path: path, message: "unknown task \(name.prefix(40))")
        }
        return task
    }
}
