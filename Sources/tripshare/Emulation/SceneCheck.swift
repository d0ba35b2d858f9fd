import FleetEmulator
import Runtime
import TripFeed
import TripModel

/// Compares what a rider's client sees of a scenario with the scenario's captions and expectations.
///
/// At high speed on a busy machine, polls and drivers may be late. The permitted lateness avoids false violations, but may
/// leave a condition unchecked.
struct SceneCheck {
    /// The tolerance of the scenario's expectations in seconds: it may take three polls until a change is visible.
    private static let tolerance = 15.0
    /// The time between the end of what a caption says and the next caption in seconds: one poll.
    private static let transition = 5.0

    /// The violated expectations in order of time.
    private(set) var violations: [ExpectationResult] = []
    /// The permitted delay of updates in seconds; 0 checks everything.
    private let lateness: Double
    private var scenario: ExpectationChecker
    /// Judges the current caption.
    private var caption: ExpectationChecker
    private var begin: Duration
    /// When the current caption was shown.
    private var shown = Duration.zero

    /// Creates a check of a scenario that starts now.
    init(_ scenario: Scenario, begins: Moment, lateness: Double) {
        self.lateness = lateness
        begin = begins.steady
        let first = scenario.journeys.first
        self.scenario = ExpectationChecker(
            // The client receives no updates about what it does not follow.
            scenario.expectations.filter { $0.journey.map(scenario.journeys.contains) ?? true },
            first: first,
            begins: begins,
            tolerance: .init(lateness: Self.tolerance + lateness, transition: Self.transition)
        )
        caption = ExpectationChecker(
            [],
            first: first,
            begins: begins,
            tolerance: .init(lateness: lateness, transition: Self.transition)
        )
    }

    /// Records that the scenario starts only now.
    mutating func start(at now: Moment) {
        begin = now.steady
        scenario.start(at: now)
        caption.start(at: now)
    }

    /// Records that a caption is shown from `now` on.
    mutating func show(_ next: SceneCaption, at now: Moment) {
        if lateness == 0, var open = caption.results.first, case .waiting(let unmet) = open.reason {
            open.outcome = .failed
            open.reason = .notInTime(unmet, limit: (now.steady - shown).seconds)
            open.seconds = (now.steady - begin).seconds
            violations.append(open)
        }
        shown = now.steady
        caption.replace(with: next.expectation.map { [$0] } ?? [], at: now)
        violations += caption.results.filter(\.isViolation)
    }

    /// Processes a feed event and the facts after it.
    mutating func handle(_ event: FeedEvent, _ table: JourneyTable, at now: Moment) {
        for changed in scenario.handle(event, table, at: now) { add(scenario.results[changed]) }
        for changed in caption.handle(event, table, at: now) { add(caption.results[changed]) }
    }

    private mutating func add(_ result: ExpectationResult) {
        if result.isViolation { violations.append(result) }
    }

    /// The first trip that has not reached its expected status in time.
    var overdue: JourneyID? {
        scenario.results.lazy.compactMap { result in
            switch result.reason {
            case .notInTime, .neverAnswered: result.isViolation ? result.journey : nil
            default: nil
            }
        }.first
    }
}

extension ExpectationResult {
    /// Whether the client did not see what it had to see.
    fileprivate var isViolation: Bool {
        guard case .must = expectation.kind else { return outcome == .failed }
        return outcome == .failed || outcome == .undecided
    }
}
