import Failures
import FleetEmulator
import Runtime
import TripFeed
import TripModel

/// Shows each caption of a scenario only while it is true for the rider's client.
///
/// A driver's step begins before a poll shows its effect. A caption waits until all of its ``SceneCaption/validity`` is seen,
/// and gives way when it is not seen any more, or when its time is over: to the last earlier one that is true again, or to none.
struct CaptionGate {
    /// A caption and its beginning.
    private struct Known {
        let caption: SceneCaption
        let validity: SceneCaption.Validity
        let since: Moment
    }

    private let first: JourneyID?
    private var known: [Known] = []
    /// The kinds of the faults of the last poll of each trip.
    private var faults: [JourneyID: [String]] = [:]
    private var seen: [JourneyID: TripObservation] = [:]
    private var shown: SceneCaption?

    /// The maximum number of captions that may become true again.
    private static let mostCaptions = 100

    /// Creates a gate for captions about the first of some trips.
    init(_ trips: [JourneyID]) { first = trips.first }

    /// Takes a caption of the scenario; returns whether another caption is now shown.
    mutating func handle(_ caption: SceneCaption, at now: Moment) -> Bool {
        known = known.suffix(Self.mostCaptions - 1) + [Known(caption: caption, validity: caption.validity, since: now)]
        return judge(at: now)
    }

    /// Takes an event of a trip and the facts after it; returns whether another caption is now shown.
    mutating func handle(_ event: FeedEvent, _ table: JourneyTable, at now: Moment) -> Bool {
        if case .polled(let report, _, _) = event { faults[event.journey] = report.fault?.names }
        guard !known.isEmpty || event.journey == first else { return false }
        guard seen[event.journey, default: TripObservation()].handle(event, table) else { return false }
        return judge(at: now)
    }

    /// Takes the time; returns whether another caption is now shown.
    mutating func advance(to now: Moment) -> Bool {
        known.contains { $0.validity.seconds != nil } && judge(at: now)
    }

    /// The caption that is shown; `nil` if none is true.
    var caption: SceneCaption? { shown }

    private mutating func judge(at now: Moment) -> Bool {
        let before = shown
        shown = known.last { isTrue($0, at: now) }?.caption
        return shown != before
    }

    private func isTrue(_ known: Known, at now: Moment) -> Bool {
        let (validity, conditions) = (known.validity, known.validity.conditions)
        if let seconds = validity.seconds, (now.steady - known.since.steady).seconds >= seconds { return false }
        let trip = conditions.journey ?? first
        if let fault = validity.fault, trip.flatMap({ faults[$0] })?.contains(fault) != true { return false }
        guard conditions != ExpectedConditions() else { return true }
        guard let trip, let observation = seen[trip] else { return false }
        return observation.unmet(conditions, at: now).isEmpty
    }
}
