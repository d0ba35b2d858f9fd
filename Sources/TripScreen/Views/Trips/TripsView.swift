import Canvas
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// Draws all trips as a table, below a map of their vehicles if there is room.
///
/// ```text
/// ╭ Map ──────────────────────────────────────────────────── 3 trips ─╮
/// ╰───────────────────────────────────────────────────────────────────╯
/// ╭ Trips ─────────────────────────────── 3 trips, ordered by Next ─╮
/// │   Trip       Status         Next              Age  Poll    Token │
/// │ ▸ trip-7f3a  to drop-off    Drop-off 1:04     2 s  ✓ 21 ms  0:43 │
/// ```
struct TripsView {
    let list: TripList
    let state: State

    private typealias Span = Canvas.Span
    private var localizer: Localizer { state.settings.localizer.about(state.shownKind) }
    private var glyphs: GlyphSet { state.settings.glyphs }

    func draw(on canvas: inout Canvas, in body: Rect) {
        let listed = state.listed
        let (map, rect) = FleetMap.parts(listed.count, in: body)
        FleetMap(state: state, listed: listed).draw(on: &canvas, in: map)
        let inner = canvas.frame(rect, title: title, note: note(listed.count)).inset(horizontal: 1, vertical: 0)
        guard !listed.isEmpty else {
            let words = localizer(list.filter.isEmpty ? .noTripFollowed : .noTripHolds)
            canvas.put(words, in: inner, role: .secondary)
            return
        }
        let isWide = inner.width >= 104
        var table = Table(columns: [])
        let visible = Self.visibleRows(in: rect)
        table.first = Self.first(of: listed, selected: state.selected, visible: visible)
        table.chosen = listed.firstIndex(of: state.selected)
        // Invisible rows stay empty, so that 10,000 trips cost no more than the visible ones.
        table.rows = listed.enumerated().map { index, trip in
            (table.first..<(table.first + visible)).contains(index)
                ? row(state.trips[trip], trip, isWide, hasSentences: inner.width >= 128) : []
        }
        table.columns = columns(table.rows, isWide, width: inner.width)
        table.draw(on: &canvas, in: inner)
    }

    /// Returns the columns: the status is as wide as its longest text if possible, the ID gets the rest.
    private func columns(_ rows: [[[Span]]], _ isWide: Bool, width: Int) -> [Table.Column] {
        func column(
            _ order: TripList.Order?,
            _ title: Text,
            _ width: Int?,
            isRight: Bool = false
        ) -> Table.Column {
            Table.Column(
                title: localizer(title),
                width: width.map { widened($0, for: title) },
                isRight: isRight,
                isMarked: order == list.order
            )
        }
        func longest(_ index: Int) -> Int {
            rows.lazy.filter { !$0.isEmpty }.map { Self.width(of: $0[index]) }.max() ?? 0
        }
        var columns = [
            Table.Column(title: "", width: 2), column(.name, .viewTrip, nil), column(.status, .columnStatus, 0),
            column(.arrival, .columnNext, Self.nextWidth), column(.age, .columnAge, 6, isRight: true),
            column(nil, .columnPoll, Self.pollWidth(isWide)), column(nil, .viewToken, 8, isRight: true),
        ]
        if isWide {
            columns += [
                column(nil, .columnToGo, 8, isRight: true), column(.errors, .columnFailed, 8, isRight: true),
                column(nil, .columnFound, 5, isRight: true),
            ]
        }
        columns = Self.retained(of: columns, width: width)
        columns[2].width = nil
        columns[3].width = max(columns[3].width ?? 0, longest(3))
        if let poll = columns.firstIndex(where: { $0.title == localizer(.columnPoll) }) {
            columns[poll].width = max(columns[poll].width ?? 0, longest(poll))
        }
        let room = width - columns.reduce(columns.count - 1) { $0 + ($1.width ?? 0) }
        let wanted = max(longest(2), TextWidth.of(localizer(.columnStatus)))
        // One more cell separates it from the next column. If there is too little room for both, each gets at least half.
        columns[2].width = min(wanted + 1, max(room / 2, room - max(longest(1), TextWidth.of(localizer(.viewTrip)))))
        return columns
    }

    /// The width of the column with the next arrival, unless a heading or a text needs more.
    private static let nextWidth = 15

    /// The maximum width of a text about the last poll in a wide table.
    private static let mostPoll = 28

    /// The width of the column with the last poll, unless its heading or a text needs more.
    private static func pollWidth(_ isWide: Bool) -> Int { isWide ? 20 : 10 }

    /// Returns the width of a column, widened by up to 4 cells for a translated heading.
    private func widened(_ width: Int, for title: Text) -> Int {
        min(width + 4, max(width, TextWidth.of(localizer(title))))
    }

    private static func width(of spans: [Span]) -> Int { spans.reduce(0) { $0 + TextWidth.of($1.text) } }

    /// Returns the columns of a narrow table: name and status are more important than the last poll and the token.
    private static func retained<Column>(of columns: [Column], width: Int) -> [Column] {
        guard width < 66 else { return columns }
        return (width < 52 ? [0, 1, 2, 3] : [0, 1, 2, 3, 6]).map { columns[$0] }
    }

    /// Returns the number of trips that fit.
    static func visibleRows(in rect: Rect) -> Int { max(1, rect.height - 3) }

    /// Returns the first visible trip, so that the selected one is centered if possible.
    static func first(of listed: [Int], selected: Int, visible: Int) -> Int {
        max(0, min((listed.firstIndex(of: selected) ?? 0) - visible / 2, listed.count - visible))
    }

    private var title: String {
        list.filter.isEmpty ? localizer(.viewTrips) : localizer(.tripsWith(filter: list.filter))
    }

