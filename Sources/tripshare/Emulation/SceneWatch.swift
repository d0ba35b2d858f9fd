import FleetEmulator
import Synchronization
import TripFeed
import TripModel

/// Holds the check of a scenario while it is played and followed in one process.
final class SceneWatch: Sendable {
    private let check: Mutex<SceneCheck>
    private let clock: any TripClock

    /// Watches a scenario that begins now, of which the captions come from the play.
    init(_ scenario: Scenario, captions: SceneCaptions, clock: any TripClock, lateness: Double) {
        self.clock = clock
        check = Mutex(SceneCheck(scenario, begins: clock.now(), lateness: lateness))
        captions.observe { [weak self] in self?.show($0) }
    }

    private func show(_ caption: SceneCaption) {
        let now = clock.now()
        check.withLock { $0.show(caption, at: now) }
    }

    /// Takes news of the feed.
    func take(_ event: FeedEvent) {
        let now = clock.now()
        check.withLock { $0.take(event, at: now) }
    }

    /// What did not hold so far.
    var violations: [SceneCheck.Violation] { check.withLock { $0.violations } }

    /// The failure of a command that played the scenario; `nil` where all held.
    var failure: CommandFailure? {
        let violations = violations
        guard let first = violations.first else { return nil }
        let more = violations.count > 1 ? "\n\(violations.count - 1) more did not hold." : ""
        return CommandFailure(
            .expectationFailed,
            "An expectation of the scenario was violated at \(Int(first.time.rounded())) s:\n\(first.text).\(more)"
        )
    }
}
