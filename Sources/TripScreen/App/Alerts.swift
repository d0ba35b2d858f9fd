import Canvas
import TripFeed
import TripModel
import TripText

/// Decides when `--bell` rings: on arrivals, drop-off, cancellation and loss of tracking.
struct Alerts: Sendable {
    private struct Known: Sendable {
        var status: TripStatus?
        var isLost = false
    }

    /// The statuses that ring the bell.
    private static let statuses: Set<TripStatus> = [
        .arrivedAtPickup, .arrivedAtIntermediateDestination, .complete, .canceled,
    ]

    private var known: [TripID: Known] = [:]

    /// Returns the notification for an event; `nil` if there is none.
    ///
    /// The state at the first answer is not reported. A loss of tracking is reported once, until the position is fresh again.
    mutating func text(for event: FeedEvent, host: String, localizer: Localizer) -> String? {
        let trip = event.trip
        var known = self.known[trip] ?? Known()
        var isOver = false
        defer { self.known[trip] = isOver ? nil : known }
        switch event {
        case .polling, .scheduled, .found, .omitted: return nil
        case .polled(let report, let state, let schedule):
            let age = PositionAge(state: state, schedule: schedule, at: report.finished)
            let wasLost = known.isLost
            known.isLost = age?.isLost ?? false
            if let status = state.trip?.status, status != known.status {
                let isFirst = known.status == nil
                known.status = status
                if !isFirst, Self.statuses.contains(status) {
                    return line(trip, StatusWords(state, localizer: localizer).text)
                }
            }
            guard known.isLost, !wasLost, let age, let words = age.explanation(localizer) else { return nil }
            return line(
                trip,
                localizer(
                    .positionIsOld,
                    ["age": localizer.age(age.received ?? age.measured ?? .zero), "reason": words]
                )
            )
        case .ended(_, let end):
            isOver = true
            guard case .failed = end, !known.isLost else { return nil }
            return line(trip, UserMessage(end, trip: trip, host: host, localizer: localizer).what)
        }
    }

    private func line(_ trip: TripID, _ text: String) -> String { "\(trip.rawValue): \(text)".sanitized(limit: 200) }
}

extension PositionAge {
    /// Whether the vehicle's position is no longer known.
    fileprivate var isLost: Bool {
        switch reason {
        case .pollingFails, .cached, .serverUnchanged, .driverSilent: true
        case .paused, .deliveredLate, .clocksDiffer, nil: false
        }
    }
}
