package import Canvas
import Foundation
import Runtime
import TripText

/// Draws a presenter's console; depends on the state only.
package func consoleView(_ state: ConsoleState, recordsTexts: Bool = false) -> Canvas {
    var canvas = Canvas(
        width: state.width,
        height: state.height,
        glyphs: state.settings.glyphs,
        recordsTexts: recordsTexts
    )
    ConsoleView(state: state, layout: ConsoleLayout(state)).draw(on: &canvas)
    return canvas
}

/// Draws the parts of a presenter's console.
struct ConsoleView {
    let state: ConsoleState
    let layout: ConsoleLayout

    private typealias Span = Canvas.Span
    private var localizer: Localizer { state.settings.localizer }
    private var glyphs: GlyphSet { state.settings.glyphs }

    func draw(on canvas: inout Canvas) {
        drawHeader(on: &canvas)
        if let report = state.report {
            drawSentences(report, on: &canvas)
            drawCaptions(report, on: &canvas)
            drawTimers(report, on: &canvas)
            drawFaults(report, on: &canvas)
            drawNotes(on: &canvas)
        } else {
            canvas.put(localizer(.consoleJoining), in: layout.trip, role: .secondary)
        }
        drawButtons(on: &canvas)
        if let report = state.report, let chosen = state.chosenScenario {
            drawScenarios(report.scenarios, chosen: chosen, on: &canvas)
        }
    }

    // MARK: Lines

    private func drawHeader(on canvas: inout Canvas) {
        canvas.fill(layout.header, role: .banner)
        var left = [localizer(.consoleTitle)]
        if let report = state.report {
            if let chapter = report.chapter { left.append("\(chapter.number)/\(chapter.count)  \(chapter.title)") }
            left.append(report.scenario)
        }
        let right = [Span(" \(state.settings.zone.clock(state.now)) ", .banner)]
        let used = right.reduce(0) { $0 + TextWidth.of($1.text) }
        let room = Rect(x: 0, y: layout.header.y, width: max(0, layout.header.width - used), height: 1)
        canvas.put(" " + left.joined(separator: " \(glyphs.separator) "), in: room, role: .banner)
        canvas.put(right, in: layout.header, align: .right)
    }

    /// The columns of the labels in front of the lines.
    private var margin: Int {
        let labels: [Text] = [.viewTrip, .viewToken, .consoleNow, .consoleNext]
        return (labels.map { TextWidth.of(localizer($0)) }.max() ?? 0) + 2
    }

    /// Draws a label, and returns the area beside it.
    private func label(_ key: Text, in rect: Rect, on canvas: inout Canvas) -> Rect {
        canvas.put(localizer(key), in: rect, role: .secondary)
        return Rect(x: rect.x + margin, y: rect.y, width: rect.width - margin, height: rect.height)
    }

    private func drawSentences(_ report: PresenterReport, on canvas: inout Canvas) {
        if case .restarting = state.link {
            // The trip and the token of the last report are over; the title of the chapter has the whole line above.
            let place = label(.viewTrip, in: layout.trip, on: &canvas)
            canvas.put([Span(" \(localizer(.consoleRestarting)) ", .badgeWarning)], in: place)
            return
        }
        let lines = [(Text.viewTrip, report.trip, layout.trip), (.viewToken, report.token, layout.token)]
        for (key, sentence, rect) in lines {
            canvas.put(sentence.text, in: label(key, in: rect, on: &canvas), role: sentence.tone.role)
        }
    }

    private func drawCaptions(_ report: PresenterReport, on canvas: inout Canvas) {
        let now = label(.consoleNow, in: layout.caption, on: &canvas)
        if report.caption.isEmpty {
            canvas.put(localizer(.consoleNoCaption), in: now, role: .secondary)
        } else {
            canvas.putWrapped(report.caption, in: now, role: .accent)
        }
        guard let caption = report.nextCaption else {
            let chapter = report.chapter?.next.map { localizer(.consoleThenChapter(title: $0)) }
            let next = label(.consoleNext, in: layout.next, on: &canvas)
            canvas.put(chapter ?? localizer(.consoleNoNext), in: next, role: .secondary)
            return
        }
        var spans = [Span(caption.text)]
        if let due = caption.due {
            let left = due - report.ride.time(at: state.now).timeIntervalSince1970
            spans.insert(Span("\(localizer.countdown(.seconds(max(0, left))))  ", .secondary), at: 0)
        }
        let text = spans.map(\.text).joined()
        let isLong = TextWidth.of(text) > layout.next.width - margin
        let used = Printable.wrapped(report.caption, to: now.width, limit: now.height).count
        if isLong, used < now.height {
            // The row that the current caption leaves free.
            let rows = Rect(x: layout.next.x, y: layout.next.y - 1, width: layout.next.width, height: 2)
            canvas.putWrapped(text, in: label(.consoleNext, in: rows, on: &canvas), role: .text)
        } else {
            canvas.put(spans, in: label(.consoleNext, in: layout.next, on: &canvas))
        }
    }

