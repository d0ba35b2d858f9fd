/// One expectation of a tester: what must happen to a trip, what must not, or a step that the tester judges.
package struct TripExpectation: Sendable, Equatable {
    /// How the expectation is judged.
    package enum Kind: Sendable, Equatable {
        /// The conditions must hold as the extent says.
        case must(ExpectedConditions, Extent)
        /// The conditions must not hold.
        case mustNot(ExpectedConditions)
        /// The tester answers this question.
        case manual(question: String, journey: JourneyID?)
    }

    /// How long conditions must hold.
    package enum Extent: Sendable, Equatable {
        /// At one poll.
        case once
        /// From the first poll at which they hold on.
        case throughout
        /// At each poll; a poll at which a value is unknown does not count.
        case always
    }

    /// What the reports call it; untrusted text.
    package var name: String
    /// How it is judged.
    package var kind: Kind
    /// Whether each followed trip is judged, not only one.
    package var isForAllTrips = false
    /// When it begins to be judged; `nil` for the start of the session.
    package var after: Occasion?
    /// When it ends to be judged; `nil` for the end of the trip or the session.
    package var until: Occasion?
    /// The time limit in seconds from then on; `nil` for the end of the session.
    package var within: Double?
    /// How long after the time limit the conditions may become true, and how long they may be false afterwards, in seconds.
    package var grace: Double = 0

    /// The conditions; `nil` for a question.
    package var conditions: ExpectedConditions? {
        switch kind {
        case .must(let conditions, _), .mustNot(let conditions): conditions
        case .manual: nil
        }
    }

    /// The journey that the file names; `nil` for the first followed one.
    package var journey: JourneyID? {
        if case .manual(_, let journey) = kind { journey } else { conditions?.journey }
    }

    /// All comparisons, including the comparisons of its occasions.
    package var checks: [MeasureCheck] {
        (conditions?.checks ?? [])
            + [after, until].compactMap { if case .check(let check)? = $0 { check } else { nil } }
    }
}

extension TripExpectation {
    /// Creates conditions that must hold in time and for an extent, with their words as the name.
    package init(_ conditions: ExpectedConditions, within: Double?, _ extent: Extent = .once) {
        self.init(name: "", kind: .must(conditions, extent), within: within)
        name = words
    }
}

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

/// Conditions on a rider's view of a trip; all of those that are set must be true at the same time.
///
/// Scenarios and the files of `--expect` contain them under `expect`.
package struct ExpectedConditions: Sendable, Equatable {
    /// The journey; `nil` for the first followed one.
    package var journey: JourneyID?
    /// The accepted statuses; empty for any.
    package var statuses: [JourneyStatus] = []
    /// The status that the trip must have or have had; `nil` for any.
    package var reached: JourneyStatus?
    /// The statuses that must have been seen in this order; empty for any.
    package var order: [JourneyStatus] = []
    /// The name of a reported finding.
    package var finding: String?
    /// Whether the last poll failed.
    package var isFailing: Bool?
    /// The comparisons of measured values.
    package var checks: [MeasureCheck] = []

    /// Creates an empty set of conditions.
    package init() {}
}

/// When an expectation begins or ends to be judged.
package enum Occasion: Sendable, Equatable {
    /// The trip has or had this status.
    case status(JourneyStatus)
    /// The comparison is true for the first time.
    case check(MeasureCheck)

    /// The occasion as it is written.
    package var words: String {
        switch self {
        case .status(let status): status.name
        case .check(let check): check.words
        }
    }
}
