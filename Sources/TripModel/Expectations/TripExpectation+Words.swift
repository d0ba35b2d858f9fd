extension TripExpectation {
    /// The expectation in the words of its file, such as `status: COMPLETE, within: 60`.
    package var words: String {
        var parts: [String?]
        switch kind {
        case .must(let conditions, let extent):
            parts = conditions.words + limits + [extent == .once ? nil : "\(extent)"]
        case .mustNot(let conditions): parts = ["never"] + conditions.words + limits
        case .manual(let question, _): parts = [question] + limits
        }
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private var limits: [String?] {
        [
            isForAllTrips ? "trips: all" : nil,
            after.map { "after: \($0.words)" }, until.map { "until: \($0.words)" },
            within.map { "within: \(ExpectedConditions.text($0))" },
            grace == 0 ? nil : "grace: \(ExpectedConditions.text(grace))",
        ]
    }
}

extension ExpectedConditions {
    /// The conditions in the words of their file; `nil` for those that are not set.
    fileprivate var words: [String?] {
        func list(_ statuses: [JourneyStatus]) -> String { "[\(statuses.map(\.name).joined(separator: ", "))]" }
        return [
            journey.map { "trip: \($0.rawValue)" },
            reached.map { "status: \($0.name)" },
            statuses.isEmpty ? nil : "status: \(list(statuses))",
            order.isEmpty ? nil : "order: \(list(order))",
            finding.map { "finding: \($0)" },
            isFailing.map { "failing: \($0)" },
        ] + checks.map(\.words)
    }

    /// Returns a number without a fraction of zero.
    package static func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
}
