import Canvas
import Failures
import FleetTokens
import Runtime
import TripFeed
import TripModel
import TripText

/// Draws the list of calls, the newest at the bottom.
///
/// ```text
/// ╭ Calls ───────────────────────────────────────────────── 41 calls ─╮
/// │ Time     To      Call     Path                   Status  Took  Token │
/// │ 14:02:26 service GetTrip  GET /v1/providers/p/…  ✓ 200  14 ms      2 │
/// ```
struct CallTable {
    let trip: TripView
    let calls: [ListedCall]
    private let list: CallList

    private typealias Span = Canvas.Span
    private var localizer: Localizer { trip.localizer }
    private var glyphs: GlyphSet { trip.glyphs }
    /// The calls about the trip, and those about the project.
    private var logs: [CallLog] { [trip.trip.calls, trip.state.project.calls] }

    init(_ panel: NetworkPanel, _ trip: TripView) {
        (self.trip, list) = (trip, panel.list)
        calls = panel.shownCalls(in: trip.state)
    }

    /// Shows the latest calls without a choice.
    init(latestOf trip: TripView) {
        (self.trip, list) = (trip, CallList())
        let latest = [trip.trip.calls, trip.state.project.calls].flatMap { $0.entries.suffix(Self.mostLatest) }
        calls = latest.sorted { $0.number < $1.number }
    }

    /// Shows the latest polls that were sent with a token of the trip.
    init(pollsWithTokenOf trip: TripView) {
        (self.trip, list) = (trip, CallList())
        calls = trip.trip.calls.entries.filter {
            $0.call.party == .service && $0.call.operation != .searchTrips && $0.call.token != nil
        }
        .suffix(Self.mostLatest)
    }

    /// The maximum number of rows without a choice.
    private static let mostLatest = 60

    /// Draws as many of the latest calls as fit.
    func drawLatest(on canvas: inout Canvas, in rect: Rect) {
        drawLatest(title: localizer(.calls), note: count, none: localizer(.noCalls), on: &canvas, in: rect)
    }

    /// Draws as many of the latest polls as fit.
    func drawPolls(on canvas: inout Canvas, in rect: Rect) {
        let note = localizer(.polls(count: trip.trip.history.polls))
        drawLatest(
            title: localizer(.usedByTitle),
            note: note,
            none: localizer(.noPollWithToken),
            on: &canvas,
            in: rect
        )
    }

    private func drawLatest(title: String, note: String, none: String, on canvas: inout Canvas, in rect: Rect) {
        let inner = canvas.frame(rect, title: title, note: note).inset(horizontal: 1, vertical: 0)
        guard !calls.isEmpty else {
            canvas.putWrapped(none, in: inner, role: .secondary)
            return
        }
        var table = Table(columns: columns(inner.width))
        table.rows = calls.suffix(Self.visibleRows(in: rect)).map { cells($0, inner.width) }
        table.draw(on: &canvas, in: inner)
    }

    func draw(on canvas: inout Canvas, in rect: Rect) {
        let inner = canvas.frame(rect, title: title, note: note).inset(horizontal: 1, vertical: 0)
        guard !calls.isEmpty else {
            canvas.put(
                localizer(logs.allSatisfy { $0.count == 0 } ? .noCalls : .noCallFits),
                in: inner,
                role: .secondary
            )
            return
        }
        let visible = Self.visibleRows(in: rect)
        var table = Table(columns: columns(inner.width))
        table.chosen = list.index(in: calls)
        table.first = Self.first(chosen: table.chosen ?? 0, of: calls.count, visible: visible)
        // Only the visible rows have cells.
        table.rows = calls.indices.map { index in
            (table.first..<(table.first + visible)).contains(index) ? cells(calls[index], inner.width) : []
        }
        table.draw(on: &canvas, in: inner)
        let below = calls.count - table.first - visible
        TextBlock.drawEdge(on: &canvas, in: inner, above: table.first, below: max(0, below), localizer: localizer)
    }

    /// Returns the number of calls that fit.
    static func visibleRows(in rect: Rect) -> Int { max(1, rect.height - 3) }

    /// Returns the first visible call, so that the chosen one is centered if possible.
    static func first(chosen: Int, of count: Int, visible: Int) -> Int {
        max(0, min(chosen - visible / 2, count - visible))
    }

    private var title: String {
        list.filter.isEmpty ? localizer(.calls) : localizer(.callsWith(filter: list.filter))
    }

    /// The number of calls so far.
    private var count: String { localizer(.callCount(count: logs.reduce(0) { $0 + $1.count })) }

    private var note: String {
        let all = logs.reduce(0) { $0 + $1.entries.count }
        let number =
            calls.count == all
            ? count
            : localizer(.callsShown(number: String(calls.count), total: String(all)))
        var parts = [number]
        if list.failuresOnly { parts.append(localizer(.callsFailedOnly)) }
        if list.order != .time || list.isReversed {
            let order = localizer(list.order.noun)
            parts.append(localizer(list.isReversed ? .callsByReversed(order: order) : .callsBy(order: order)))
        }
        return parts.joined(separator: " \(glyphs.separator) ")
    }

