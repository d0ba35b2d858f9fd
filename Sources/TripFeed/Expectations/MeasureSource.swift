import TripModel

extension Measure {
    /// What a value is measured in.
    ///
    /// As long as nothing was seen of it, it has no value and is not missing either.
    enum Source: Sendable {
        /// An answer with the trip.
        case answer
        /// The calls: polls of the session, or the rider's calls in a log.
        case calls
        /// The duration of a request that was answered.
        case latency
        /// The body of the last answer.
        case size
        /// The token.
        case token
    }

    /// The sources of the measures that are not about an answer with the trip.
    private static let sources: [String: Source] = [
        "polls": .calls, "failures": .calls, "latency": .latency, "latency.max": .latency, "latency.p50": .latency,
        "latency.p95": .latency, "bytes": .size, "token.fetches": .token, "token.number": .token,
        "token.failures": .token, "token.lifetime": .token, "token.left": .token,
    ]

    /// Returns what a measure is measured in.
    static func source(of id: String) -> Source { sources[id] ?? .answer }
}

extension ExpectedConditions {
    /// What must be seen to know whether they hold.
    var sources: Set<Measure.Source> {
        var sources = Set(checks.map { Measure.source(of: $0.measure) })
        if isFailing != nil { sources.insert(.calls) }
        // A condition without anything is about the trip, too.
        if !statuses.isEmpty || reached != nil || !order.isEmpty || finding != nil || sources.isEmpty {
            sources.insert(.answer)
        }
        return sources
    }
}

extension UnmetCondition {
    /// What must be seen to know whether it holds.
    var source: Measure.Source {
        switch self {
        case .unknownTrip, .noAnswer, .status, .notReached, .order, .finding: .answer
        case .failing, .noCalls: .calls
        case .check(let check, _): Measure.source(of: check.measure)
        }
    }
}
