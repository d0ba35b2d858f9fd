import Canvas
import Foundation
import TripFeed
import TripModel
import TripText

/// Draws a trip for viewers at a distance: large text and the map, no IDs, polls or tokens.
///
/// ```text
///  Your ride                                           17:01:47
///  ▀█▀ █▀█   █▀▄ █▀▄ █▀█ █▀▄
///  1:04 until the drop-off
/// ╭────────────────────────────────────────────────────────────╮
/// │                          map                               │
///  On the way to the drop-off
///  the caption of the scenario
/// ```
struct PresenterView {
    let trip: TripView

    private typealias Span = Canvas.Span
    private var say: Localizer { trip.say }

    func draw(on canvas: inout Canvas, in screen: Rect) {
        let rows = Self.rows(of: trip.state, in: screen)
        let lines = Self.captionLines(of: trip.state, in: screen)
        drawHeader(on: &canvas, in: rows[0])
        let role = StatusWords(trip.trip.state, say: say).role
        drawWords(role, on: &canvas, in: rows[2].inset(horizontal: 2, vertical: 0))
        drawCountdown(on: &canvas, in: rows[4].inset(horizontal: 2, vertical: 0))
        if Self.hasMap(screen) { drawMap(on: &canvas, in: rows[6]) }
        canvas.put(caption, in: rows[7].inset(horizontal: 2, vertical: 0), role: role)
        let below = rows[8].inset(horizontal: 2, vertical: 0)
        for (row, line) in lines.enumerated() { canvas.put(line, in: below, row: row) }
    }

    /// Returns the areas of header, large text, countdown, map, status and caption, with blank rows between them.
    private static func rows(of state: State, in screen: Rect) -> [Rect] {
        let big = Canvas(width: 0, height: 0, glyphs: state.settings.glyphs).bigTextHeight
        let isTall = screen.height >= 14 + 2 * big
        let lines = captionLines(of: state, in: screen)
        let words = isLarge(state, in: screen) ? big : hasMap(screen) ? 3 : 1
        return screen.rows(
            [
                .fixed(1), .fixed(isTall ? 1 : 0), .fixed(words), .fixed(screen.height < 10 ? 0 : 1),
                .fixed(isTall && hasMap(screen) ? big : 1), .fixed(isTall ? 1 : 0),
            ]
                + [.flexible(), .fixed(1), .fixed(lines.count)]
        )
    }

    /// Returns whether there is room for the map.
    private static func hasMap(_ screen: Rect) -> Bool { screen.width >= 60 && screen.height >= 16 }

    /// Returns the status in one to three words.
    private static func words(of state: State) -> String {
        let say = state.settings.localizer
        return state.trip?.state.trip.map { say(phrase($0.status)) } ?? say(.bigConnecting)
    }

    /// Returns whether the text has large letters and enough room for them.
    private static func isLarge(_ state: State, in screen: Rect) -> Bool {
        let canvas = Canvas(width: 0, height: 0, glyphs: state.settings.glyphs)
        guard let width = canvas.bigTextWidth(words(of: state)) else { return false }
        return width <= screen.width - 4 && canvas.bigTextHeight + 3 <= screen.height
    }

    /// Draws the text in large letters; on a colored background if there are none, as for Korean and Chinese.
    private func drawWords(_ role: Role, on canvas: inout Canvas, in rect: Rect) {
        let words = Self.words(of: trip.state)
        guard !canvas.putBig(words, in: rect, role: role) else { return }
        let badge: Role =
            switch role {
            case .positive: .badgePositive
            case .warning: .badgeWarning
            case .critical: .badgeCritical
            default: .badge
            }
        let ground = Rect(x: rect.x, y: rect.y, width: min(rect.width, TextWidth.of(words) + 6), height: rect.height)
        canvas.fill(ground, role: badge)
        canvas.put(words, in: ground.inset(horizontal: 3, vertical: 0), row: ground.height / 2, role: badge)
    }

    private static func captionLines(of state: State, in screen: Rect) -> [String] {
        guard !state.caption.isEmpty, screen.height >= 10 else { return [] }
        return Printable.wrapped(state.caption, to: max(1, screen.width - 4), limit: 2)
    }

    /// Returns the area of the map within its frame; empty if there is no room.
    static func map(of state: State, in screen: Rect) -> Rect {
        hasMap(screen) ? rows(of: state, in: screen)[6].inset(by: 1) : Rect(x: 0, y: 0, width: 0, height: 0)
    }

    private func drawHeader(on canvas: inout Canvas, in rect: Rect) {
        canvas.fill(rect, role: .banner)
        canvas.put(" \(say(.yourRide))", in: rect, role: .banner)
        var right = [Span("\(trip.zone.clock(trip.now.wall)) ", .banner)]
        if trip.trip.isPaused, trip.trip.end == nil {
            right = [Span(" \(say(.presenterPaused)) ", .badgeWarning), Span(" ", .banner)] + right
        }
        canvas.put(right, in: rect, align: .right)
    }

