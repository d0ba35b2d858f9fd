package import Canvas
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// What the window shows outside of the screen, for who looks at the tab or the task bar only.
extension State {
    /// The title of the window: when the shown trip arrives, as far as that may be said, and which trip it is; untrusted text.
    ///
    /// It has clock times instead of countdowns, so that it changes with the news only.
    package var windowTitle: String {
        guard let trip else { return Self.program }
        let view = TripView(state: self, trip: trip)
        var parts = [view.windowArrival ?? view.headline.text]
        // An audience sees no IDs.
        if !settings.isPresenter { parts.append(trip.id.rawValue) }
        return (parts + [Self.program]).joined(separator: " \(settings.glyphs.separator) ")
    }

    /// The percentage of the shown ride that is over; `nil` if none is under way.
    package var ridePercentage: Int? {
        guard let trip, trip.end == nil, trip.state.journey?.status.isTerminal == false else { return nil }
        return RideProgress(of: trip, at: now).map { Int($0.share * 100) }
    }

    private static let program = "tripshare"
}

/// Texts of the screen that the terminal opens when they are clicked.
extension State {
    /// Makes the ID of the shown trip a link, and the file that the bottom line names.
    ///
    /// - Parameters:
    ///   - canvas: The drawn screen.
    ///   - page: Returns the address of what is known about a trip, by its ID; `nil` for none.
    ///   - file: Returns the address of a file.
    package func addLinks(
        to canvas: inout Canvas,
        page: (String) -> String?,
        file: (String) -> String
    ) {
        if let id = trip?.id.rawValue, let address = page(id) {
            canvas.link(Reporter.sanitized(id, limit: 64), row: 0, to: address)
        }
        guard let path = input.savedFile, let message else { return }
        let shown = path.sanitized(limit: 300)
        if message == settings.localizer(.pictureSaved(file: shown)) {
            canvas.link(shown, row: canvas.height - 1, to: file(path))
        }
    }
}

extension RideProgress {
    /// The progress of a trip; of one whose position is old, at the time of its last report.
    init?(of trip: FollowedTrip, at now: Moment) {
        let age = PositionAge(of: trip, at: now)
        let old = age?.reason == nil ? .zero : age?.received ?? .zero
        self.init(of: trip.state, at: trip.state.serviceTime(now).addingTimeInterval(-old.seconds))
    }
}

extension TripView {
    /// The next arrival and its time; `nil` if nothing is claimed about it, or only on old news.
    fileprivate var windowArrival: String? {
        guard !isOld, let next = trip.claims(at: now).next, let title = next.arrival?.title(localizer) else {
            return nil
        }
        switch next.kind {
        case .expected(_, let expected, _): return "\(title) \(zone.clock(expected, now: now.wall))"
        case .overdue(_, let expected, _):
            return title + localizer(.expectedAt(time: zone.clock(expected, now: now.wall)))
        case .notShown, .noReport, .atStop, .reached, .ended: return nil
        }
    }
}
