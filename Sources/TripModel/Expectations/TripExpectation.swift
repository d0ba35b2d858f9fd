/// One expectation of a tester: what must happen to a trip, what must not, or a step that the tester judges.
package struct TripExpectation: Sendable, Equatable {
    /// How the expectation is judged.
    package enum Kind: Sendable, Equatable {
        /// The conditions must hold once, or from then on if `isThroughout` is true.
        case must(ExpectedConditions, isThroughout: Bool)
        /// The conditions must not hold.
        case mustNot(ExpectedConditions)
        /// The tester answers this question.
        case manual(question: String, trip: TripID?)
    }

    /// What the reports call it; untrusted text.
    package var name: String
    /// How it is judged.
    package var kind: Kind
    /// The status from which on it is judged; `nil` for the start of the session.
    package var after: TripStatus?
    /// The time limit in seconds from then on; `nil` for the end of the session.
    package var within: Double?
    /// How long after the time limit the conditions may become true, and how long they may be false afterwards, in seconds.
    package var grace: Double

    /// Creates an expectation that is judged from the start to the end of the session.
    package init(name: String, kind: Kind, after: TripStatus? = nil, within: Double? = nil, grace: Double = 0) {
        (self.name, self.kind, self.after, self.within) = (name, kind, after, within)
        self.grace = grace
    }

    /// Creates conditions that must hold in time, or from then on if `isThroughout` is true, with their words as the name.
    package init(_ conditions: ExpectedConditions, within: Double?, isThroughout: Bool = false) {
        self.init(name: "", kind: .must(conditions, isThroughout: isThroughout), within: within)
        name = words
    }

    /// The trip that the file names; `nil` for the first followed one.
    package var trip: TripID? {
        switch kind {
        case .must(let conditions, _), .mustNot(let conditions): conditions.trip
        case .manual(_, let trip): trip
        }
    }
}
