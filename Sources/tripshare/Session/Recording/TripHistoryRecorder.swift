import TripFeed
import TripModel
import TripText

/// Adds followed trips to the history after their first answer, so that misspelled IDs are not stored.
struct TripHistoryRecorder {
    /// The maximum number of trips stored per run.
    ///
    /// Longer lists come from a file, which preserves them.
    private static let maximumPerRun = 50

    private let history: TripHistory
    private var keptCount = 0
    private var hasFailed = false

    /// Creates a recorder of events from now on.
    init(_ history: TripHistory) {
        self.history = history
    }

    /// Adds a trip that an event has shown first; returns an error message for the first write failure.
    mutating func update(_ changes: [JourneyChange]) -> String? {
        for change in changes {
            guard case .answered(_, before: nil) = change.kind, !hasFailed, keptCount < Self.maximumPerRun else {
                continue
            }
            keptCount += 1
            do {
                try history.add(change.journey)
            } catch {
                hasFailed = true
                return Localizer.ofProcess(.historyNotWritten(file: excerpt(path: error.path)))
            }
        }
        return nil
    }
}
