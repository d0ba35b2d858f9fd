import TripFeed
import TripModel
import TripText

/// Adds followed trips to the history after their first answer, so that misspelled IDs are not stored.
struct TripHistoryRecorder {
    /// The maximum number of trips stored per run.
    ///
    /// Longer lists come from a file, which keeps them.
    private static let maximumPerRun = 50

    private let history: TripHistory
    private var kept: Set<JourneyID> = []
    private var hasFailed = false

    /// Creates a recorder of events from now on.
    init(_ history: TripHistory) {
        self.history = history
    }

    /// Processes a feed event; returns an error message for the first write failure.
    mutating func update(_ event: FeedEvent) -> String? {
        guard case .polled(let report, _, _) = event, case .success = report.outcome, !hasFailed,
            kept.count < Self.maximumPerRun, kept.insert(event.trip).inserted
        else { return nil }
        do {
            try history.add(event.trip)
            return nil
        } catch {
            hasFailed = true
            return Localizer.ofProcess(.historyNotWritten(file: excerpt(path: error.path)))
        }
    }
}
