import Canvas
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// Draws a trip for viewers at a distance: large text and the map, no IDs, polls or tokens.
///
/// ```text
///  Your ride                                           17:01:47
///
///   Large words                                     6:23
///
///  status                    until the pickup, at 17:08:10, as promised
///                             map
///  ━━━━━━━━━━◉━━━━━━━━━━━━►──────────────────────────────────⚑
///                 the caption of the scenario
/// ```
struct PresenterView {
    let trip: TripView

    private typealias Span = Canvas.Span
    var localizer: Localizer { trip.localizer }

    func draw(on canvas: inout Canvas, in screen: Rect) {
        let (words, layout) = Self.layout(of: trip.state, in: screen)
        drawHeader(on: &canvas, in: layout.header)
        drawWords(words, role, layout, on: &canvas)
        drawDetails(layout, on: &canvas)
        if let card = ClosingCard(trip), !layout.map.isEmpty {
            card.draw(
                on: &canvas,
                in: Rect(
                    x: layout.map.x,
                    y: layout.map.y,
                    width: layout.map.width,
                    height: layout.map.height + layout.talk.height
                )
            )
        } else {
            if !layout.map.isEmpty { drawMap(on: &canvas, in: layout.map) }
            if !layout.talk.isEmpty { PresenterTalk(trip: trip).draw(on: &canvas, in: layout.talk) }
        }
        RideProgress(of: trip.trip, at: trip.now)?.draw(on: &canvas, in: layout.progress)
        drawCaption(layout.captionLines, on: &canvas, in: layout.caption)
    }

    /// Draws the band of the caption; it is lit for a second after a change.
    func drawCaption(_ lines: [String], on canvas: inout Canvas, in rect: Rect) {
        let isLit = trip.trip.story.lit(at: trip.now, speed: trip.state.settings.speed) != nil
        let role: Role = isLit ? .badge : .banner
        canvas.fill(rect, role: role)
        let margin = (rect.height - lines.count) / 2
        for (row, line) in lines.enumerated() {
            canvas.put(line, in: rect, row: margin + row, align: .center, role: role)
        }
    }

    /// Returns the longest words for which there are large letters, and the areas of the screen with them.
    private static func layout(of state: State, in screen: Rect) -> (words: String, areas: PresenterLayout) {
        let countdown = state.trip.flatMap { watch(state.audienceClaim(of: $0), state) } ?? ""
        let layouts = words(of: state).lazy.map { words in
            let areas = PresenterLayout(
                words: words,
                countdown: countdown,
                caption: state.audienceCaption,
                hasTalk: state.display.showsTalk,
                in: screen,
                glyphs: state.settings.glyphs
            )
            return (words: words, areas: areas)
        }
        return layouts.first { $0.areas.wordsFace != nil } ?? layouts[0]
    }

    /// Returns the area of the map; empty if there is no room.
    static func map(of state: State, in screen: Rect) -> Rect { layout(of: state, in: screen).areas.map }

    /// Returns the status in a few words, and in fewer ones for a small screen.
    static func words(of state: State) -> [String] {
        let localizer = state.settings.localizer
        return state.trip?.state.journey.map { phrases(of: $0).map { localizer($0) } } ?? [localizer(.bigConnecting)]
    }

    private static func watch(_ claim: Claim.Kind?, _ state: State) -> String? {
        guard case .expected(_, _, let left)? = claim else { return nil }
        return state.settings.localizer.watch(left)
    }

    /// Draws the words and the countdown in large letters; words in scripts without them are drawn on a background.
    private func drawWords(_ words: String, _ role: Role, _ layout: PresenterLayout, on canvas: inout Canvas) {
        let watch = Self.watch(trip.state.audienceClaim(of: trip.trip), trip.state) ?? ""
        if let face = layout.countdownFace {
            let baseline = layout.countdown.maxY - layout.countdownBelow
            canvas.putBig(
                watch,
                x: layout.countdown.x,
                baseline: baseline,
                face: face,
                role: trip.isOld ? .stale : .accent
            )
        }
        let rect = layout.words
        if let face = layout.wordsFace {
            canvas.putBig(words, x: rect.x, baseline: rect.maxY - layout.wordsBelow, face: face, role: role)
            return
        }
        let badge: Role =
            switch role {
            case .positive: .badgePositive
            case .warning: .badgeWarning
            case .critical: .badgeCritical
            default: .badge
            }
        let ground = Rect(
            x: rect.x,
            y: rect.y + max(0, rect.height - 3) / 2,
            width: min(rect.width, TextWidth.of(words) + 6),
            height: min(3, rect.height)
        )
        canvas.fill(ground, role: badge)
        canvas.put(words, in: ground.inset(horizontal: 3, vertical: 0), row: ground.height / 2, role: badge)
    }

