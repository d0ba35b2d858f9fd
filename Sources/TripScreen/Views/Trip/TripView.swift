import Canvas
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// Draws one trip; each function draws one part of the screen.
struct TripView {
    let state: State
    let trip: FollowedTrip

    typealias Span = Canvas.Span

    var now: Moment { state.now }
    var zone: Zone { state.settings.zone }
    var glyphs: GlyphSet { state.settings.glyphs }
    var localizer: Localizer { state.settings.localizer.about(trip.id.kind) }

    /// The text for unknown values.
    var unknown: Span { Span(localizer(.notKnown), .secondary) }

    /// Draws the header: program, trip, connection, host, clock.
    func drawHeader(on canvas: inout Canvas, in rect: Rect) {
        canvas.fill(rect, role: .banner)
        let isSummary = state.view.panel.isOfAllTrips && state.trips.count > 1
        let connection = isSummary ? Connection(ofAllIn: state) : Connection(of: trip, in: state)
        let sign =
            switch connection.role {
            case .badgePositive: glyphs.check
            case .badgeWarning, .badgeCritical: glyphs.attention
            default: glyphs.bullet
            }
        var right: [Span] = [Span(" \(sign) \(connection.text) ", connection.role), Span(" ", .banner)]
        // The time line shows the speed of a replay.
        if state.settings.speed != 1, state.timeLine == nil {
            right.append(Span("\(glyphs.times)\(speed(state.settings.speed)) ", .banner))
        }
        let clock = zone.clock(now.wall)
        let time = clock + (zone.name.isEmpty ? "" : " \(zone.name)")
        right.append(Span("\(state.isFrozen ? localizer(.frozenAt(time: time)) : time) ", .banner))
        let columns = right.reduce(0) { $0 + TextWidth.of($1.text) }
        let room = rect.width - columns
        guard room > 0 else {
            canvas.put(right, in: rect)
            return
        }
        canvas.put(right, in: rect, align: .right)
        let place = Rect(x: rect.x, y: rect.y, width: room - 1, height: 1)
        var left = [Span(" ", .banner)] + breadcrumb
        let used = left.reduce(0) { $0 + TextWidth.of($1.text) }
        let host = " \(glyphs.separator) \(Reporter.sanitized(state.settings.host, limit: 80))"
        if used + TextWidth.of(host) <= place.width { left.append(Span(host, .banner)) }
        canvas.put(left, in: place)
    }

    /// The breadcrumb: `Trips › trip-7f3a › Token`.
    private var breadcrumb: [Span] {
        let step = Span(" \(glyphs.level == .ascii ? ">" : "›") ", .banner)
        if state.view.panel.isOfAllTrips { return [Span(localizer(state.view.title), .banner)] }
        var spans: [Span] = state.trips.count > 1 ? [Span(localizer(.viewTrips), .banner), step] : []
        spans.append(Span(Reporter.sanitized(trip.id.rawValue, limit: 64), .banner))
        if state.trips.count > 1 {
            spans.append(
                Span(
                    localizer(.tripOf(number: String(state.selected + 1), total: String(state.trips.count))),
                    .banner
                )
            )
        }
        if state.view != .trip { spans += [step, Span(localizer(state.view.title), .banner)] }
        return spans
    }

    private func speed(_ speed: Double) -> String {
        speed == speed.rounded() ? String(Localizer.whole(speed)) : localizer.decimal(speed, 2)
    }

    /// Draws the status and, at the right, the next ETA.
    func drawStatus(on canvas: inout Canvas, in rect: Rect) {
        let words = headline
        let place = rect.inset(horizontal: 1, vertical: 0)
        let right = arrivalHeadline
        let columns = right.reduce(0) { $0 + TextWidth.of($1.text) }
        let left = TextWidth.of(words.text)
        guard left + 2 + columns <= place.width else {
            canvas.put(words.text, in: place, role: words.role)
            return
        }
        canvas.put(words.text, in: place, role: words.role)
        canvas.put(right, in: place, align: .right)
    }

