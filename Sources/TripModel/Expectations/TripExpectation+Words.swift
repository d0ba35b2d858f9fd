extension TripExpectation {
    /// The expectation in the words of its file, such as `status: COMPLETE, within: 60`.
    package var words: String {
        var parts: [String?]
        switch kind {
        case .must(let conditions, let isThroughout):
            parts = conditions.words + limits + [isThroughout ? "throughout" : nil]
        case .mustNot(let conditions): parts = ["never"] + conditions.words + limits
        case .manual(let question, _): parts = [question] + limits
        }
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private var limits: [String?] {
        [
            after.map { "after: \($0.name)" }, within.map { "within: \(ExpectedConditions.text($0))" },
            grace == 0 ? nil : "grace: \(ExpectedConditions.text(grace))",
        ]
    }
}

extension ExpectedConditions {
    /// The conditions in the words of their file; `nil` for those that are not set.
    fileprivate var words: [String?] {
        [
            trip.map { "trip: \($0.rawValue)" },
            reached.map { "status: \($0.name)" },
            statuses.isEmpty ? nil : "status: [\(statuses.map(\.name).joined(separator: ", "))]",
            overdue.map { "overdue: \(Self.text($0))" },
            delay.map { "delay: [\(Self.text($0.lowerBound)), \(Self.text($0.upperBound))]" },
            finding.map { "finding: \($0)" },
            positionAge.map { "position-age: \(Self.text($0))" },
            othersAhead.map { "others-ahead: \($0)" },
            isFailing.map { "failing: \($0)" },
        ]
    }

    /// Returns a number without a fraction of zero.
    package static func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
}
