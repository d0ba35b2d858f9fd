import Foundation
import TripFeed
import TripModel

/// The tasks of delivery vehicles and what recipients see of them.
extension ScenarioBuilder {
    /// The time that a task takes without `takes`, in seconds.
    private static let usualDuration = 180.0

    func task(_ entry: ScenarioFile.TaskEntry, _ path: [String]) throws(YAMLProblem) -> DriverScript.TaskPlan {
        var plan = DriverScript.TaskPlan(
            id: try id(entry.id, path + ["id"]),
            place: try place(entry.at, path + ["at"])
        )
        if let name = entry.type {
            plan.kind = DeliveryTask.Kind(name: name)
            guard DeliveryTask.Kind.known.contains(plan.kind) else {
                let names = DeliveryTask.Kind.known.map(\.name).joined(separator: ", ")
                throw YAMLProblem(path: path + ["type"], message: "type: one of \(names) is expected")
            }
        }
        plan.trackingID = try entry.tracking.map { (text) throws(YAMLProblem) in
            try id(text, path + ["tracking"])
        }
        guard plan.kind.hasShipment == (plan.trackingID != nil) else {
            let message = "tracking: PICKUP and DELIVERY have a tracking ID, other types have none"
            throw YAMLProblem(path: path + ["tracking"], message: message)
        }
        plan.duration = try number(entry.takes ?? Self.usualDuration, in: 0...86_400, path + ["takes"])
        plan.window = try window(entry.window, path + ["window"])
        plan.view = try entry.view.map { (entry) throws(YAMLProblem) in try view(entry, path + ["view"]) }
        if let name = entry.outcome {
            plan.outcome = try outcome(name, path + ["outcome"])
        } else if plan.kind.hasShipment {
            plan.outcome = .succeeded
        }
        if let created = entry.created, created != "later" {
            throw YAMLProblem(path: path + ["created"], message: "created: later is expected, or nothing")
        }
        return plan
    }

    func outcome(_ name: String, _ path: [String]) throws(YAMLProblem) -> DeliveryTask.Outcome {
        let outcome = DeliveryTask.Outcome(name: name)
        guard outcome == .succeeded || outcome == .failed else {
            throw YAMLProblem(path: path, message: "outcome: SUCCEEDED or FAILED is expected")
        }
        return outcome
    }

    private func window(_ numbers: [Double]?, _ path: [String]) throws(YAMLProblem) -> ClosedRange<Double>? {
        guard let numbers else { return nil }
        guard numbers.count == 2, numbers[0] <= numbers[1], numbers.allSatisfy((-86_400...86_400).contains) else {
            let message = "window: two times in seconds from the start are expected, such as [3600, 7200]"
            throw YAMLProblem(path: path, message: message)
        }
        return numbers[0]...numbers[1]
    }

    private func view(_ entry: ScenarioFile.ViewEntry, _ path: [String]) throws(YAMLProblem) -> TrackingViewConfig {
        var view = TrackingViewConfig()
        view.vehicleLocation = try visibility(entry.location, path + ["location"])
        view.route = try visibility(entry.route, path + ["route"])
        view.remainingStopCount = try visibility(entry.stops, path + ["stops"])
        view.remainingDistance = try visibility(entry.distance, path + ["distance"])
        view.estimatedArrival = try visibility(entry.arrival, path + ["arrival"])
        view.estimatedCompletion = try visibility(entry.completion, path + ["completion"])
        return view
    }

    private func visibility(
        _ entry: ScenarioFile.VisibilityEntry?,
        _ path: [String]
    ) throws(YAMLProblem) -> TrackingViewConfig.Visibility? {
        guard let entry else { return nil }
        let problem = YAMLProblem(
            path: path,
            message: "\(path.last ?? ""): always, never, {stops: N}, {seconds: N} or {meters: N} is expected"
        )
        switch entry {
        case .word("always"): return .always
        case .word("never"): return .never
        case .word: throw problem
        case .threshold(let numbers):
            guard numbers.count == 1, let (name, value) = numbers.first, (0...1_000_000).contains(value) else {
                throw problem
            }
            switch name {
            case "stops": return .remainingStops(Int(value))
            case "seconds": return .timeUntilArrival(.seconds(value))
            case "meters": return .remainingDistance(Int(value))
            default: throw problem
            }
        }
    }
}
