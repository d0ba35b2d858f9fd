import Failures
import FleetEmulator
import Runtime
import Synchronization
import TripFeed
import TripModel
import TripText

/// Runs a ``SceneCheck`` while a scenario is played and followed in the same process.
final class SceneWatch: SessionObserver {
    private let check: Mutex<SceneCheck>
    private let clock: any TripClock

    /// Creates a watch for a scenario that starts now; the captions come from the player.
    init(_ scenario: Scenario, captions: SceneCaptions, clock: any TripClock, lateness: Double) {
        self.clock = clock
        check = Mutex(SceneCheck(scenario, begins: clock.now(), lateness: lateness))
        captions.observe { [weak self] in self?.show($0) }
    }

    /// Records that the scenario starts only now: the emulator is ready.
    func start() {
        let now = clock.now()
        check.withLock { $0.start(at: now) }
    }

    private func show(_ caption: SceneCaption) {
        let now = clock.now()
        check.withLock { $0.show(caption, at: now) }
    }

    /// Judges by an event of a trip.
    func receive(_ item: SessionItem, _ changes: [JourneyChange], _ table: JourneyTable) {
        guard case .feed(let event) = item.content else { return }
        let now = clock.now()
        check.withLock { $0.handle(event, table, at: now) }
    }

    /// The violations so far.
    var violations: [ExpectationResult] { check.withLock { $0.violations } }

    /// The first trip that has not reached its expected status in time.
    var overdue: JourneyID? { check.withLock(\.overdue) }

    /// The failure of the command that played the scenario; `nil` if there were no violations.
    var failure: CommandFailure? {
        let violations = violations
        guard let first = violations.first else { return nil }
        let more = violations.count - 1
        return CommandFailure(.expectationFailed) { localizer in
            let others = more > 0 ? localizer(.moreViolations(count: more)) : ""
            return localizer(
                .failureExpectation(
                    seconds: String(Int((first.seconds ?? 0).rounded())),
                    text: localizer.sentence(about: first),
                    more: others
                )
            )
        }
    }
}

extension SceneCaption.Validity {
    /// The conditions in the words of a scenario, such as `status ENROUTE_TO_PICKUP`; empty without any.
    var words: String {
        let statuses = conditions.statuses.map(\.name).joined(separator: "|")
        let parts: [String?] = [
            statuses.isEmpty ? nil : "status \(statuses)",
            conditions.isFailing.map { "failing \($0)" },
            fault.map { "fault \($0)" },
            seconds.map { "seconds \(Int($0.rounded()))" },
        ]
        return (parts.compactMap(\.self) + conditions.checks.map(\.words)).joined(separator: ", ")
    }
}
