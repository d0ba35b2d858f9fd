import TripModel

/// Builds the conditions of an `expect`; scenarios and files of expectations differ in the trips that they may name.
protocol ConditionBuilder {
    /// Returns a trip by its name in the file.
    func trip(named name: String, _ path: [String]) throws(ScenarioProblem) -> TripID
    /// Returns the name of a finding if it may be used.
    func finding(named name: String, _ path: [String]) throws(ScenarioProblem) -> String
}

extension ConditionBuilder {
    func conditions(_ entry: ScenarioFile.ShownEntry, _ path: [String]) throws(ScenarioProblem) -> ExpectedConditions {
        var conditions = ExpectedConditions()
        if let trip = entry.trip { conditions.trip = try self.trip(named: trip, path + ["trip"]) }
        switch entry.status {
        case .reached(let name)?: conditions.reached = try status(name, path + ["status"])
        case .oneOf(let names)?:
            for name in names { conditions.statuses.append(try status(name, path + ["status"])) }
        case nil: break
        }
        let day = 0.0...86_400
        conditions.overdue = try entry.overdue.map { (seconds) throws(ScenarioProblem) in
            try number(seconds, in: day, path + ["overdue"])
        }
        if let delay = entry.delay {
            guard delay.count == 2, delay[0] <= delay[1] else {
                throw ScenarioProblem(
                    path: path + ["delay"],
                    message: "delay: two numbers are expected, as in [60, 300]"
                )
            }
            conditions.delay = delay[0]...delay[1]
        }
        conditions.finding = try entry.finding.map { (name) throws(ScenarioProblem) in
            try finding(named: name, path + ["finding"])
        }
        conditions.positionAge = try entry.positionAge.map { (seconds) throws(ScenarioProblem) in
            try number(seconds, in: day, path + ["position-age"])
        }
        conditions.othersAhead = entry.othersAhead
        conditions.isFailing = entry.failing
        return conditions
    }

    func status(_ name: String, _ path: [String]) throws(ScenarioProblem) -> TripStatus {
        let status = TripStatus(name: name)
        guard status.rank != nil else {
            throw ScenarioProblem(path: path, message: "a trip status such as COMPLETE is expected")
        }
        return status
    }

    func number(
        _ value: Double,
        in range: ClosedRange<Double>,
        _ path: [String]
    ) throws(ScenarioProblem) -> Double {
        guard range.contains(value) else {
            let (least, most) = (ExpectedConditions.text(range.lowerBound), ExpectedConditions.text(range.upperBound))
            throw ScenarioProblem(
                path: path,
                message: "\(path.last ?? ""): a number from \(least) to \(most) is expected"
            )
        }
        return value
    }
}

extension ScenarioBuilder: ConditionBuilder {
    func trip(named name: String, _ path: [String]) throws(ScenarioProblem) -> TripID { try known(name, path).id }

    // The rules are the client's, and the emulator does not import them; a test plays every scenario.
    func finding(named name: String, _ path: [String]) throws(ScenarioProblem) -> String { name }
}
