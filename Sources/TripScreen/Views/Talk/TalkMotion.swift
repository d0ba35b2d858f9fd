import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel

/// Where the dots are that travel with the calls: from the caller to the other party and, with the answer, back.
struct TalkMotion: Equatable {
    /// The fraction of the way from this program to the token source; `nil` between two fetches.
    var tokens: Double?
    /// The fraction of the way from this program to Fleet Engine; `nil` between two polls.
    var polls: Double?
    /// The fraction of the way from the driver to Fleet Engine; `nil` between two reports.
    var reports: Double?

    /// The time of one way in real seconds, however fast the call is, so that it can be seen.
    private static let way = 0.5

    init(of trip: FollowedTrip, at now: Moment, speed: Double) {
        guard speed > 0 else { return }
        /// Returns the fraction for a call that began and ended, or goes on, this many seconds ago.
        func both(_ began: Double, _ ended: Double?) -> Double? {
            let (began, ended) = (began / speed, ended.map { $0 / speed })
            guard began >= 0 else { return nil }
            if began < Self.way { return began / Self.way }
            guard let ended else { return 1 }
            let back = min(ended, began - Self.way) / Self.way
            return back < 1 ? 1 - back : nil
        }
        if let token = trip.token {
            let isFetching = token.state == .fetching || token.state == .refreshingAhead
            let last = trip.tokenHistory.entries.last.map { now.wall.timeIntervalSince($0.time) }
            tokens = isFetching ? 1 : last.flatMap { both($0, $0) }
        }
        if let asked = trip.asked {
            polls = both((now.steady - asked.steady).seconds, nil)
        } else if let report = trip.lastReport, report.isSent {
            polls = both((now.steady - report.started.steady).seconds, (now.steady - report.finished.steady).seconds)
        }
        let age = trip.state.receivedAge(at: now) ?? trip.state.measuredAge(at: now)
        if trip.end == nil, let age, age >= .zero, age.seconds / speed < 2 * Self.way {
            reports = age.seconds / speed / Self.way / 2
        }
    }

    /// The columns of the dots on lines of a length.
    func columns(_ length: Int) -> [Int?] {
        [tokens, polls, reports].map { $0.map { Int($0 * Double(max(0, length - 1))) } }
    }
}

extension State {
    /// Whether dots travel on the screen.
    private var showsTravel: Bool {
        titlePage == nil && (display.showsTalk || (view.panel.showsTalk && !showsPresenter))
    }

    /// Returns the time after which a dot is in another column; `nil` if none moves until `limit`.
    func nextTravel(after moment: Moment, within limit: Duration) -> Duration? {
        guard !isFrozen, showsTravel, settings.speed > 0, let trip else { return nil }
        func columns(_ time: Moment) -> [Int?] {
            TalkMotion(of: trip, at: time, speed: settings.speed).columns(max(12, width / 5))
        }
        let start = columns(moment)
        for number in 1...Self.glideFrames {
            let wait = Duration.seconds(settings.speed / Double(Self.glideFrames) * Double(number))
            guard wait < limit else { return nil }
            if columns(moment.advanced(by: wait)) != start { return wait }
        }
        return nil
    }
}
