import Canvas
import FleetTokens
import FleetWire
import Foundation
import TripFeed
import TripModel
import TripText

/// Draws the network statistics of a trip: latencies, outcomes, the next poll, and errors with remedies.
///
/// A large screen also has the latest polls, and the details of the chosen one above the errors.
///
/// ```text
/// ╭ Latency ─────────────────────────── p50 17 ms · p95 22 ms · max 22 ms ─╮
/// │ 22 ms                                            ▁▄▆█  ▃▅▇  ▁▄▆█  ▃▅▇  │
/// ╭ Calls ──────────────────╮╭ Errors ─────────────────────────────────────╮
/// ```
struct NetworkView {
    let trip: TripView

    private typealias Span = Canvas.Span
    private var localizer: Localizer { trip.localizer }
    private var glyphs: GlyphSet { trip.glyphs }
    private var history: PollStatistics { trip.trip.history }

    func draw(on canvas: inout Canvas, in rect: Rect) {
        guard rect.width >= 70 else {
            let rows = rect.rows([.fixed(min(8, rect.height / 4)), .fixed(min(11, rect.height / 3)), .flexible()])
            drawLatencies(on: &canvas, in: rows[0])
            drawCalls(on: &canvas, in: rows[1])
            return drawErrors(on: &canvas, in: rows[2], from: trip.state.scroll[.network] ?? 0, hasRequest: true)
        }
        guard Self.hasDetails(in: rect) else {
            let rows = rect.rows([.fixed(min(15, max(5, rect.height * 2 / 5))), .flexible()])
            drawLatencies(on: &canvas, in: rows[0])
            let columns = rows[1].columns([.fixed(rect.width >= 100 ? 44 : 38), .flexible()])
            drawCalls(on: &canvas, in: columns[0])
            drawErrors(on: &canvas, in: columns[1], from: trip.state.scroll[.network] ?? 0, hasRequest: true)
            return
        }
        let rows = rect.rows([.fixed(max(8, rect.height / 4)), .flexible()])
        drawLatencies(on: &canvas, in: rows[0])
        let columns = rows[1].columns([.fixed(50), .flexible()])
        let calls = history.calls
        let left = columns[0].rows([.flexible(), .fixed(PollStatistics.mostCalls + 3)])
        let right = columns[1].rows([.fixed(calls.isEmpty ? 0 : 11), .flexible()])
        drawCalls(on: &canvas, in: left[0])
        let list = LatestCalls(trip: trip, chosen: min(trip.state.scroll[.network] ?? 0, max(0, calls.count - 1)))
        list.drawList(on: &canvas, in: left[1])
        list.drawDetails(on: &canvas, in: right[0])
        drawErrors(on: &canvas, in: right[1], from: 0, hasRequest: false)
    }

    private static func hasDetails(in rect: Rect) -> Bool { rect.width >= 110 && rect.height >= 32 }

    /// Returns the maximum scroll offset of the errors, or with details the number of the last poll.
    static func lastRow(of trip: FollowedTrip, in rect: Rect) -> Int {
        hasDetails(in: rect) ? max(0, trip.history.calls.count - 1) : 500
    }

    private func drawLatencies(on canvas: inout Canvas, in rect: Rect) {
        var note = ""
        if let p50 = history.median, let p95 = history.percentile(0.95), let max = history.maximum {
            let parts = [("p50", p50), ("p95", p95), (localizer(.maximum), max)].map {
                "\($0.0) \(localizer.latency($0.1))"
            }
            note = parts.joined(separator: " \(glyphs.separator) ")
        }
        let inner = canvas.frame(rect, title: localizer(.latency), note: note).inset(horizontal: 1, vertical: 0)
        guard let top = history.maximum, top > .zero, !inner.isEmpty else {
            canvas.put(localizer(.noCallYet), in: inner, role: .secondary)
            return
        }
        let columns = inner.columns([.fixed(8), .flexible()])
        canvas.put(localizer.latency(top), in: columns[0], role: .secondary)
        if inner.height > 1 { canvas.put("0", in: columns[0], row: inner.height - 1, role: .secondary) }
        let chart = columns[1]
        canvas.chart(history.entries.map { $0.isGood ? $0.latency?.seconds : nil }, in: chart, top: top.seconds)
        // Failures are crosses on the base line instead of columns.
        for (offset, entry) in history.entries.suffix(chart.width).reversed().enumerated() where !entry.isGood {
            canvas.put(glyphs.cross, x: chart.maxX - 1 - offset, y: chart.maxY - 1, role: .critical)
        }
    }

    // MARK: Requests

