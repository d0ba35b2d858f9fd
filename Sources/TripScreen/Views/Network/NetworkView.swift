import Canvas
import Failures
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// Draws all calls about a trip as a list, below their latencies and outcomes.
///
/// A large screen also has the details of the chosen call, and the failures so far with remedies.
///
/// ```text
/// ╭ Latency ──────── p50 17 ms · p95 22 ms · max 22 ms ─╮╭ Polling ─────────╮
/// │ 22 ms                         ▁▄▆█  ▃▅▇  ▁▄▆█  ▃▅▇  ││ Good 41 (100 %)  │
/// ╭ Calls ──────────────────────────────────────────────────────── 43 calls ─╮
/// ╭ GetTrip ───────────────────────────────────────────────────── 14:02:26 ─╮
/// ```
struct NetworkView {
    let panel: NetworkPanel
    let trip: TripView

    private typealias Span = Canvas.Span
    private var localizer: Localizer { trip.localizer }
    private var glyphs: GlyphSet { trip.glyphs }
    private var history: PollStatistics { trip.trip.history }

    func draw(on canvas: inout Canvas, in rect: Rect) {
        let parts = Self.parts(of: rect, hasFaults: !history.faults.isEmpty)
        drawLatencies(on: &canvas, in: parts.latencies)
        drawSummary(on: &canvas, in: parts.summary)
        let table = CallTable(panel, trip)
        table.draw(on: &canvas, in: parts.calls)
        if !parts.details.isEmpty, let index = panel.list.index(in: table.calls) {
            drawDetails(of: table.calls[index], on: &canvas, in: parts.details)
        }
        if !parts.faults.isEmpty { drawFaults(on: &canvas, in: parts.faults) }
    }

    /// The areas of the panels; an empty one is not drawn.
    struct Parts {
        var latencies: Rect
        var summary: Rect
        var calls: Rect
        var details: Rect
        var faults: Rect
    }

    /// Returns the areas of the panels in a view.
    static func parts(of rect: Rect, hasFaults: Bool) -> Parts {
        let isLarge = rect.width >= 110 && rect.height >= 30
        let isNarrow = rect.width < 70
        let details = isLarge ? max(12, rect.height * 2 / 5) : 0
        let top = isLarge ? max(8, rect.height / 5) : min(8, max(5, rect.height * 2 / 5))
        let rows = rect.rows([.fixed(top), .flexible(), .fixed(details)])
        let summary = isNarrow ? rect.width : isLarge ? 48 : 38
        let columns = rows[0].columns([.flexible(), .fixed(summary)])
        let below = rows[2].columns([.flexible(), .fixed(isLarge && hasFaults ? 54 : 0)])
        return Parts(
            latencies: isNarrow ? Rect(x: rect.x, y: rect.y, width: 0, height: 0) : columns[0],
            summary: columns[1],
            calls: rows[1],
            details: below[0],
            faults: below[1]
        )
    }

    private func drawDetails(of call: ListedCall, on canvas: inout Canvas, in rect: Rect) {
        let words = CallWords(call, host: trip.state.settings.host, localizer: localizer)
        let inner = canvas.frame(rect, title: words.name, note: trip.zone.clock(call.call.ended.wall))
            .inset(horizontal: 1, vertical: 0)
        let block = TextBlock(words.rows(trip.zone, command: CallCommand.text(for: call.call)), width: inner.width)
        block.draw(on: &canvas, in: inner, from: 0, localizer: localizer)
    }

    private func drawLatencies(on canvas: inout Canvas, in rect: Rect) {
        guard !rect.isEmpty else { return }
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

    // MARK: Polls

    private func drawSummary(on canvas: inout Canvas, in rect: Rect) {
        let inner = canvas.frame(rect, title: localizer(.polling), note: localizer(.polls(count: history.polls)))
            .inset(horizontal: 1, vertical: 0)
        var rows = Rows()
        let good = history.polls - history.errors
        let share = history.polls == 0 ? glyphs.unknown : "\(good * 100 / history.polls) %"
        rows.add(localizer(.callsGood), [Span("\(good) ", .positive), Span("(\(share))", .secondary)], rank: 2)
        rows.add(localizer(.callsFailed), [Span("\(history.errors)", history.errors == 0 ? .text : .critical)], rank: 2)
        if history.heldBack > 0, !trip.state.settings.hidesFaults {
            rows.add(localizer(.callsHeldBack), [Span("\(history.heldBack)", .warning)], rank: 2)
        }
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
                Span(localizer(.callsEach(size: localizer.bytes(mean))), .secondary),
            ],
            rank: 4
        )
        rows.add(localizer(.callsLast), trip.lastResult(inARow: false), rank: 1)
        if let request = trip.trip.lastReport?.call?.request, request.medium == .grpc {
            // The request below has the package, too.
            let method = request.path.split(separator: ".").last.map(String.init) ?? request.path
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
                let span = localizer.span(asked)
                let text = localizer(
                    asked < schedule.interval ? .raisedAllowed(interval: span) : .loweredAllowed(interval: span)
                )
                rows.add([Span(text, .warning)], rank: 3)
            }
            if schedule.failures > 0 {
                rows.add([Span(localizer(.failuresInARow(count: schedule.failures)), .critical)], rank: 1)
            }
        }
        if history.omitted > 0 {
            rows.add(
                [Span(localizer(.omittedPolls(polls: localizer(.polls(count: history.omitted)))), .warning)],
                rank: 4
            )
        }
        if let report = trip.trip.lastReport, let date = report.serverDate {
            let offset = Duration.seconds(date.timeIntervalSince(report.finished.wall))
            let words =
                abs(offset.seconds) <= 2
                ? localizer(.clockAsOurs) : localizer(.clockFromOurs(difference: localizer.difference(offset)))
            rows.add(localizer(.callsClock), [Span(words, abs(offset.seconds) <= 2 ? .text : .warning)], rank: 5)
        }
        _ = rows.draw(on: &canvas, in: inner)
    }

    // MARK: Failures

    private func drawFaults(on canvas: inout Canvas, in rect: Rect) {
        let inner = canvas.frame(rect, title: localizer(.errorsTitle)).inset(horizontal: 1, vertical: 0)
        var block = TextBlock(width: inner.width)
        for fault in history.faults.values.sorted(by: { $0.last > $1.last }) {
            let sentence = fault.poll.message(about: trip.trip.id, trip.state.settings)
            let when = "\(trip.zone.clock(fault.last)), \(localizer(.polls(count: fault.count)))"
            let head = Span("\(glyphs.cross) \(sentence.short)", .critical)
            let isShort = TextWidth.of(head.text) + 2 + TextWidth.of(when) <= block.width
            block.add([head] + (isShort ? [Span("  \(when)", .secondary)] : []))
            if !isShort { block.add(nil, when, .secondary, indent: 2) }
            block.add(nil, sentence.what + localizer(.fullStop), .text, indent: 2)
            if let advice = sentence.remedy { block.add(nil, advice, .warning, indent: 2) }
            block.add([])
        }
        block.draw(on: &canvas, in: inner, from: 0, localizer: localizer)
    }
}
