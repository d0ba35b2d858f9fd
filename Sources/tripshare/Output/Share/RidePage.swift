import Canvas
import Foundation
import Runtime
import TripFeed
import TripModel
import TripScreen
import TripText

/// A page about what was seen of the rides of a session, for people without a terminal.
///
/// It needs no script, loads nothing and contains no token; everything from outside is escaped.
struct RidePage: Sendable {
    /// The maximum number of rides on a page.
    static let mostTrips = 8
    /// The maximum number of events of a ride.
    static let mostEvents = 200
    /// The maximum number of failures of a ride.
    static let mostFailures = 100

    private let state: State
    private let localizer: Localizer

    /// Creates the page of what a screen, or a session without one, knows.
    init(_ state: State) {
        self.state = state
        var localizer = state.settings.localizer
        // The page has all characters, whatever the terminal has.
        localizer.isASCII = false
        self.localizer = localizer
    }

    private var zone: Zone { state.settings.zone }

    /// The bytes of the file.
    var bytes: [UInt8] {
        let page = "<!DOCTYPE html>\n" + document.source + "\n"
        // Each text is redacted; this also finds a token that is split over several texts.
        return Array(KnownSecrets.ofProcess.redacted(page).utf8)
    }

    private var trips: [FollowedTrip] {
        // The shown one first.
        let shown = state.trip.map { [$0] } ?? []
        let others = state.trips.filter { $0.id != state.trip?.id && $0.state.journey != nil }
        return Array((shown + others).prefix(Self.mostTrips))
    }

    private var document: Markup {
        let trips = trips
        let title = trips.first.map(title) ?? "tripshare"
        let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
        let head = Markup.block(
            "head",
            [
                .empty("meta", ["charset": "utf-8"]),
                .empty("meta", ["http-equiv": "Content-Security-Policy", "content": policy]),
                .empty("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
                .empty("meta", ["name": "referrer", "content": "no-referrer"]),
                .element("title", [:], [.text(title)]), .style(PageStyle.sheet),
            ]
        )
        // A fraction of a second says nothing to a reader.
        let now = Date(timeIntervalSince1970: state.now.wall.timeIntervalSince1970.rounded(.down))
        // All clock times of the page are in one zone.
        let times = Markup.element("p", ["class": "zone"], [.text(localizer(.pageZone(zone: zone.fullName(at: now))))])
        let note = localizer(.pageNote(program: Tripshare.programAndVersion, time: Timestamp.text(now)))
        let foot = Markup.element("footer", [:], [.element("p", [:], [.text(note)])])
        let body = Markup.block("body", [times] + trips.map(article) + [foot])
        return .block("html", ["lang": localizer.wanted.rawValue], [head, body])
    }

    private func title(_ trip: FollowedTrip) -> String {
        localizer.about(trip.id.kind)(.pageTitle(trip: trip.id.rawValue.sanitized(limit: 64)))
    }

    // MARK: A ride

    private func article(_ trip: FollowedTrip) -> Markup {
        let summary = RideSummary(trip, at: state.now, zone, localizer)
        let lines = summary.lines.map { Markup.element("p", ["class": "line"], [.text($0)]) }
        return .block(
            "article",
            [.element("h1", [:], [.text(title(trip))])] + lines + map(of: trip) + timeline(of: trip)
                + trend(of: trip) + receipt(of: trip, summary) + entries(of: trip)
        )
    }

    private func section(_ title: Text, _ content: [Markup]) -> [Markup] {
        content.isEmpty ? [] : [.block("section", [.element("h2", [:], [.text(localizer(title))])] + content)]
    }

    private func map(of trip: FollowedTrip) -> [Markup] {
        let map = RideMap(trip.state, localizer.about(trip.id.kind))
        return section(.pageMap, map?.markup(above: streets(of: trip)) ?? [])
    }

    /// The streets of the session; those of the demo town for a ride in it.
    private func streets(of trip: FollowedTrip) -> Basemap? {
        state.settings.basemap ?? DemoStreets.basemap(of: trip.state)
    }

    private func trend(of trip: FollowedTrip) -> [Markup] {
        section(.pageTrend, ArrivalTrend(trip.state, zone, localizer)?.markup ?? [])
    }

    private func timeline(of trip: FollowedTrip) -> [Markup] {
        let steps = Timeline(of: trip.state, at: state.now, localizer: localizer).steps
        let rows = steps.map { step -> [String] in
            var time = step.time.map { zone.clock($0) } ?? (step.progress == .missed ? localizer(.stepNotSeen) : "")
            if step.time != nil, step.certainty == .before { time = localizer(.atTheLatest(time: time)) }
            if step.time != nil, step.progress == .ahead { time = localizer(.pageExpected(time: time)) }
            let duration = step.isLonger ? nil : step.duration.map { localizer.span(.seconds($0.seconds.rounded())) }
            return [step.name, time, duration ?? ""]
        }
        return section(.timeline, table(rows))
    }

    private func receipt(of trip: FollowedTrip, _ summary: RideSummary) -> [Markup] {
        let window = summary.window.map { [localizer(.pageWindow), $0] }
        let rows = localizer.rows(of: trip.receipt, in: zone).map { [$0.label, $0.value] }
        return section(.pageReceipt, table([window].compactMap(\.self) + rows))
    }

    /// What failed, then everything else that happened, each with its time.
    private func entries(of trip: FollowedTrip) -> [Markup] {
        let all = state.log.entries(of: trip.id)
        func rows(_ entries: [EventLog.Entry]) -> [[String]] { entries.map { [zone.clock($0.time), $0.text] } }
        let failed = all.filter { $0.role == .critical || $0.role == .warning }.suffix(Self.mostFailures)
        let others = all.filter { $0.role != .critical && $0.role != .warning }.suffix(Self.mostEvents)
        let failures =
            failed.isEmpty
            ? [Markup.element("p", [:], [.text(localizer(.pageNoFailures))])] : table(rows(Array(failed)))
        return section(.pageFailures, failures) + section(.pageEvents, table(rows(Array(others))))
    }

    /// Returns a table whose first column names the rows; nothing without rows.
    private func table(_ rows: [[String]]) -> [Markup] {
        guard !rows.isEmpty else { return [] }
        let lines = rows.map { row in
            Markup.element(
                "tr",
                [:],
                row.enumerated().map { index, cell in
                    index == 0
                        ? .element("th", ["scope": "row"], [.text(cell)]) : .element("td", [:], [.text(cell)])
                }
            )
        }
        return [.block("table", [.block("tbody", lines)])]
    }
}