    private func drawCalls(on canvas: inout Canvas, in rect: Rect) {
        let inner = canvas.frame(rect, title: localizer(.calls), note: localizer.count(history.polls, .polls))
            .inset(horizontal: 1, vertical: 0)
        var rows = Rows()
        let good = history.polls - history.errors
        let share = history.polls == 0 ? glyphs.unknown : "\(good * 100 / history.polls) %"
        rows.add(localizer(.callsGood), [Span("\(good) ", .positive), Span("(\(share))", .secondary)], rank: 2)
        rows.add(localizer(.callsFailed), [Span("\(history.errors)", history.errors == 0 ? .text : .critical)], rank: 2)
        let statuses = history.statuses.sorted { $0.key < $1.key }.prefix(6)
        if !statuses.isEmpty {
            let spans = statuses.flatMap { status, count in
                [
                    Span("\(status.name) ", status.isSuccess ? .positive : .critical),
                    Span("\(glyphs.times)\(count)  ", .text),
                ]
            }
            rows.add(localizer(.callsStatus), spans, rank: 3)
        }
        let mean = history.polls == 0 ? 0 : history.bytes / history.polls
        rows.add(
            localizer(.callsBytes),
            [
                Span(localizer.bytes(history.bytes)),
                Span(localizer(.callsEach, ["size": localizer.bytes(mean)]), .secondary),
            ],
            rank: 4
        )
        rows.add(localizer(.callsLast), trip.lastResult(inARow: false), rank: 1)
        if let call = trip.trip.lastReport?.remoteCall {
            // The request below has the package, too.
            let method = call.method.split(separator: ".").last.map(String.init) ?? call.method
            rows.add("gRPC", [Span(Reporter.sanitized(method, limit: 100), .secondary)], rank: 6)
        }
        if let (due, role, reason) = trip.nextPoll {
            rows.add(localizer(.callsNext), [Span(due, role)], rank: 0)
            if let reason { rows.add("", [Span(reason, .secondary)], rank: 1) }
        } else {
            rows.add(localizer(.callsNext), trip.noNextPoll, rank: 0)
        }
        if let schedule = trip.trip.schedule {
            rows.add(localizer(.callsEvery), [Span(localizer.span(schedule.interval))], rank: 3)
            if let asked = schedule.clampedFrom {
                let text = localizer(
                    asked < schedule.interval ? .raisedAllowed : .loweredAllowed,
                    ["interval": localizer.span(asked)]
                )
                rows.add([Span(text, .warning)], rank: 3)
            }
            if schedule.failures > 0 {
                rows.add([Span(localizer.count(schedule.failures, .failuresInARow), .critical)], rank: 1)
            }
        }
        if history.omitted > 0 {
            rows.add(
                [Span(localizer(.omittedPolls, ["polls": localizer.count(history.omitted, .polls)]), .warning)],
                rank: 4
            )
        }
        if let report = trip.trip.lastReport, let date = report.serverDate {
            let offset = Duration.seconds(date.timeIntervalSince(report.finished.wall))
            let words =
                abs(offset.seconds) <= 2
                ? localizer(.clockAsOurs) : localizer(.clockFromOurs, ["difference": localizer.difference(offset)])
            rows.add(localizer(.callsClock), [Span(words, abs(offset.seconds) <= 2 ? .text : .warning)], rank: 5)
        }
        _ = rows.draw(on: &canvas, in: inner)
    }

    // MARK: Errors

    /// Draws the failures so far and the possible ones; without the request, what does not fit is left out.
    private func drawErrors(on canvas: inout Canvas, in rect: Rect, from row: Int, hasRequest: Bool) {
        let faults = history.faults.values.sorted { $0.last > $1.last }
        let inner = canvas.frame(rect, title: localizer(faults.isEmpty ? .errorsIfTheyCome : .errorsTitle))
            .inset(horizontal: 1, vertical: 0)
        var block = TextBlock(width: inner.width)
        if hasRequest { addRequest(to: &block) }
        add(faults, to: &block)
        var whole = block
        addTable(to: &whole, hasRemedies: true)
        if !hasRequest, whole.lines.count > inner.height {
            whole = block
            addTable(to: &whole, hasRemedies: false)
        }
        whole.draw(on: &canvas, in: inner, from: row, localizer: localizer)
    }

    /// Adds the last request as a command.
    func addRequest(to block: inout TextBlock) {
        guard let command = trip.trip.curlCommand else { return }
        let key = trip.state.settings.keys.first { $0.command == .copy }?.name ?? ""
        block.add([
            Span(localizer(.requestTitle), .heading),
            Span(key.isEmpty ? "" : "  \(key): \(localizer(.keyCopy))", .secondary),
        ])
        block.add(nil, Reporter.sanitized(command, limit: 1000), .text)
        block.add([])
    }

    private func add(_ faults: [PollStatistics.Fault], to block: inout TextBlock) {
        for fault in faults {
            let sentence = UserMessage(
                fault.failure,
                trip: trip.trip.id,
                host: trip.state.settings.host,
                localizer: localizer
            )
            let when = "\(trip.zone.clock(fault.last)), \(localizer.count(fault.count, .polls))"
            let head = Span("\(glyphs.cross) \(sentence.short)", .critical)
            let isShort = TextWidth.of(head.text) + 2 + TextWidth.of(when) <= block.width
            block.add([head] + (isShort ? [Span("  \(when)", .secondary)] : []))
            if !isShort { block.add(nil, when, .secondary, indent: 2) }
            block.add(nil, sentence.what + localizer(.fullStop), .text, indent: 2)
            if let advice = sentence.remedy { block.add(nil, advice, .warning, indent: 2) }
            block.add([])
        }
        if !faults.isEmpty { block.add([Span(localizer(.errorsElse), .heading)]) }
    }

    private func addTable(to block: inout TextBlock, hasRemedies: Bool) {
        let isRemote = trip.trip.lastReport?.remoteCall != nil
        for error in ErrorTable.rows {
            let name = error.status.map { isRemote ? StatusCode(httpStatus: $0).name : String($0) }
            let code = Span((name ?? localizer(.codeNone)).padding(5), .accent)
            if isRemote {
                // The names are too long for a column.
                block.add([code])
                block.add(nil, localizer(error.meaning), indent: 6)
            } else {
                block.add(code, localizer(error.meaning))
            }
            if hasRemedies { block.add(nil, localizer(error.remedy), .secondary, indent: 6) }
        }
    }
}
