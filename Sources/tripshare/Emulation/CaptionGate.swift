import FleetEmulator
import Runtime
import TripFeed
import TripModel

/// Shows each caption of a scenario only while it is true for the rider's client.
///
/// A driver's step begins before a poll shows its effect. A caption waits until its statuses, its other riders and its
/// failures are seen, and gives way when they are not seen any more: to the last earlier one that is true again, or to none.
struct CaptionGate {
    private let first: JourneyID?
    private var known: [SceneCaption] = []
    private var seen: [JourneyID: TripObservation] = [:]
    private var shown: SceneCaption?

    /// The maximum number of captions that may become true again.
    private static let mostCaptions = 100

    /// Creates a gate for captions about the first of some trips.
    init(_ trips: [JourneyID]) { first = trips.first }

    /// Takes a caption of the scenario; returns whether another caption is now shown.
    mutating func handle(_ caption: SceneCaption, at now: Moment) -> Bool {
        known = known.suffix(Self.mostCaptions - 1) + [caption]
        return judge(at: now)
    }

    /// Takes an event of a trip and the facts after it; returns whether another caption is now shown.
    mutating func handle(_ event: FeedEvent, _ table: JourneyTable, at now: Moment) -> Bool {
        guard !known.isEmpty || event.journey == first else { return false }
        guard seen[event.journey, default: TripObservation()].handle(event, table) else { return false }
        return judge(at: now)
    }

    /// The caption that is shown; `nil` if none is true.
    var caption: SceneCaption? { shown }

    private mutating func judge(at now: Moment) -> Bool {
        let before = shown
        shown = known.last { isTrue($0, at: now) }
        return shown != before
    }

    private func isTrue(_ caption: SceneCaption, at now: Moment) -> Bool {
        let conditions = caption.visibleConditions
        guard conditions != ExpectedConditions() else { return true }
        guard let trip = conditions.journey ?? first, let observation = seen[trip] else { return false }
        return observation.unmet(conditions, at: now).isEmpty
    }
}

extension SceneCaption {
    /// What must be seen while it is shown; its other conditions come true in the course of it.
    var visibleConditions: ExpectedConditions {
        guard case .must(let wanted, _)? = expectation?.kind else { return ExpectedConditions() }
        var conditions = ExpectedConditions()
        // The end of the ride has words of its own; a caption about the way to it is over then.
        let onTheWay = wanted.statuses.filter { !$0.isTerminal }
        conditions.statuses = onTheWay.isEmpty ? wanted.statuses : onTheWay
        conditions.checks = wanted.checks.filter { $0.measure == "others-ahead" }
        if wanted.isFailing == true { conditions.isFailing = true }
        if conditions != ExpectedConditions() { conditions.journey = wanted.journey }
        return conditions
    }
}
