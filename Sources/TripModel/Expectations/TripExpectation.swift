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
    package var grace: Double

    /// Creates an expectation that is judged from the start to the end of the session.
    package init(name: String, kind: Kind, after: Occasion? = nil, within: Double? = nil, grace: Double = 0) {
        (self.name, self.kind, self.after, self.within) = (name, kind, after, within)
        self.grace = grace
    }

    /// Creates conditions that must hold in time and for an extent, with their words as the name.
    package init(_ conditions: ExpectedConditions, within: Double?, _ extent: Extent = .once) {
        self.init(name: "", kind: .must(conditions, extent), within: within)
        name = words
    }

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
