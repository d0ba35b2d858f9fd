import Canvas
import Runtime
import TripFeed
import TripModel
import TripText

/// Decides when `--bell` rings: on arrivals, drop-off, cancellation and loss of tracking.
struct Alerts: Sendable {
    /// The statuses that ring the bell.
    private static let statuses: Set<TripStatus> = [
        .arrivedAtPickup, .arrivedAtIntermediateDestination, .complete, .canceled, .succeeded, .failed,
        .closed,
    ]

    private var notices = NoticeDetector()
    /// The trips whose position is no longer known; that they are no longer followed is no news.
    private var lost: Set<JourneyID> = []

    /// Returns the notification for an event; `nil` if there is none.
    mutating func text(for event: FeedEvent, at now: Moment, host: String, localizer: Localizer) -> String? {
        let texts = notices.handle(event, at: now).compactMap { text(for: $0, host: host, localizer: localizer) }
        return texts.first.map { "\(event.trip.rawValue): \($0)".sanitized(limit: 200) }
    }

    private mutating func text(for notice: Notice, host: String, localizer: Localizer) -> String? {
        switch notice.content {
        case .status(let status, _):
            guard Self.statuses.contains(status), let state = notice.state else { return nil }
            return StatusWords(state, localizer: localizer).text
        case .stale(let age):
            lost.insert(notice.trip)
            let words = age.explanation(localizer) ?? ""
            return localizer(
                .positionIsOld(age: localizer.age(age.received ?? age.measured ?? .zero), reason: words)
            )
        case .fresh:
            lost.remove(notice.trip)
            return nil
        case .end(let end):
            let wasLost = lost.remove(notice.trip) != nil
            guard case .failed = end, !wasLost else { return nil }
            return UserMessage(end, trip: notice.trip, host: host, localizer: localizer).what
        case .arrival, .late, .failure, .recovered, .finding, .plan: return nil
        }
    }
}
