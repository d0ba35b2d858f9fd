import Canvas
import FleetTokens
import Foundation
import TripFeed
import TripModel

/// Draws all trips as a table.
///
/// ```text
/// ╭ Trips ─────────────────────────────── 3 trips, ordered by Next ─╮
/// │   Trip       Status         Next              Age  Poll    Token │
/// │ ▸ trip-7f3a  to drop-off    Drop-off 1:04     2 s  ✓ 21 ms  0:43 │
/// ```
struct TripsView {
    let state: State

    private typealias Span = Canvas.Span
    private var say: Wording { state.settings.wording }
    private var glyphs: GlyphSet { state.settings.glyphs }

    func draw(on canvas: inout Canvas, in rect: Rect) {
        let listed = state.listed
        let inner = canvas.frame(rect, title: title, note: note(listed.count)).inset(horizontal: 1, vertical: 0)
        guard !listed.isEmpty else {
            let words = state.list.filter.isEmpty ? "No trip is followed" : "No trip holds this text"
            canvas.put(words, in: inner, role: .secondary)
            return
        }
        let isWide = inner.width >= 104
        var columns = [
            Table.Column(title: "", width: 2), Table.Column(title: "Trip"),
            Table.Column(title: "Status", width: isWide ? 26 : 14), Table.Column(title: "Next", width: 15),
            Table.Column(title: "Age", width: 6, isRight: true), Table.Column(title: "Poll", width: isWide ? 20 : 10),
            Table.Column(title: "Token", width: 8, isRight: true),
        ]
        if isWide {
            columns += [
                Table.Column(title: "To go", width: 8, isRight: true),
                Table.Column(title: "Failed", width: 8, isRight: true),
                Table.Column(title: "Found", width: 5, isRight: true),
            ]
        }
        var table = Table(columns: columns)
        let place = listed.firstIndex(of: state.selected)
        let visible = Self.visibleRows(in: rect)
        table.first = Self.first(of: listed, selected: state.selected, visible: visible)
        table.chosen = place
        table.marked = columns.firstIndex { $0.title == state.list.order.title }
        // Rows out of sight are empty, so that 10,000 trips cost no more than those that are seen.
        table.rows = listed.enumerated().map { index, trip in
            (table.first..<(table.first + visible)).contains(index) ? row(state.trips[trip], trip, isWide) : []
        }
        table.draw(on: &canvas, in: inner)
    }

    /// How many trips fit into the view.
    static func visibleRows(in rect: Rect) -> Int { max(1, rect.height - 3) }

    /// The first trip that is shown, so that the chosen one is in the middle where it can be.
    static func first(of listed: [Int], selected: Int, visible: Int) -> Int {
        max(0, min((listed.firstIndex(of: selected) ?? 0) - visible / 2, listed.count - visible))
    }

    private var title: String { state.list.filter.isEmpty ? "Trips" : "Trips with ‘\(state.list.filter)’" }

    private func note(_ count: Int) -> String {
        let all = state.trips.count
        let number = count == all ? Wording.count(all, "trip") : "\(count) of \(all) trips"
        return
            "\(number), ordered by \(state.list.order.title.lowercased())\(state.list.isReversed ? ", reversed" : "")"
    }

    private func row(_ trip: FollowedTrip, _ index: Int, _ isWide: Bool) -> [[Span]] {
        let view = TripView(state: state, trip: trip)
        var cells: [[Span]] = [
            [Span(index == state.selected ? glyphs.pointer : " ", .accent), worst(trip)],
            [Span(Reporter.harmless(trip.id.rawValue, limit: 64), .text)], status(trip, isWide), next(trip, view),
            age(trip), poll(trip), token(trip, view),
        ]
        if isWide {
            cells.append([Span(trip.state.trip?.remainingDistance.map(say.distance) ?? glyphs.unknown)])
            let errors = trip.history.errors
            cells.append([Span("\(errors)/\(trip.history.polls)", errors > 0 ? .warning : .secondary)])
            cells.append([Span("\(trip.findings.count { $0.severity > .info })", .secondary)])
        }
        return cells
    }

    /// A sign for the worst finding above a note.
    private func worst(_ trip: FollowedTrip) -> Span {
        switch trip.findings.map(\.severity).max() {
        case .error: Span(glyphs.cross, .critical)
        case .warning: Span(glyphs.attention, .warning)
        case .info, nil: Span(" ")
        }
    }

    private func status(_ trip: FollowedTrip, _ isWide: Bool) -> [Span] {
        guard trip.state.trip != nil else {
            let connection = Connection(of: trip, at: state.now, say: say)
            return [Span(connection.text, .secondary)]
        }
        let words = StatusWords(trip.state, say: say)
        guard !isWide else { return [Span(words.text, words.role)] }
        let current = Timeline(of: trip.state, at: state.now, say: say).steps.last {
            $0.progress == .current || $0.progress == .passed
        }
        return [Span(current?.name ?? words.text, words.role)]
    }

    private func next(_ trip: FollowedTrip, _ view: TripView) -> [Span] {
        let arrivals = Arrivals(of: trip.state)
        if let here = arrivals.next, here.here != nil { return [Span("at \(say(here.title).lowercased())", .positive)] }
        guard let next = arrivals.all.first(where: { $0.expected != nil }), let time = next.expected else {
            return [Span(glyphs.unknown, .secondary)]
        }
        let short = next.kind == .dropoff ? "Drop " : next.kind == .pickup ? "Pick " : "Stop "
        return [Span(short, .secondary)] + view.countdown(to: time, withClock: false)
    }

    private func age(_ trip: FollowedTrip) -> [Span] {
        guard let age = PositionAge(of: trip, at: state.now), let old = age.received ?? age.measured else {
            return [Span(glyphs.unknown, .secondary)]
        }
        return [Span(say.age(old), age.reason == nil ? .text : .warning)]
    }

    private func poll(_ trip: FollowedTrip) -> [Span] {
        let connection = Connection(of: trip, at: state.now, say: say)
        if trip.end != nil || trip.isPaused { return [Span(connection.text, .secondary)] }
        guard let report = trip.lastReport else {
            return [Span(trip.isPolling ? "asking" : glyphs.unknown, .secondary)]
        }
        guard let failure = report.failure else {
            return [Span("\(glyphs.check) ", .positive), Span(say.latency(report.latency))]
        }
        let sentence = Sentence(failure, trip: trip.id, host: state.settings.host, say: say)
        let status = failure.httpStatus.map { "HTTP \($0)" } ?? sentence.short
        return [Span("\(glyphs.cross) \(status)", .critical)]
    }

    private func token(_ trip: FollowedTrip, _ view: TripView) -> [Span] {
        guard let token = trip.token else { return [Span(glyphs.unknown, .secondary)] }
        let life = TokenLife(token, now: view.serviceNow(token))
        if token.lastError != nil, life.isOver || life.left == nil { return [Span("\(glyphs.cross) none", .critical)] }
        guard let left = life.left else { return [Span(glyphs.unknown, .secondary)] }
        if life.isOver { return [Span("ended", trip.end == nil ? .critical : .secondary)] }
        return [Span(say.watch(left), life.isLow && trip.end == nil ? .warning : .text)]
    }
}
