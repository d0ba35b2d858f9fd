import TripFeed

/// What the log of a service cannot know of what a rider or a recipient saw, and why; every other difference is a defect.
///
/// What a fault between the service and the rider has changed in an answer is not in the log, either.
enum LogLimits {
    /// The rules whose findings a log cannot have.
    static let rules: [String: String] = [
        "pollsOverlap": callsOfRider, "noBackOff": callsOfRider, "pollsFail": callsOfRider,
        "serviceRefuses": callsOfRider, "tokenForAnother": tokens, "tokenIDForm": tokens, "tokenUnusable": tokens,
        "tokenTooShortLived": tokens, "tokenRefetched": tokens, "clocksDiffer": clock, "answerCached": cache,
    ]

    /// The kinds of changes that a log cannot have.
    static let changes: [String: String] = [
        "failure": callsOfRider, "recovery": callsOfRider, "schedule": callsOfRider, "omission": callsOfRider,
        "positionAge paused": callsOfRider, "positionAge pollingFails": callsOfRider, "positionAge cached": cache,
        "clocks": clock, "token": tokens,
    ]

    /// What a rider finds and the readers of a log need not: rules and kinds of changes.
    static let ofReaders: [String: String] = [
        "statusSkipped": everyCall, "positionGap": gap, "estimate": estimates,
        "answerOutdated": "The calls of a log are in the order of the service.",
        "ended": "A log that is followed does not say which poll of a rider was the last one.",
    ]

    /// What a rider finds after a fault and the readers of a log do not: kinds of changes.
    static let ofReadersAfterFaults: [String: String] = [
        "tour": "Values that a fault has removed from an answer come back."
    ]

    /// What the readers of a log find and a rider need not, although polls saw the same states.
    static let ofRiders: [String: String] = ["positionGap": gap, "estimate": estimates]

    /// The names in these tables that are kinds of changes.
    static let readerChanges: Set<String> = ["estimate", "ended"]

    /// The scenarios in which answers lose fields on their way, without a mark, so that riders see other changes and findings.
    static let scenariosWithLostFields: Set<String> = ["sparse-answers"]

    /// The scenarios that take too long to be compared: ten hours with forty parcels, whose kinds of stops the other ones have.
    static let longScenarios: Set<String> = ["parcel-day"]

    private static let callsOfRider = "A call that fails on its way, or is not made, does not reach the service."
    private static let everyCall = "A status was shorter than the time between two polls. A log has every call."
    private static let gap = "Of a gap between two reports, only the part up to the last answer is certain."
    private static let estimates = "Estimates at other times differ from each other by other amounts."
    private static let tokens = "The log has no tokens."
    private static let clock = "Entries have the time of the service only."
    private static let cache = "The answer of a cache does not come from the service."
}

extension JourneyChange.Kind {
    /// The name of the kind; `nil` for findings, which are compared by their rules, and for a vehicle that reports again.
    var name: String? {
        switch self {
        case .began: "began"
        case .polled: "polled"
        case .failure: "failure"
        case .recovery: "recovery"
        case .answered: "answered"
        case .status: "status"
        case .tour: "tour"
        case .vehicle: "vehicle"
        case .plan(let fields): "plan \(fields.map(\.rawValue))"
        case .estimate: "estimate"
        case .approach: "approach"
        case .clocks: "clocks"
        case .positionAge(let age, _): age?.reason.map { "positionAge \($0.rawValue)" }
        case .reportsAgain: nil
        case .schedule: "schedule"
        case .findings: nil
        case .omission: "omission"
        case .token: "token"
        case .ended: "ended"
        }
    }
}