    /// Draws the title and the clock.
    func drawHeader(on canvas: inout Canvas, in rect: Rect) {
        canvas.fill(rect, role: .banner)
        let title = trip.state.settings.heading
        canvas.put(" \(title.isEmpty ? localizer(.yourRide) : title)", in: rect, role: .banner)
        var right = [Span("\(trip.zone.clock(trip.now.wall)) ", .banner)]
        if trip.trip.isPaused && trip.trip.end == nil || trip.state.ride.isHeld {
            right = [Span(" \(localizer(.presenterPaused)) ", .badgeWarning), Span(" ", .banner)] + right
        }
        canvas.put(right, in: rect, align: .right)
    }

    /// Draws the status sentence and the ETA: in one line if both fit, otherwise the more important one; how many stops come
    /// before is not dropped.
    private func drawDetails(_ layout: PresenterLayout, on canvas: inout Canvas) {
        let variants = details(hasWatch: layout.countdownFace != nil)
        func width(_ spans: [Span]) -> Int { spans.reduce(0) { $0 + TextWidth.of($1.text) } }
        guard layout.details.height < 2 else {
            return drawSentences(variants.first ?? [], on: &canvas, in: layout.details)
        }
        guard layout.sentence.isEmpty else {
            canvas.put(caption, in: layout.sentence, role: role)
            canvas.put(variants.first { width($0) <= layout.details.width } ?? variants.last ?? [], in: layout.details)
            return
        }
        if hasStops, !hasProblem, case .expected? = trip.state.audienceClaim(of: trip.trip) {
            // The last clause has the number of the stops.
            let short = caption.components(separatedBy: localizer(.clauseComma)).last ?? caption
            for right in variants {
                for left in [caption, short] where TextWidth.of(left) + 2 + width(right) <= layout.details.width {
                    canvas.put(left, in: layout.details, role: role)
                    canvas.put(right, in: layout.details, align: .right)
                    return
                }
            }
            canvas.put(short, in: layout.details, role: role)
            return
        }
        let room = layout.details.width - TextWidth.of(caption) - 2
        // The large words say the same as the sentence, unless it states a problem, or how many stops come before; that
        // nothing is known of an arrival says more than that there is no report at the moment.
        let right =
            (hasProblem && !isSilent) || countsStops
            ? variants.first { width($0) <= room } ?? []
            : variants.first { width($0) <= layout.details.width } ?? variants.last ?? []
        if right.isEmpty || width(right) <= room { canvas.put(caption, in: layout.details, role: role) }
        canvas.put(right, in: layout.details, align: .right)
    }

    /// Draws the status sentence and below it the parts of the ETA, several in a line where they fit.
    private func drawSentences(_ spans: [Span], on canvas: inout Canvas, in rect: Rect) {
        let comma = Span(localizer(.clauseComma))
        // A clause of its own, such as how many stops come before, is read more easily in a line of its own.
        let clauses = caption.components(separatedBy: comma.text)
        let isWhole = TextWidth.of(caption) <= rect.width
        let text = isWhole ? caption : clauses.joined(separator: comma.text.trimmingCharacters(in: .whitespaces) + "\n")
        let sentence = Printable.wrapped(text, to: rect.width, limit: max(1, rect.height - 2))
        for (row, line) in sentence.enumerated() { canvas.put(line, in: rect, row: row, role: role) }
        var lines: [[Span]] = []
        for part in spans.split(separator: comma) {
            let joined = (lines.last.map { $0 + [comma] } ?? []) + part
            if !lines.isEmpty, joined.reduce(0, { $0 + TextWidth.of($1.text) }) <= rect.width {
                lines[lines.count - 1] = joined
            } else {
                lines.append(Array(part))
            }
        }
        for (index, line) in lines.enumerated() { canvas.put(line, in: rect, row: sentence.count + index) }
    }

