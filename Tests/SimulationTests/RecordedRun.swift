import Recording
import Runtime
import Synchronization
import TripFeed
import TripModel

@testable import tripshare

/// The events of a run as lines of a recording.
final class RecordedRun: Sendable {
    private let lines: Mutex<[UInt8]>
    private let provider: ProviderID

    init(provider: ProviderID, start: Moment, seed: UInt64) {
        self.provider = provider
        let header = RecordingHeader(
            program: "simulation",
            start: RecordedMoment(start),
            seed: seed,
            configuration: .init(
                provider: provider.rawValue,
                service: "https://engine.example",
                host: "engine.example",
                trips: [],
                interval: 5
            ),
            display: .init(width: 80, height: 24, language: "en", units: "metric", output: "json"),
            zone: .init(offset: 0, name: "UTC", hasTwelveHours: false)
        )
        lines = Mutex(RecordingLine.bytes(header))
    }

    /// Adds an event.
    func add(_ event: FeedEvent, at now: Moment) {
        let line = RecordingLine.bytes(RecordedEvent(RecordedEvent.Content(event), at: now))
        lines.withLock { $0 += line }
    }

    /// Reads the recording and returns the last state of each trip; a problem if a line can't be read.
    func replayed() -> (states: [JourneyID: TripState], problem: String?) {
        guard var reader = try? RecordingReader(bytes: lines.withLock(\.self)) else { return ([:], "it has no header") }
        var player = RecordingPlayer(provider: provider)
        var states: [JourneyID: TripState] = [:]
        while let event = reader.next() {
            switch player.item(of: event) {
            case .feed(.polled(let report, let state, _))?: states[report.journey] = state
            // If the trip is added again, its state starts empty.
            case .feed(.ended(let trip, .left))?, .feed(.ended(let trip, .reached))?: states[trip] = nil
            default: break
            }
        }
        return (states, reader.skippedCount > 0 ? "\(reader.skippedCount) lines can't be read" : nil)
    }
}