    /// The minimum widths of a table with the path of each call, and of a table with size and token.
    private static let (widthForPath, widthForSize) = (104, 66)
    /// The minimum width of a table with room for longer words about calls and answers.
    private static let widthForWords = 130

    private func columns(_ width: Int) -> [Table.Column] {
        func column(
            _ title: Text,
            _ width: Int?,
            _ order: CallList.Order? = nil,
            right: Bool = false
        ) -> Table.Column {
            let title = localizer(title)
            let needed = width.map { min($0 + 4, max($0, TextWidth.of(title))) }
            return Table.Column(title: title, width: needed, isRight: right, isMarked: order == list.order)
        }
        let granting: [Text] = calls.contains { $0.call.party == .credentials } ? [.callsCredentials] : []
        let party = ([.callsService, .callsTokens, .callsDriver] + granting).map { TextWidth.of(localizer($0)) }
        var columns = [
            column(.callsTime, max(8, trip.zone.clockWidth), .time), column(.callsParty, party.max() ?? 0, .party),
        ]
        // Whose token it is takes room that the path and the status need.
        let isTight = width < Self.widthForWords
        if width >= Self.widthForPath {
            columns += [column(.callsCall, isTight ? 14 : 16), column(.callPath, nil)]
        } else {
            columns.append(column(.callsCall, nil))
        }
        columns.append(column(.columnStatus, width < Self.widthForPath ? 10 : 20, .status))
        if hasSize(width) { columns.append(column(.callsSize, 8, .size, right: true)) }
        columns.append(column(.columnTook, 8, .duration, right: true))
        if width >= Self.widthForSize { columns.append(column(.viewToken, tokenWidth(width), right: true)) }
        return columns
    }

    /// Whether there is a column for the size: not where whose token it is needs the room.
    private func hasSize(_ width: Int) -> Bool {
        width >= Self.widthForWords || (width >= Self.widthForSize && width < Self.widthForPath)
    }

    /// Returns which token a call carried, and in a wide table whose it is.
    private func token(_ number: Int, of call: Call, _ width: Int) -> String {
        guard width >= Self.widthForPath else { return String(number) }
        let number = String(number)
        return localizer(call.asker == .driver ? .talkDriverToken(number: number) : .talkAppToken(number: number))
    }

    /// The columns of the tokens, for numbers of two digits.
    private func tokenWidth(_ width: Int) -> Int {
        guard width >= Self.widthForPath, calls.contains(where: { $0.call.token != nil }) else { return 5 }
        return [Text.talkAppToken(number: "10"), .talkDriverToken(number: "10")].map { TextWidth.of(localizer($0)) }
            .max() ?? 5
    }

    private func cells(_ listed: ListedCall, _ width: Int) -> [[Span]] {
        let call = listed.call
        let words = CallWords(listed, host: trip.state.settings.host, localizer: localizer)
        var cells = [
            [Span(trip.zone.clock(call.ended.wall), .secondary)],
            [Span(words.party, call.party == .service ? .text : call.party == .tokens ? .accent : .secondary)],
            [Span(words.name)],
        ]
        if width >= Self.widthForPath {
            cells.append([Span(path(of: call, words, width), .secondary)])
        }
        cells.append([outcome(call, words)])
        let size = [Span(call.answer?.bytes.map(localizer.bytes) ?? glyphs.unknown, .secondary)]
        if hasSize(width) { cells.append(size) }
        cells.append([Span(call.duration.map(localizer.latency) ?? glyphs.unknown)])
        if width >= Self.widthForSize {
            cells.append([Span(call.token.map { token($0, of: call, width) } ?? glyphs.unknown, .secondary)])
        }
        return cells
    }

    /// Returns the method and the path, without the beginning of a long path: its end distinguishes calls.
    private func path(of call: Call, _ words: CallWords, _ width: Int) -> String {
        let method = call.request.method.map { "\($0) " } ?? ""
        let fixed = columns(width).reduce(0) { $0 + ($1.width ?? 0) + 1 }
        let room = max(12, width - fixed - TextWidth.of(method))
        let parts = words.path.split(separator: "/", omittingEmptySubsequences: false)
        var first = 0
        func shown() -> String { (first == 0 ? "" : glyphs.ellipsis + "/") + parts[first...].joined(separator: "/") }
        while TextWidth.of(shown()) > room, first + 2 < parts.count { first += 1 }
        return method + shown()
    }

    private func outcome(_ call: Call, _ words: CallWords) -> Span {
        guard let message = words.message else {
            return Span("\(glyphs.check) \(call.status?.name ?? localizer(.tokenGood))", .positive)
        }
        return Span(
            "\(glyphs.cross) \(call.status.flatMap { $0.isSuccess ? nil : $0.name } ?? message.short)",
            .critical
        )
    }
}