    /// Returns the ETA with the delay, and without the less important of both for a narrow line.
    ///
    /// `hasWatch` is whether the countdown is drawn in large letters.
    private func details(hasWatch: Bool) -> [[Span]] {
        func clock(_ time: Date) -> String { trip.zone.clock(time, now: trip.now.wall) }
        switch trip.state.audienceClaim(of: trip.trip) {
        case .reached(let arrival, let time, let delay):
            let at = trip.zone.clock(time)
            let words = Span(localizer(arrival.isLatestDone ? .arrivedBy(time: at) : .arrivedAt(time: at)), .positive)
            return [[words] + (delay.map { [Span(localizer(.clauseComma)), trip.promise($0)] } ?? [])]
        case .overdue(let next, let expected, let late):
            let duration = localizer.watch(late)
            let time = localizer(.atClock(time: clock(expected)))
            let seen = clock(expected + late.seconds)
            return [
                [Span(localizer(next.late(by: duration, time, seen: seen)), .warning)],
                [Span(localizer(.countdownOverdue(duration: duration)), .warning)],
            ]
        case .notShown(let next, let expected):
            let words = localizer(.notKnown)
            let whole = words + localizer(.expectedAt(time: clock(expected)))
            return [
                [Span(localizer(.labelled(label: next.title(localizer), value: whole)), .stale)],
                [Span(localizer(.labelled(label: next.title(localizer), value: words)), .stale)],
            ]
        case .noReport(let silence, let missed?):
            let duration = localizer.watch(silence)
            let time = localizer(.atClock(time: clock(missed.expected)))
            return [
                [Span(localizer(missed.arrival.silent(for: duration, time)), .stale)],
                [Span(localizer(.countdownNoReport(duration: duration)), .stale)],
            ]
        case .expected(let next, let time, let left):
            let role: Role = trip.isOld ? .stale : .accent
            guard left > .zero else {
                // Whether the vehicle has arrived is not known yet.
                return [[Span(next.title(localizer) + localizer(.expectedAt(time: clock(time))), role)]]
            }
            let first =
                (hasWatch ? [] : [Span("\(localizer.watch(left)) ", role)]) + [Span(localizer(next.until), role)]
            // From an old position nothing follows about the promise.
            let delay = trip.isOld ? nil : window(of: time) ?? next.delay.map(trip.promise)
            let after = [Span(localizer(.atClock(time: clock(time))), role), delay].compactMap(\.self)
            let isLate =
                window(of: time).map { $0.role == .warning } ?? (abs(next.delay?.seconds ?? 0) >= TripView.leastDelay)
            let short = Array(isLate ? after.suffix(1) : after.prefix(1))
            return [after, short].map { first + $0.flatMap { [Span(localizer(.clauseComma)), $0] } }
        case .noReport(_, nil), .atStop, .ended, nil: return []
        }
    }

    /// Whether an expected arrival is in the time window that the sender has promised; `nil` without a window.
    private func window(of time: Date) -> Span? {
        guard let window = trip.trip.state.journey?.shipment?.targetTimeWindow else { return nil }
        if time >= window.start, time <= window.end { return Span(localizer(.withinWindow), .secondary) }
        let late = Duration.seconds(time.timeIntervalSince(window.end))
        return late.seconds >= 60 ? Span(localizer(.timeWindowMissed(late: localizer.watch(late))), .warning) : nil
    }
}

extension TripView {
    /// Smaller differences from the first estimate, in seconds, are not shown.
    fileprivate static var leastDelay: Double { 30 }

    /// Returns the difference of an ETA from its first estimate as text.
    func promise(_ delay: Duration) -> Canvas.Span {
        guard abs(delay.seconds) >= Self.leastDelay else { return Canvas.Span(localizer(.asPromised), .secondary) }
        let step = abs(delay.seconds) < 60 ? 10.0 : 60
        let rounded = Duration.seconds((abs(delay.seconds) / step).rounded(.down) * step)
        return delay > .zero
            ? Canvas.Span(localizer(.promiseLater(duration: localizer.span(rounded))), .warning)
            : Canvas.Span(localizer(.promiseEarlier(duration: localizer.span(rounded))), .positive)
    }
}
