import Synchronization
import TripFeed

/// What asks a session to end, for a loop that is in the middle of many events.
///
/// The request also comes as an event, but only after the events before it.
final class EndRequest: Sendable {
    private let deadline: ContinuousClock.Instant?
    private let signal = Mutex<Int32?>(nil)

    /// Creates a request that comes after a timeout in real time; `nil` for none.
    init(timeout: Duration?) {
        deadline = timeout.map { .now + $0 }
    }

    /// Records a signal; the first one counts.
    func receive(signal number: Int32) { signal.withLock { $0 = $0 ?? number } }

    /// Returns the outcome of a session that was asked to end; `nil` while it goes on.
    func outcome(of completion: CompletionTracker, _ table: JourneyTable) -> CompletionTracker.Outcome? {
        if let number = signal.withLock(\.self) { return .interrupted(number) }
        return deadline.map { $0 <= .now } == true ? completion.timeout(table) : nil
    }
}
