import Runtime
package import TripModel

/// Builds the conditions of an `expect`; scenarios and files of expectations differ in the trips that they may name.
package protocol ConditionBuilder {
    /// Returns a trip or a shipment by its name in the file.
    func journey(named name: String, _ path: [String]) throws(YAMLProblem) -> JourneyID
    /// Returns the name of a finding if it may be used.
    func finding(named name: String, _ path: [String]) throws(YAMLProblem) -> String
}

extension ConditionBuilder {
    package func conditions(_ entry: ConditionEntry, _ path: [String]) throws(YAMLProblem) -> ExpectedConditions {
        var conditions = ExpectedConditions()
        if let trip = entry.trip { conditions.journey = try journey(named: trip, path + ["trip"]) }
        switch entry.status {
        case .one(let name)?: conditions.reached = try status(name, path + ["status"])
        case .more(let names)?: conditions.statuses = try statuses(names, path + ["status"])
        case nil: break
        }
        conditions.order = try statuses(entry.order ?? [], path + ["order"])
        guard entry.order == nil || Set(conditions.order).count == conditions.order.count, entry.order?.count != 1
        else {
            throw YAMLProblem(path: path + ["order"], message: "order: two or more different statuses are expected")
        }
        conditions.finding = try entry.finding.map { (name) throws(YAMLProblem) in
            try finding(named: name, path + ["finding"])
        }
        conditions.checks = try checks(entry, path)
        conditions.isFailing = entry.failing
        return conditions
    }

    /// Returns the comparisons: first from the keys that have their own comparison, then the explicit comparisons.
    private func checks(_ entry: ConditionEntry, _ path: [String]) throws(YAMLProblem) -> [MeasureCheck] {
        let day = 0.0...86_400
        var checks: [MeasureCheck] = []
        func add(_ id: String, _ relation: MeasureCheck.Relation, _ number: Double) {
            let quantity = MeasureForm.all.first { $0.id == id }?.quantity ?? .number
            checks.append(MeasureCheck(id, relation, .number(number), unit: .basic(of: quantity)))
        }
        if let late = entry.overdue { add("overdue", .atLeast, try number(late, in: day, path + ["overdue"])) }
        if let delay = entry.delay {
            guard delay.count == 2, delay[0] <= delay[1] else {
                throw YAMLProblem(
                    path: path + ["delay"],
                    message: "delay: two numbers are expected, as in [60, 300]"
                )
            }
            add("delay", .atLeast, delay[0])
            add("delay", .atMost, delay[1])
        }
        if let age = entry.positionAge {
            add("position-age", .atLeast, try number(age, in: day, path + ["position-age"]))
        }
        if let others = entry.othersAhead { add("others-ahead", .atLeast, Double(others)) }
        switch entry.check {
        case .one(let text)?: checks.append(try CheckReader.check(text, path + ["check"]))
        case .more(let texts)?:
            for (index, text) in texts.enumerated() {
                checks.append(try CheckReader.check(text, path + ["check", "\(index)"]))
            }
        case nil: break
        }
        return checks
    }

    /// Returns a status or a comparison.
    package func occasion(_ text: String, _ path: [String]) throws(YAMLProblem) -> Occasion {
        CheckReader.isCheck(text) ? .check(try CheckReader.check(text, path)) : .status(try status(text, path))
    }

    package func statuses(_ names: [String], _ path: [String]) throws(YAMLProblem) -> [JourneyStatus] {
        var statuses: [JourneyStatus] = []
        for name in names { statuses.append(try status(name, path)) }
        return statuses
    }

    package func status(_ name: String, _ path: [String]) throws(YAMLProblem) -> JourneyStatus {
        guard let status = JourneyStatus(known: name) else {
            let hint =
                Spelling.nearest(to: name, among: JourneyStatus.known.map(\.name)).map { ", perhaps \($0)" } ?? ""
            throw YAMLProblem(path: path, message: "a trip status such as COMPLETE is expected\(hint)")
        }
        return status
    }

    package func tripStatus(_ name: String, _ path: [String]) throws(YAMLProblem) -> TripStatus {
        guard case .trip(let status) = try status(name, path) else {
            throw YAMLProblem(path: path, message: "a trip status such as COMPLETE is expected")
        }
        return status
    }

    package func number(
        _ value: Double,
        in range: ClosedRange<Double>,
        _ path: [String]
    ) throws(YAMLProblem) -> Double {
        guard range.contains(value) else {
            let (least, most) = (ExpectedConditions.text(range.lowerBound), ExpectedConditions.text(range.upperBound))
            throw YAMLProblem(
                path: path,
                message: "\(path.last ?? ""): a number from \(least) to \(most) is expected"
            )
        }
        return value
    }
}

/// What must be visible: the conditions under `expect` in scenarios and in files of expectations.
package struct ConditionEntry: Decodable {
    var trip: String?
    /// One status, which the trip must have reached, or a list of statuses; the trip must have one of them now.
    var status: OneOrMore?
    var order: [String]?
    var check: OneOrMore?
    var overdue: Double?
    var delay: [Double]?
    var finding: String?
    var positionAge: Double?
    var othersAhead: Int?
    var failing: Bool?
    /// The seconds within which the conditions must hold; `nil` without a limit.
    package var within: Double?
    /// Whether the conditions must hold from then on.
    package var throughout: Bool?
    /// The seconds that are tolerated; `nil` for none.
    package var grace: Double?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case trip
        case status
        case order
        case check
        case overdue
        case delay
        case finding
        case positionAge = "position-age"
        case othersAhead = "others-ahead"
        case failing
        case within
        case throughout
        case grace
    }
}

/// One text, or a list of texts.
package enum OneOrMore: Decodable {
    case one(String)
    case more([String])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Anything but a text must be a list.
        if let text = try? container.decode(String.self) {
            self = .one(text)
        } else {
            self = .more(try container.decode([String].self))
        }
    }
}
