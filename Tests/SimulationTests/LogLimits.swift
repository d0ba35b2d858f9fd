import TripFeed
import TripModel

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

    /// What a rider finds and the readers of a log need not: a rule and a kind of change.
    static let ofReaders: [String: String] = [
        "statusSkipped": "A status was shorter than the time between two polls. A log has every call.",
        "ended": "A log that is followed does not say which poll of a rider was the last one.",
    ]

    /// What a rider finds in answers that lose fields on their way, without a mark: rules and kinds of changes by scenario.
    static let lostFields: [String: Set<String>] = [
        "sparse-answers": ["plan [\"numberOfPassengers\"]", "trackingMissing", "waypointsMissing"]
    ]

    /// What has other times than for a rider: polls that failed on their way did not reach the service.
    static let ofOtherTimes: [String: String] = ["polled": callsOfRider]

    /// What is found at other times although the log should know it, by scenario; no reason is known, so that these are defects.
    static let knownDefects: [String: Set<String>] = [
        "sparse-answers": ["approach"], "van-breakdown": ["arrivalJumped", "estimate"],
    ]

    /// The scenarios that take too long to be compared: ten hours with forty parcels, whose kinds of stops the other ones have.
    static let longScenarios: Set<String> = ["parcel-day"]

    private static let callsOfRider = "A call that fails on its way, or is not made, does not reach the service."
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
