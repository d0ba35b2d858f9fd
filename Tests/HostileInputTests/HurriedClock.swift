import Foundation
import Synchronization
import TripModel

/// A clock whose sleepers wake at once: it is set on to the time that they wait for.
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

    /// The same time for those who wait for it in the background: their sleep ends with their task alone.
    var patient: PatientClock { PatientClock(clock: self) }
}

/// A clock that shows another one's time and never wakes anybody.
struct PatientClock: TripClock {
    let clock: HurriedClock

    var speed: Double { clock.speed }

    func now() -> Moment { clock.now() }

    func sleep(until deadline: Duration) async throws {
        // Ended by the cancellation of the task: nothing is ever yielded.
        for await _ in AsyncStream<Void>.makeStream().stream {}
        throw CancellationError()
    }
}