    private func drawCountdown(on canvas: inout Canvas, in rect: Rect) {
        let arrivals = Arrivals(of: trip.trip.state)
        if let final = arrivals.final, let done = final.done {
            var words = [Span(say(.arrivedAt, trip.zone.clock(done)), .positive)]
            if let delay = final.delay.map(delay) { words += [Span(say(.clauseComma)), delay] }
            canvas.put(words, in: rect)
            return
        }
        guard let next = arrivals.all.first(where: { $0.expected != nil }), let time = next.expected else { return }
        let left = Duration.seconds(time.timeIntervalSince(trip.trip.state.serviceTime(trip.now)))
        let clock = say(.atClock, trip.zone.clock(time, now: trip.now.wall))
        let delay = next.delay.map(delay)
        guard left.seconds > -1 else {
            canvas.put(
                say(next.late, say.watch(left), clock),
                in: rect,
                role: .warning
            )
            return
        }
        let watch = say.watch(left)
        guard canvas.putBig(watch, in: rect, role: .accent), let used = canvas.bigTextWidth(watch) else {
            let first = [Span("\(watch) ", .accent), Span(say(next.until))]
            let after = [Span(clock), delay].compactMap(\.self)
            // If there is no room for both, the delay is more important than the time.
            let isLate = abs(next.delay?.seconds ?? 0) >= Self.notableDelay
            let short = Array(isLate ? after.suffix(1) : after.prefix(1))
            let lines = [after, short].map { first + $0.flatMap { [Span(say(.clauseComma)), $0] } }
            let whole = lines.first { $0.reduce(0) { $0 + TextWidth.of($1.text) } <= rect.width }
            canvas.put(whole ?? lines[1], in: rect)
            return
        }
        let beside = Rect(x: rect.x + used + 3, y: rect.y, width: rect.width - used - 3, height: rect.height)
        canvas.put(say(next.until), in: beside, row: rect.height / 2)
        let words = [Span(clock, .secondary)] + (delay.map { [Span(say(.clauseComma), .secondary), $0] } ?? [])
        canvas.put(words, in: beside, row: rect.height / 2 + 1)
    }

    /// Smaller differences from the first estimate, in seconds, are not shown.
    private static let notableDelay = 60.0

    /// Returns the difference of an ETA from its first estimate as text.
    private func delay(_ delay: Duration) -> Span {
        guard abs(delay.seconds) >= Self.notableDelay else { return Span(say(.promiseKept), .secondary) }
        let minutes = Duration.seconds((abs(delay.seconds) / 60).rounded(.down) * 60)
        return delay > .zero
            ? Span(say(.promiseLater, say.span(minutes)), .warning)
            : Span(say(.promiseEarlier, say.span(minutes)), .positive)
    }

    private func drawMap(on canvas: inout Canvas, in rect: Rect) {
        let inner = canvas.frame(rect)
        guard !trip.trip.map.isEmpty else { return }
        let isStale = PositionAge(of: trip.trip, at: trip.now)?.reason != nil
        let camera = trip.state.camera(trip.trip.map, in: inner)
        let estimate = trip.state.estimate(trip.trip)
        MapView(
            picture: trip.trip.map,
            isStale: isStale,
            camera: camera,
            estimate: estimate,
            basemap: trip.state.settings.basemap,
            say: say
        )
        .draw(on: &canvas, in: inner)
    }

    /// The status as a sentence, or the problem in a few words.
    private var caption: String {
        if trip.trip.isPaused, trip.trip.end == nil { return say(.presenterPaused) }
        if trip.trip.lastReport?.failure != nil, trip.trip.end == nil { return say(.noNews) }
        if let reason = PositionAge(of: trip.trip, at: trip.now)?.reason {
            return say(reason == .paused ? .presenterPaused : .positionOldSentence)
        }
        return StatusWords(trip.trip.state, say: say).text
    }

    /// A status in one to three large words.
    static func phrase(_ status: TripStatus) -> StringKey {
        switch status {
        case .new: .bigWaiting
        case .enrouteToPickup: .bigToPickup
        case .arrivedAtPickup: .bigAtPickup
        case .enrouteToIntermediateDestination: .bigToStop
        case .arrivedAtIntermediateDestination: .bigAtStop
        case .enrouteToDropoff: .bigToDropoff
        case .complete: .bigComplete
        case .canceled: .bigCanceled
        case .unrecognized: .bigUnknown
        }
    }
}

extension Arrivals.Arrival {
    /// What a countdown to it counts to.
    fileprivate var until: StringKey {
        switch kind {
        case .pickup: .untilPickup
        case .dropoff: .untilDropoff
        case .intermediateDestination: .untilStop
        case .unrecognized: .untilWaypoint
        }
    }

    /// That it is late.
    fileprivate var late: StringKey {
        switch kind {
        case .pickup: .latePickup
        case .dropoff: .lateDropoff
        case .intermediateDestination: .lateStop
        case .unrecognized: .lateWaypoint
        }
    }
}
