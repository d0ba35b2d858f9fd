import Canvas
import Runtime
import TripFeed
import TripModel
import TripText

/// Decides when `--bell` rings: on arrivals, drop-off, cancellation and loss of tracking.
struct Alerts: Sendable {
    /// The statuses that ring the bell.
    private static let statuses: Set<JourneyStatus> = [
        .trip(.arrivedAtPickup), .trip(.arrivedAtIntermediateDestination), .trip(.complete), .trip(.canceled),
        .shipment(.succeeded), .shipment(.failed), .shipment(.closed),
    ]

    private let notices = NoticeDetector()

    /// Returns the notification for what an event has changed; `nil` if there is none.
    func text(for changes: [JourneyChange], _ table: JourneyTable, host: String, localizer: Localizer) -> String? {
        notices.notices(of: changes, table).lazy
            .compactMap { notice in
                text(for: notice, table, host: host, localizer: localizer).map { (notice.journey.rawValue, $0) }
            }
            .first.map { "\($0): \($1)".sanitized(limit: 200) }
    }

    private func text(
        for notice: Notice,
        _ table: JourneyTable,
        host: String,
        localizer: Localizer
    ) -> String? {
        switch notice.content {
        case .status(let status, _):
            guard Self.statuses.contains(status), let state = notice.state else { return nil }
            return StatusWords(state, localizer: localizer).text
        case .stale(let age):
            let words = age.explanation(localizer) ?? ""
            return localizer(
                .positionIsOld(age: localizer.age(age.received ?? age.measured ?? .zero), reason: words)
            )
        case .end(let end):
            // After a report of the lost position, a report that the trip is no longer followed adds nothing.
            let wasLost = table[notice.journey]?.staleness?.value.isLoss ?? false
            guard case .failed = end, !wasLost else { return nil }
            return UserMessage(end, notice.token, journey: notice.journey, host: host, localizer: localizer).what
        case .fresh, .arrival, .pickup, .dropoff, .late, .stops, .window, .failure, .failing, .recovered, .finding,
            .found, .plan:
            return nil
        }
    }
}
