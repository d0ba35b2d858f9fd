import Foundation
import TripFeed
import TripModel

/// Events, captions and expectations.
extension ScenarioBuilder {
    func events() throws(YAMLProblem) -> [Scenario.Event] {
        var events: [Scenario.Event] = []
        for (index, entry) in (entries.events ?? []).enumerated() {
            let path = ["events", "\(index)"]
            let time = try number(entry.at, in: 0...86_400, path + ["at"])
            if let caption = try caption(entry.caption, entry.expect, entry.whileEntry, path) {
                events.append(.init(time: time, action: .caption(caption)))
            }
            if let name = entry.cancel {
                events.append(.init(time: time, action: .cancel(try known(name, path + ["cancel"]).id)))
            } else if let fault = entry.fault {
                events.append(.init(time: time, action: .fault(fault)))
            } else if entry.clearFaults == true {
                events.append(.init(time: time, action: .clearFaults))
            } else if entry.caption == nil {
                throw YAMLProblem(
                    path: path,
                    message: "an event is expected: cancel, fault, clear-faults or caption"
                )
            }
        }
        return events.sorted { $0.time < $1.time }
    }

    func expectations() throws(YAMLProblem) -> [TripExpectation] {
        var result: [TripExpectation] = []
        for (index, entry) in (entries.expect ?? []).enumerated() where entry.tracking == nil {
            let path = ["expect", "\(index)"]
            guard let trip = entry.trip, let name = entry.status else {
                throw YAMLProblem(
                    path: path,
                    message: "trip and status are expected, or tracking and outcome"
                )
            }
            var conditions = ExpectedConditions()
            conditions.journey = .trip(try known(trip, path + ["trip"]).id)
            conditions.reached = try status(name, path + ["status"])
            let within = try number(entry.within, in: 1...86_400, path + ["within"])
            result.append(TripExpectation(conditions, within: within))
        }
        return result
    }

    func shipmentExpectations() throws(YAMLProblem) -> [TripExpectation] {
        var result: [TripExpectation] = []
        for (index, entry) in (entries.expect ?? []).enumerated() {
            let path = ["expect", "\(index)"]
            guard let name = entry.tracking else { continue }
            guard entry.trip == nil, entry.status == nil, let outcome = entry.outcome else {
                throw YAMLProblem(path: path, message: "tracking needs an outcome, and no trip and status")
            }
            var conditions = ExpectedConditions()
            conditions.journey = .shipment(try shipment(name, path + ["tracking"]))
            conditions.reached = .shipment(ShipmentStatus(.closed, try self.outcome(outcome, path + ["outcome"])))
            let within = try number(entry.within, in: 1...86_400, path + ["within"])
            result.append(TripExpectation(conditions, within: within))
        }
        return result
    }

    func caption(
        _ caption: ScenarioFile.CaptionEntry?,
        _ entry: ConditionEntry?,
        _ whileEntry: ScenarioFile.WhileEntry?,
        _ path: [String]
    ) throws(YAMLProblem) -> SceneCaption? {
        guard let caption else {
            for (key, isGiven) in [("expect", entry != nil), ("while", whileEntry != nil)] where isGiven {
                throw YAMLProblem(path: path + [key], message: "\(key): a caption is required with it")
            }
            return nil
        }
        let texts = [caption.text] + caption.translations.values
        guard texts.allSatisfy({ (1...SceneCaptions.longest).contains($0.count) }) else {
            throw YAMLProblem(
                path: path + ["caption"],
                message: "caption: a sentence of at most \(SceneCaptions.longest) characters is expected"
            )
        }
        return SceneCaption(
            caption.text,
            translations: caption.translations,
            expectation: try entry.map { (entry) throws(YAMLProblem) in
                try expectation(caption.text, entry, path + ["expect"])
            },
            stated: try whileEntry.map { (entry) throws(YAMLProblem) in try validity(entry, path + ["while"]) }
        )
    }

    private func validity(
        _ entry: ScenarioFile.WhileEntry,
        _ path: [String]
    ) throws(YAMLProblem) -> SceneCaption.Validity {
        var validity = SceneCaption.Validity()
        validity.conditions.statuses = try statuses(entry.status ?? [], path + ["status"])
        validity.conditions.isFailing = entry.failing
        if let fault = entry.fault {
            let kinds = FaultKind.all.map(\.name)
            guard kinds.contains(fault) else {
                throw YAMLProblem(path: path + ["fault"], message: .unknown(fault, kinds))
            }
            validity.fault = fault
        }
        validity.seconds = try entry.seconds.map { (seconds) throws(YAMLProblem) in
            try number(seconds, in: 1...86_400, path + ["seconds"])
        }
        return validity
    }

    private func expectation(
        _ caption: String,
        _ entry: ConditionEntry,
        _ path: [String]
    ) throws(YAMLProblem) -> TripExpectation {
        TripExpectation(
            name: caption,
            kind: .must(try conditions(entry, path), entry.throughout == true ? .throughout : .once),
            within: try number(entry.within ?? SceneCaption.limit, in: 0...86_400, path + ["within"]),
            grace: try number(entry.grace ?? 0, in: 0...86_400, path + ["grace"])
        )
    }
}
