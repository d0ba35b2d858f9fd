import Foundation
import Runtime
import Synchronization
import TripModel

/// A clock that never waits: a sleep advances it to the deadline and returns at once.
final class HurriedClock: TripClock {
    private let steady = Locked(Duration.zero)
    static let start = Date(timeIntervalSince1970: 1_767_225_600)

    let speed = 1.0

    func now() -> Moment {
        let steady = steady.withLock { $0 }
        return Moment(wall: Self.start.addingTimeInterval(steady.seconds), steady: steady)
    }

    func sleep(until deadline: Duration) async throws {
        try Task.checkCancellation()
        steady.withLock { $0 = max($0, deadline) }
    }

    /// A clock with the same time for background tasks, whose long sleeps end only with the cancellation of their task.
    var patient: PatientClock { PatientClock(clock: self) }
}

/// A clock that shows another clock's time and wakes a sleeper after a second at most, or never.
struct PatientClock: TripClock {
    let clock: HurriedClock

    var speed: Double { clock.speed }

    func now() -> Moment { clock.now() }

    func sleep(until deadline: Duration) async throws {
        // The least time between two fetches of a token: a poll waits for it.
        if deadline - clock.now().steady <= .seconds(1) { return try await clock.sleep(until: deadline) }
        // Ends when the task is cancelled: nothing is ever yielded.
        for await _ in AsyncStream<Void>.makeStream().stream {}
        throw CancellationError()
    }
}