    private func drawTimers(_ report: PresenterReport, on canvas: inout Canvas) {
        func since(_ start: Double) -> String {
            localizer.watch(.seconds(max(0, state.now.timeIntervalSince1970 - start)))
        }
        let clock = state.settings.zone.clock(report.ride.time(at: state.now))
        let speed = report.ride.speed
        let number = speed == speed.rounded() ? String(Localizer.whole(speed)) : localizer.decimal(speed, 2)
        let elapsed = since(report.chapterBegan)
        let part =
            report.chapter == nil
            ? localizer(.consoleSinceScenario(duration: elapsed))
            : localizer(.consoleSinceChapter(duration: elapsed))
        var spans = [
            Span(localizer(.consoleSinceStart(duration: since(report.began))) + "   "),
            Span(part + "   "),
            Span(localizer(.consoleRideTime(time: clock)) + "  "), Span("\(glyphs.times)\(number)", .accent),
        ]
        if report.ride.isPaused { spans += [Span("  "), Span(" \(localizer(.presenterPaused)) ", .badgeWarning)] }
        canvas.put(spans, in: layout.timers)
    }

    private func drawButtons(on canvas: inout Canvas) {
        if let message = state.message {
            let isAlone = layout.message.isEmpty
            let area = isAlone ? layout.keys.inset(horizontal: 1, vertical: 0) : layout.message
            canvas.putWrapped(message, in: area, role: .warning)
            guard !isAlone else { return }
        }
        for place in layout.buttons {
            canvas.put([Span(place.name, .keyName), Span(place.label, .keyHelp)], in: place.rect)
        }
    }

    // MARK: Panels

    private func drawFaults(_ report: PresenterReport, on canvas: inout Canvas) {
        canvas.frame(layout.faultsFrame, title: localizer(.faultsTitle))
        let rows = layout.faults
        for (row, fault) in state.settings.faults.prefix(rows.height).enumerated() {
            let isActive = report.activeFaults.contains(fault.id)
            let letters = ConsoleButton.faultLetters
            canvas.put(
                [
                    Span(letters.indices.contains(row) ? "\(letters[row])" : " ", .keyName),
                    Span(isActive ? " \(glyphs.attention) " : "   ", isActive ? .critical : .text),
                    Span(localizer(fault.title), isActive ? .critical : .text),
                ],
                in: rows,
                row: row
            )
        }
        TextBlock.drawEdge(
            on: &canvas,
            in: rows,
            above: 0,
            below: state.settings.faults.count - rows.height,
            localizer: localizer
        )
    }

    private func drawNotes(on canvas: inout Canvas) {
        guard !layout.notesFrame.isEmpty else { return }
        canvas.frame(layout.notesFrame, title: localizer(.consoleNotes))
        let block = state.notesText(width: layout.notes.width)
        block.draw(on: &canvas, in: layout.notes, from: state.notesRow, localizer: localizer)
    }

    /// Draws the list of scenarios over the console.
    private func drawScenarios(_ scenarios: [String], chosen: Int, on canvas: inout Canvas) {
        let width = min(76, canvas.width)
        // What the chosen one shows; the lines stay the same for all of them.
        let abouts = scenarios.map { name in
            let about = localizer.caption(state.settings.scenarios[name] ?? "")
            return about.isEmpty ? [] : Printable.wrapped(about, to: max(1, width - 4), limit: 3)
        }
        let most = abouts.map(\.count).max() ?? 0
        let aboutRows = most == 0 || canvas.height < 14 ? 0 : most + 1
        let area = canvas.bounds.centered(
            width: width,
            height: min(scenarios.count + aboutRows + 3, canvas.height - 2)
        )
        canvas.fill(area)
        let inner = canvas.frame(area, title: localizer(.consoleScenarios), role: .focusedBorder)
            .inset(horizontal: 1, vertical: 0)
        let parts = inner.rows([.flexible(), .fixed(aboutRows), .fixed(inner.height > 2 ? 1 : 0)])
        let rows = parts[0]
        let first = max(0, min(chosen - rows.height + 1, scenarios.count - rows.height))
        for (row, name) in scenarios.dropFirst(first).prefix(rows.height).enumerated() {
            canvas.put(name, in: rows, row: row)
            if first + row == chosen { canvas.recolor(rows.row(row), role: .selection) }
        }
        if abouts.indices.contains(chosen) {
            for (row, line) in abouts[chosen].enumerated() {
                canvas.put(line, in: parts[1], row: row + 1, role: .accent)
            }
        }
        if !parts[2].isEmpty { canvas.put(localizer(.consoleScenarioKeys), in: parts[2], role: .secondary) }
        TextBlock.drawEdge(
            on: &canvas,
            in: inner,
            above: first,
            below: scenarios.count - first - rows.height,
            localizer: localizer
        )
    }
}

extension ConsoleState {
    /// The notes as lines of this width, or a sentence instead of them.
    func notesText(width: Int) -> TextBlock {
        var block = TextBlock(width: width)
        let lines = notes
        if settings.notes == nil {
            block.add(nil, settings.localizer(.consoleNotesHint), .secondary)
        } else if lines.isEmpty {
            block.add(nil, settings.localizer(.consoleNoNotes(name: report?.scenario ?? "")), .secondary)
        }
        for line in lines { block.add(nil, line) }
        return block
    }
}

extension PresenterReport.Tone {
    /// The role of a sentence with this tone.
    fileprivate var role: Role {
        switch self {
        case .plain: .text
        case .good: .positive
        case .warning: .warning
        case .bad: .critical
        }
    }

    /// The tone of a text with this role.
    init(_ role: Role) {
        self =
            switch role {
            case .positive, .badgePositive: .good
            case .warning, .badgeWarning: .warning
            case .critical, .badgeCritical: .bad
            default: .plain
            }
    }
}