    /// The most important message: why there is no data, or the status.
    var headline: (text: String, role: Role) {
        let words = StatusWords(trip.state, localizer: localizer)
        if case .failed = trip.end, let sentence = trip.endMessage(host: state.settings.host, localizer) {
            return (sentence.what, .critical)
        }
        guard trip.state.journey == nil else { return (words.text, words.role) }
        guard let failed = trip.failedPoll else {
            return (trip.isPolling ? localizer(.askingForTrip) : words.text, .secondary)
        }
        let sentence = failed.message(about: trip.id, state.settings)
        return (sentence.what, trip.schedule?.reason == .waitingForCreation ? .warning : .critical)
    }

    private var arrivalHeadline: [Span] {
        guard let next = trip.claims(at: now).next, let title = next.arrival?.title(localizer) else { return [] }
        return [Span("\(title) ", .secondary)] + spans(of: next, withClock: false)
    }

    /// Returns what is claimed about an arrival that has not happened, and the clock time of when it was or is expected.
    func spans(of claim: Claim, withClock: Bool = true) -> [Span] {
        let (words, role, time): (String, Role, Date)
        switch claim.kind {
        case .expected(_, let expected, let left):
            (words, role, time) = (localizer.countdown(left), isOld ? .stale : .accent, expected)
        case .overdue(_, let expected, let late):
            (words, role, time) = (localizer(.countdownOverdue(duration: localizer.watch(late))), .warning, expected)
        case .notShown(_, let expected):
            let clock = withClock ? localizer(.expectedAt(time: zone.clock(expected, now: now.wall))) : ""
            return [Span(localizer(.notKnown) + clock, .stale)]
        case .noReport(let silence, let missed?):
            (words, role) = (localizer(.countdownNoReport(duration: localizer.watch(silence))), .stale)
            time = missed.expected
        case .noReport(_, nil), .atStop, .reached, .ended: return [unknown]
        }
        guard withClock else { return [Span(words, role)] }
        return [Span(words, role), Span(" \(glyphs.separator) \(zone.clock(time, now: now.wall))", .text)]
    }

    // MARK: Map and events

    func drawMap(on canvas: inout Canvas, in rect: Rect) {
        var title =
            switch state.mapControl.mode {
            case .fit: localizer(.map)
            case .follow: localizer(.mapFollowing)
            case .free: localizer(.mapMoved)
            }
        if state.mapControl.showsReports { title += localizer(.listComma) + localizer(.mapReports) }
        let inner = canvas.frame(rect, title: title, note: traffic, role: state.frameRole(.map))
        guard !trip.map.isEmpty else { return drawNothing(on: &canvas, in: inner) }
        let age = PositionAge(of: trip, at: now)
        let camera = state.camera(trip.map, in: inner)
        let estimate = state.estimate(trip)
        MapView(
            picture: trip.map,
            isStale: age?.reason != nil,
            camera: camera,
            age: age?.received ?? age?.measured,
            estimate: estimate,
            showsReports: state.mapControl.showsReports,
            basemap: state.settings.basemap,
            isMonochrome: state.isMonochrome,
            hasHint: true,
            localizer: localizer
        )
        .draw(on: &canvas, in: inner)
        let facts = positionFacts
        guard !facts.isEmpty, rect.width > 20, rect.height > 3 else { return }
        let edge = Rect(x: rect.x + 2, y: rect.maxY - 1, width: rect.width - 4, height: 1)
        canvas.put(" \(facts.joined(separator: " \(glyphs.separator) ")) ", in: edge, role: .secondary)
    }

    /// Draws, instead of an empty map, the reason and what to do.
    private func drawNothing(on canvas: inout Canvas, in rect: Rect) {
        guard let failed = trip.failedPoll else {
            canvas.put(localizer(.nothingOnMap), in: rect, row: rect.height / 2, align: .center, role: .secondary)
            return
        }
        let sentence = failed.message(about: trip.id, state.settings)
        let place = rect.inset(horizontal: 2, vertical: min(1, rect.height / 4))
        let used = canvas.putWrapped(sentence.what + localizer(.fullStop), in: place, role: .critical)
        guard let advice = sentence.remedy else { return }
        let below = Rect(x: place.x, y: place.y + used + 1, width: place.width, height: place.height - used - 1)
        canvas.putWrapped(advice, in: below)
    }

