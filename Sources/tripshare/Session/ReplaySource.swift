import FleetTokens
import Recording
import Synchronization
import TripFeed
import TripModel
import TripScreen

/// Plays a recording or a log at the times of the session's clock.
final class ReplaySource: Sendable {
    /// What is played.
    enum Content: Sendable {
        /// A recorded session.
        case recording(RecordingReader, RecordingPlayer)
        /// A log, polled as a rider would have.
        case log(LogPlayback)
    }

    private let content: Content
    /// The inspections of tokens by their fingerprints.
    private let verdicts = Mutex<[String: TokenVerdict]>([:])
    private let skipped = Mutex<(count: Int, line: Int)?>(nil)

    /// Creates a source at the start.
    init(_ content: Content) {
        self.content = content
    }

    /// The skipped lines of the recording, after it was played; `nil` if there are none.
    var skippedLines: (count: Int, line: Int)? { skipped.withLock { $0 } }

    /// Returns the inspection of a recorded token that has been played.
    func verdict(of fingerprint: String?) -> TokenVerdict? {
        fingerprint.flatMap { fingerprint in verdicts.withLock { $0[fingerprint] } }
    }

    /// The recording before its first event; `nil` for a log.
    var recording: RecordingReader? {
        guard case .recording(let reader, _) = content else { return nil }
        return reader
    }

    /// Posts every event at its time, and passes notes, captions and faults to a closure.
    ///
    /// Returns at the end or when the task is cancelled.
    func play(
        _ clock: ScaledClock,
        into mailbox: FeedMailbox,
        remark: @Sendable (SessionRemark) -> Void
    ) async {
        switch content {
        case .recording(var reader, var player):
            while let event = reader.next() {
                guard await wait(until: event.at, clock) else { return }
                switch player.item(of: event) {
                case .feed(let event): mailbox.post(event)
                case .token(let event, let inspection):
                    keep(inspection, of: event)
                    mailbox.post(event)
                case nil: if let found = SessionRemark(event) { remark(found) }
                }
            }
            if let first = reader.skipped.first { skipped.withLock { $0 = (reader.skippedCount, first.line) } }
        case .log(var playback):
            while let step = playback.next() {
                guard await wait(until: step.at, clock) else { return }
                for event in step.events { mailbox.post(event) }
            }
        }
    }

    /// Waits for a steady time; returns `false` if the task is cancelled.
    private func wait(until time: Duration, _ clock: ScaledClock) async -> Bool {
        guard time > clock.now().steady else { return !Task.isCancelled }
        // An error means that the session has ended.
        return (try? await clock.sleep(until: time)) != nil
    }

    private func keep(_ inspection: RecordedToken.Inspection?, of event: TokenEvent) {
        guard let inspection, let fingerprint = event.status.fingerprint else { return }
        let verdict = TokenVerdict(
            claims: inspection.claims,
            findings: inspection.findings.compactMap(\.finding)
        )
        verdicts.withLock { verdicts in
            // Only the newest tokens are displayed.
            if verdicts.count >= 1000 { verdicts = [:] }
            verdicts[fingerprint] = verdict
        }
    }
}
