package import TripModel

/// A file of expectations: the YAML of `--expect`.
package enum ExpectationFile {
    /// The maximum number of expectations in a file.
    package static let maximumCount = 200

    /// Reads a file of expectations.
    ///
    /// - Parameters:
    ///   - yaml: The text of the file.
    ///   - file: The name used in errors.
    ///   - trips: The trips that it may name; `nil` if any trip may be followed later.
    ///   - findings: The names of findings that it may use.
    /// - Returns: The expectations in the order of the file.
    /// - Throws: ``YAMLFileError`` with the line and the expected value.
    package static func read(
        yaml: String,
        file: String,
        trips: [JourneyID]?,
        findings: [String]
    ) throws(YAMLFileError) -> [TripExpectation] {
        let document = try YAMLDocument(yaml, file: file, expected: "expect")
        return try document.read(Entries.self, keys: Entries.keys) { (entries) throws(YAMLProblem) in
            let count = entries.expect.count
            guard (1...maximumCount).contains(count) else {
                throw YAMLProblem(
                    path: ["expect"],
                    message: "expect: 1 to \(maximumCount) expectations are expected, not \(count)"
                )
            }
            let builder = ExpectationBuilder(trips: trips, findings: findings)
            var expectations: [TripExpectation] = []
            for (index, entry) in entries.expect.enumerated() {
                expectations.append(try builder.expectation(entry, ["expect", "\(index)"]))
            }
            return expectations
        }
    }

    struct Entries: Decodable {
        var expect: [Entry]

        /// The allowed keys of each mapping, by its path.
        static let keys: [String: [String]] = [
            "": ["expect"],
            "expect.*": Entry.CodingKeys.allCases.map(\.stringValue)
                + ConditionEntry.CodingKeys.allCases.map(\.stringValue),
        ]
    }

    struct Entry: Decodable {
        var name: String?
        var ask: String?
        var trips: String?
        var never: Bool?
        var always: Bool?
        var after: String?
        var until: String?
        var shown: ConditionEntry

        enum CodingKeys: String, CodingKey, CaseIterable {
            case name
            case ask
            case trips
            case never
            case always
            case after
            case until
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decodeIfPresent(String.self, forKey: .name)
            ask = try container.decodeIfPresent(String.self, forKey: .ask)
            trips = try container.decodeIfPresent(String.self, forKey: .trips)
            never = try container.decodeIfPresent(Bool.self, forKey: .never)
            always = try container.decodeIfPresent(Bool.self, forKey: .always)
            after = try container.decodeIfPresent(String.self, forKey: .after)
            until = try container.decodeIfPresent(String.self, forKey: .until)
            shown = try ConditionEntry(from: decoder)
        }
    }
}

/// Builds the expectations of a file.
private struct ExpectationBuilder: ConditionBuilder {
    let trips: [JourneyID]?
    let findings: [String]

    /// Returns a trip or a shipment by its name, or by its ID if only one that is followed has it.
    func journey(named name: String, _ path: [String]) throws(YAMLProblem) -> JourneyID {
        let same = (trips ?? []).filter { $0.rawValue.hasSameBytes(as: name) }
        if same.count == 1 { return same[0] }
        let id: JourneyID
        do {
            id = try JourneyID(named: name)
        } catch {
            throw YAMLProblem(path: path, message: "trip: an ID of at most 64 characters is expected")
        }
        guard let trips, !trips.contains(id) else { return id }
        let known = trips.prefix(10).map(\.name).joined(separator: ", ")
        throw YAMLProblem(
            path: path,
            message: "trip: \(name.prefix(40)) is not followed; valid IDs: \(known)"
        )
    }

    func finding(named name: String, _ path: [String]) throws(YAMLProblem) -> String {
        guard findings.contains(name) else {
            throw YAMLProblem(path: path, message: "finding: \(String.unknown(name, findings))")
        }
        return name
    }

    func expectation(
        _ entry: ExpectationFile.Entry,
        _ path: [String]
    ) throws(YAMLProblem) -> TripExpectation {
        for (key, text) in [("name", entry.name), ("ask", entry.ask)] {
            guard let text, !(1...200).contains(text.count) else { continue }
            throw YAMLProblem(path: path + [key], message: "\(key): a text of 1 to 200 characters is expected")
        }
        let conditions = try conditions(entry.shown, path)
        let within = try entry.shown.within.map { (seconds) throws(YAMLProblem) in
            try number(seconds, in: 0...86_400, path + ["within"])
        }
        let grace = try number(entry.shown.grace ?? 0, in: 0...86_400, path + ["grace"])
        let isLasting = entry.shown.throughout == true || entry.always == true
        guard entry.shown.grace == nil || within != nil || isLasting else {
            throw YAMLProblem(
                path: path + ["grace"],
                message: "grace: only together with within, throughout or always"
            )
        }
        var expectation = TripExpectation(name: "", kind: try kind(of: entry, conditions, path))
        (expectation.within, expectation.grace) = (within, grace)
        expectation.after = try occasion(entry.after, path + ["after"])
        expectation.until = try occasion(entry.until, path + ["until"])
        expectation.isForAllTrips = try isForAllTrips(entry, path)
        expectation.name = entry.name ?? entry.ask ?? expectation.words
        return expectation
    }

    private func occasion(_ text: String?, _ path: [String]) throws(YAMLProblem) -> Occasion? {
        try text.map { (text) throws(YAMLProblem) in try occasion(text, path) }
    }

    private func isForAllTrips(_ entry: ExpectationFile.Entry, _ path: [String]) throws(YAMLProblem) -> Bool {
        guard let trips = entry.trips else { return false }
        guard trips == "all" else {
            throw YAMLProblem(path: path + ["trips"], message: "trips: only all is known")
        }
        guard entry.shown.trip == nil, entry.ask == nil else {
            throw YAMLProblem(path: path + ["trips"], message: "trips: not together with trip or ask")
        }
        return true
    }

    private func kind(
        of entry: ExpectationFile.Entry,
        _ conditions: ExpectedConditions,
        _ path: [String]
    ) throws(YAMLProblem) -> TripExpectation.Kind {
        var none = ExpectedConditions()
        none.journey = conditions.journey
        if let question = entry.ask {
            guard conditions == none, entry.never == nil, entry.always == nil, entry.until == nil,
                entry.shown.within == nil, entry.shown.throughout == nil
            else {
                throw YAMLProblem(
                    path: path + ["ask"],
                    message: "ask: a question takes only name, trip and after with it"
                )
            }
            return .manual(question: question, journey: conditions.journey)
        }
        guard conditions != none else {
            throw YAMLProblem(
                path: path,
                message: "a condition is expected: status, order, check, overdue, delay, finding, position-age, "
                    + "others-ahead, failing, or ask"
            )
        }
        let extents = [("throughout", entry.shown.throughout), ("always", entry.always), ("never", entry.never)]
        let chosen = extents.filter { $0.1 == true }.map(\.0)
        guard chosen.count < 2 else {
            throw YAMLProblem(path: path + [chosen[0]], message: "\(chosen[0]): not together with \(chosen[1])")
        }
        return switch chosen.first {
        case "never": .mustNot(conditions)
        case "always": .must(conditions, .always)
        case "throughout": .must(conditions, .throughout)
        default: .must(conditions, .once)
        }
    }
}