    private func note(_ count: Int) -> String {
        let all = state.trips.count
        let number =
            count == all
            ? localizer(.tripCount(count: all))
            : localizer(.tripsShown(number: String(count), total: String(all)))
        let order = localizer(list.order.noun)
        return localizer(
            list.isReversed
                ? .orderedReversed(trips: number, order: order) : .orderedBy(trips: number, order: order)
        )
    }

    private func row(_ trip: FollowedTrip, _ index: Int, _ isWide: Bool, hasSentences: Bool) -> [[Span]] {
        let view = TripView(state: state, trip: trip)
        var cells: [[Span]] = [
            [Span(index == state.selected ? glyphs.pointer : " ", .accent), worst(trip)],
            [Span(Reporter.sanitized(trip.id.rawValue, limit: 64), .text)], status(trip, hasSentences),
            next(trip, view), age(trip), poll(trip, isWide), token(trip, view),
        ]
        if isWide {
            cells.append([Span(trip.state.journey?.remainingDistance.map(localizer.distance) ?? glyphs.unknown)])
            let errors = trip.history.errors
            cells.append([Span(String(errors), errors > 0 ? .warning : .secondary)])
            cells.append([Span("\(trip.findings.count { $0.severity > .info })", .secondary)])
        }
        // The table is as wide as the view without its frame.
        return Self.retained(of: cells, width: state.layout.body.width - 4)
    }

    /// Returns the sign for the worst problem: failing polls or an error finding, then a stale position or a warning.
    private func worst(_ trip: FollowedTrip) -> Span {
        let found = trip.findings.map(\.severity).max()
        let isFailing =
            switch trip.end {
            case .failed: true
            case .reached, .left: false
            case nil: trip.lastReport?.failure != nil
            }
        if isFailing || found == .error { return Span(glyphs.cross, .critical) }
        let isStale = trip.end == nil && PositionAge(of: trip, at: state.now)?.reason != nil
        return isStale || found == .warning ? Span(glyphs.attention, .warning) : Span(" ")
    }

    private func status(_ trip: FollowedTrip, _ hasSentences: Bool) -> [Span] {
        guard trip.state.journey != nil else {
            let connection = Connection(of: trip, in: state)
            return [Span(connection.text, .secondary)]
        }
        let words = StatusWords(trip.state, localizer: localizer)
        guard !hasSentences else { return [Span(words.text, words.role)] }
        let current = Timeline(of: trip.state, at: state.now, localizer: localizer).steps.last {
            $0.progress == .current || $0.progress == .passed
        }
        return [Span(current?.name ?? words.text, words.role)]
    }

    private func next(_ trip: FollowedTrip, _ view: TripView) -> [Span] {
        let arrivals = Arrivals(of: trip.state)
        if let here = arrivals.next, here.here != nil { return [Span(localizer(here.atPlace), .positive)] }
        guard let next = trip.claims(at: state.now).next, let kind = next.arrival?.kind else {
            return [Span(glyphs.unknown, .secondary)]
        }
        let stop = view.localizer(kind == .dropoff ? .shortDropoff : kind == .pickup ? .shortPickup : .shortStop)
        let sentence = view.spans(of: next, withClock: false)
        // Without enough room the name of the stop is left out, then how old the news is, which has a column of its own.
        let isSilent = if case .noReport = next.kind { true } else { false }
        let shortest = isSilent ? [Span(localizer(.shortNoReport), .stale)] : sentence
        let room = widened(Self.nextWidth, for: .columnNext)
        return [[Span("\(stop) ", .secondary)] + sentence, sentence].first { Self.width(of: $0) <= room } ?? shortest
    }

    private func age(_ trip: FollowedTrip) -> [Span] {
        guard let age = PositionAge(of: trip, at: state.now), let old = age.received ?? age.measured else {
            return [Span(glyphs.unknown, .secondary)]
        }
        return [Span(localizer.age(old), age.reason == nil ? .text : .warning)]
    }

    private func poll(_ trip: FollowedTrip, _ isWide: Bool) -> [Span] {
        let connection = Connection(of: trip, in: state)
        if trip.end != nil || trip.isPaused { return [Span(connection.text, .secondary)] }
        if let wait = trip.wait(at: state.now, speed: state.settings.speed) {
            return [Span("\(glyphs.attention) \(localizer.watch(wait))", .warning)]
        }
        guard let report = trip.lastReport else {
            return [Span(trip.isPolling ? localizer(.askingShort) : glyphs.unknown, .secondary)]
        }
        guard let failed = trip.failedPoll else {
            return [Span("\(glyphs.check) ", .positive), Span(localizer.latency(report.latency))]
        }
        let status = report.status?.label ?? failed.message(about: trip.id, state.settings).short
        // A narrow column says that it failed; the view of the trip says why.
        let words = [status, report.status?.name, localizer(.callsFailed)].compactMap(\.self)
            .map { Span("\(glyphs.cross) \($0)", .critical) }
        let room = isWide ? Self.mostPoll : widened(Self.pollWidth(isWide), for: .columnPoll)
        return [words.first { Self.width(of: [$0]) <= room } ?? words[words.count - 1]]
    }

    private func token(_ trip: FollowedTrip, _ view: TripView) -> [Span] {
        guard let token = trip.token else { return [Span(glyphs.unknown, .secondary)] }
        let life = TokenLife(token, now: view.serviceNow(token))
        if token.lastError != nil, life.isOver || life.left == nil {
            return [Span("\(glyphs.cross) \(localizer(.noneShort))", .critical)]
        }
        guard let left = life.left else { return [Span(glyphs.unknown, .secondary)] }
        if life.isOver { return [Span(localizer(.endedShort), trip.end == nil ? .critical : .secondary)] }
        return [Span(localizer.watch(left), life.isLow && trip.end == nil ? .warning : .text)]
    }
}