    /// The traffic ahead in words.
    private var traffic: String {
        switch trip.map.traffic {
        case .jam: localizer(.jamAhead)
        case .slow: localizer(.slowAhead)
        case .later, .trail, .driven, .remaining, nil: ""
        }
    }

    /// Whether the position, and with it the expected arrival, is too old to be shown as current; without a position, whether the
    /// answer is.
    var isOld: Bool {
        guard trip.end == nil else { return false }
        if let age = PositionAge(of: trip, at: now) { return age.reason != nil }
        return trip.claims(at: now).next?.isOld == true
    }

    /// The known values of speed, heading and accuracy; none of an old position.
    var positionFacts: [String] {
        guard !isOld, let trip = trip.state.journey, !trip.status.isTerminal, let location = trip.lastLocation else {
            return []
        }
        let speed = trip.isStanding ? nil : location.speed
        return [
            speed.map(localizer.speed), location.heading.map(localizer.heading),
            location.accuracy.map { localizer(.within(distance: localizer.meters($0))) },
        ].compactMap(\.self)
    }
}

extension TripView {
    /// Adds the stops before, the time window, the end of the task, and what the sender does not show.
    func addShipment(_ journey: Journey, to rows: inout Rows) {
        guard let shipment = journey.shipment else { return }
        if let stops = shipment.remainingStopCount, journey.status == .shipment(.open) {
            let words = stops > 1 ? localizer(.stopsBefore(count: stops - 1)) : localizer(.stopsNone)
            rows.add(localizer(.stopsLeft), [Span(words, .text)], rank: 1)
        }
        if let window = shipment.targetTimeWindow { add(window, of: journey, to: &rows) }
        if let done = shipment.estimatedCompletion {
            rows.add(localizer(.doneBy), [Span(zone.clock(done, now: now.wall), .secondary)], rank: 9)
        }
        let hidden = HiddenValue.allCases.filter(journey.hidden.contains).map { localizer($0.words) }
        if hidden.isEmpty, journey.status == .shipment(.open) {
            rows.add(localizer(.notShown), [Span(localizer(.hiddenNothing), .secondary)], rank: 9)
        }
        // A narrow panel has room for two names.
        for first in stride(from: 0, to: hidden.count, by: 2) {
            let names = hidden[first...].prefix(2).joined(separator: localizer(.listComma))
            rows.add(first == 0 ? localizer(.notShown) : "", [Span(names, .secondary)], rank: 3)
        }
    }

    /// Adds the promised time, and whether the expected arrival or the hand-over is in it.
    func add(_ window: TimeWindow, of journey: Journey, to rows: inout Rows) {
        let (start, end) = (zone.clock(window.start, now: now.wall), zone.clock(window.end, now: now.wall))
        let words = localizer(.timeWindowSpan(start: start, end: end))
        rows.add(localizer(.timeWindow), [Span(words, .text)], rank: 2)
        let isIn = { (time: Date) in time >= window.start && time <= window.end }
        if journey.status == .shipment(.succeeded), journey.shipment?.outcomeTime.map(isIn) == true {
            rows.add("", [Span(localizer(.withinWindow), .positive)], rank: 4)
        }
        guard journey.status == .shipment(.open), let arrival = journey.etaToFirstWaypoint else { return }
        let late = Duration.seconds(arrival.timeIntervalSince(window.end))
        if late.seconds >= 60 {
            rows.add("", [Span(localizer(.timeWindowMissed(late: localizer.watch(late))), .warning)], rank: 2)
        } else if isIn(arrival), !isOld, case .expected? = trip.claims(at: now).next?.kind {
            rows.add("", [Span(localizer(.withinWindow), .secondary)], rank: 4)
        }
    }
}
