import Canvas
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

extension TripView {
    /// Draws the ETA, the remaining distance and the age of the data; after the end, a summary.
    func drawArrival(_ rows: Rows, on canvas: inout Canvas, in rect: Rect) {
        let isOver = trip.state.journey?.status.isTerminal ?? false
        let inner = canvas.frame(
            rect,
            title: localizer(isOver ? .summary : .arrival),
            note: vehicleName(rect.width),
            role: state.frameRole(.arrival)
        )
        let place = inner.inset(horizontal: 1, vertical: 0)
        let shown = rows.draw(on: &canvas, in: place)
        if shown == 0 { canvas.put(localizer(.nothingKnownYet), in: place, role: .secondary) }
        let key = state.settings.keys.first { $0.command == .largeArrival }?.shortName ?? ""
        rows.drawLeftOut(shown: shown, key: key, on: &canvas, in: place, localizer: localizer)
    }

    /// Draws arrival and timeline on the whole screen, scrollable if necessary.
    func drawLargeArrival(on canvas: inout Canvas, in rect: Rect) {
        let isOver = trip.state.journey?.status.isTerminal ?? false
        let inner = canvas.frame(rect, title: localizer(isOver ? .summary : .arrival), note: vehicleName(rect.width))
            .inset(horizontal: 1, vertical: 0)
        let block = largeArrival(width: inner.width)
        block.draw(on: &canvas, in: inner, from: state.panels.trip.scroll, localizer: localizer)
    }

    /// Returns the content of ``drawLargeArrival(on:in:)``.
    func largeArrival(width: Int) -> TextBlock {
        let isOver = trip.state.journey?.status.isTerminal ?? false
        var block = TextBlock(width: width)
        for line in (isOver ? summaryRows : arrivalRows).lines { block.add(line) }
        if block.lines.isEmpty { block.add([Span(localizer(.nothingKnownYet), .secondary)]) }
        if trip.state.journey.map({ !$0.hidden.isEmpty }) ?? false {
            block.add(nil, localizer(.notShownWhy), .secondary)
        }
        block.add([])
        block.add([Span(localizer(.timeline), .heading)])
        for line in timelineLines(width: min(width, 60)) { block.add(line) }
        return block
    }

    private func vehicleName(_ width: Int) -> String {
        guard let vehicle = trip.state.journey?.vehicleID else { return "" }
        return Printable.truncated(Reporter.sanitized(vehicle.rawValue, limit: 64), to: max(4, width - 20))
    }

    /// The lines of the panel.
    var panelRows: Rows { trip.state.journey?.status.isTerminal == true ? summaryRows : arrivalRows }

    /// The lines while the trip is active.
    var arrivalRows: Rows {
        var rows = Rows()
        let (arrivals, claims) = (Arrivals(of: trip.state), trip.claims(at: now))
        let all = arrivals.all
        for (index, arrival) in all.enumerated() {
            // The next and the final stop are more important than those between them.
            let rank = index == 0 ? 0 : index == all.count - 1 ? 1 : 5
            // What is not shown is listed below.
            if arrival.isOfShipment, arrival.expected == nil, arrival.here == nil, arrival.done == nil { continue }
            rows.add(arrival.title(localizer), value(of: arrival, claims), rank: rank)
            addPromise(of: arrival, claims[arrival.place], to: &rows, rank: index == 0 ? 4 : 8)
            if index == 0, let trend = trend(of: arrival) { rows.add(localizer(.trend), trend, rank: 7) }
        }
        guard let known = trip.state.journey else { return rows }
        if known.shipment != nil { addShipment(known, to: &rows) }
        if !isAtStop, !known.hidden.contains(.remainingDistance) {
            let left = distanceToOwnStop(known).map {
                localizer.spans(.distanceToGo(distance: localizer.distance($0)))
            }
            rows.add(localizer(.distance), left ?? [unknown], rank: 3)
        }
        if let off = trip.map.offRoute, off - max(0, known.lastLocation?.accuracy ?? 0) > offRouteLimit {
            rows.add(localizer(.offRouteRow), [Span(localizer.meters(off), .warning)], rank: 2)
        }
        addPosition(to: &rows)
        if let pickup = arrivals.past, let done = pickup.done {
            rows.add(
                localizer(.pickup),
                [Span(localizer.happened(at: zone.clock(done, now: now.wall), isLatest: pickup.isLatestDone), .text)],
                rank: 6
            )
            addPromise(of: pickup, nil, to: &rows, rank: 9)
        }
        let facts = positionFacts
        if !facts.isEmpty {
            rows.add(localizer(.moves), [Span(facts.joined(separator: " \(glyphs.separator) "), .text)], rank: 10)
        }
        let waypoints = known.remainingWaypoints.count
        // A shipment has its number of stops instead.
        if waypoints > 0, known.shipment == nil {
            let foreign = trip.state.foreignWaypointsAhead
            let other = foreign > 0 ? localizer(.waypointsForeign(number: String(foreign))) : ""
            rows.add(localizer(.ahead), [Span(localizer(.waypoints(count: waypoints)) + other, .text)], rank: 11)
        }
        return rows
    }

    /// The distance from the route above which it is shown, in meters beyond the accuracy; the same as for the finding.
    private var offRouteLimit: Double { state.settings.limits[.offRoute] }

    /// Whether the vehicle waits at one of the trip's stops.
    private var isAtStop: Bool {
        let status = trip.state.journey?.status
        return status == .trip(.arrivedAtPickup) || status == .trip(.arrivedAtIntermediateDestination)
            || trip.state.journey?.isAtOwnStop ?? false
    }

    /// Returns the distance to the next own stop via other riders' stops; `nil` if a part is unknown.
    private func distanceToOwnStop(_ known: Journey) -> Distance? {
        let legs = known.remainingWaypoints.dropFirst().prefix(trip.state.foreignWaypointsAhead)
        var meters = known.remainingDistance?.meters
        for leg in legs { meters = meters.flatMap { sum in leg.distance.map { sum + $0.meters } } }
        return meters.map { Distance(meters: $0) }
    }

    /// Returns the history of an ETA as a curve (later is higher) and its total change; `nil` if it has not changed.
    private func trend(of arrival: Arrivals.Arrival) -> [Span]? {
        let estimates = arrival.kind == .pickup ? trip.state.pickupEstimates : trip.state.dropoffEstimates
        guard arrival.kind == .pickup || arrival.kind == .dropoff, arrival.here == nil, estimates.count > 1,
            let first = estimates.first, let last = estimates.last
        else { return nil }
        let columns = 16
        let span = trip.state.serviceTime(now).timeIntervalSince(first.receivedAt)
        var index = 0
        let values = (1...columns).map { column -> Double in
            let time = first.receivedAt.addingTimeInterval(span * Double(column) / Double(columns))
            while index + 1 < estimates.count, estimates[index + 1].receivedAt <= time { index += 1 }
            return estimates[index].time.timeIntervalSince(first.time)
        }
        let moved = Duration.seconds(last.time.timeIntervalSince(first.time))
        return [
            Span(Sparkline.text(values, span: 60, glyphs: glyphs), .chart),
            Span(" \(localizer.difference(moved))", moved.seconds >= 60 ? .warning : .secondary),
        ]
    }

    /// Returns `in 4:12 · 17:04:31`, or since when the vehicle is there, or when the stop was completed.
    private func value(of arrival: Arrivals.Arrival, _ claims: Claims) -> [Span] {
        if let done = arrival.done {
            let clock = zone.clock(done, now: now.wall)
            return [Span(localizer.happened(at: clock, isLatest: arrival.isLatestDone), .text)]
        }
        if let here = arrival.here {
            let passed = Duration.seconds(max(0, trip.state.serviceTime(now).timeIntervalSince(here)))
            let since = localizer(.since(time: zone.clock(here, now: now.wall)))
            return [
                Span(
                    localizer(.hereFor(duration: localizer.watch(passed) + (arrival.isHereLonger ? "+" : ""))),
                    .positive
                ),
                Span(" \(glyphs.separator) \(since)", .text),
            ]
        }
        return claims[arrival.place].map { spans(of: $0) } ?? [unknown]
    }

    /// Adds `promised 17:01:19 (+3:12)`; differences below one second are omitted, and so is the difference of an old estimate.
    ///
    /// A completed pickup also has the time of the arrival, to which the difference belongs: the rider gets in later. Without
    /// room for both rows, the row of the arrival remains, so that each difference is beside its own time.
    private func addPromise(of arrival: Arrivals.Arrival, _ claim: Claim?, to rows: inout Rows, rank: Int) {
        guard let promised = arrival.promised else { return }
        var spans = [Span(localizer(.promised(time: zone.clock(promised, now: now.wall))), .secondary)]
        if claim?.isOld != true, let delay = arrival.shownDelay, abs(delay.seconds) >= 1 {
            spans.append(Span(" (\(localizer.difference(delay)))", delay.seconds >= 60 ? .warning : .secondary))
        }
        rows.add("", spans, rank: rank)
        guard arrival.done != nil, arrival.done != arrival.arrived, let arrived = arrival.arrived else { return }
        rows.add("", [Span(came(arrived, arrival), .secondary)], rank: rank - 1)
    }

    /// Returns when the driver arrived.
    private func came(_ time: Date, _ arrival: Arrivals.Arrival) -> String {
        let clock = zone.clock(time, now: now.wall)
        return localizer(arrival.isLatestArrival ? .cameBy(time: clock) : .cameAt(time: clock))
    }

    /// From this difference in seconds on, the device's time of a position is shown beside the service's.
    private static let notableDelay = 10.0

    private func addPosition(to rows: inout Rows) {
        guard let age = PositionAge(of: trip, at: now) else {
            // The rows of a shipment say that it is not shown.
            guard trip.id.kind == .trip else { return }
            rows.add(localizer(.position), [unknown], rank: 5)
            return
        }
        let role: Role = age.reason == nil ? .text : .warning
        var spans: [Span] = []
        if let received = age.received {
            spans.append(Span(localizer(.positionOld(age: localizer.age(received))), role))
        }
        if let measured = age.measured, age.received.map({ abs((measured - $0).seconds) >= Self.notableDelay }) ?? true
        {
            let isAlone = age.received == nil
            let age = localizer.age(measured)
            let text = localizer(isAlone ? .positionMeasured(age: age) : .positionAlsoMeasured(age: age))
            spans.append(Span(text, isAlone ? role : .secondary))
        }
        rows.add(localizer(.position), spans.isEmpty ? [unknown] : spans, rank: 2)
        guard let words = age.explanation(localizer) else { return }
        rows.add([Span("\(glyphs.attention) \(words)", .warning)], rank: 2)
    }

    /// The lines after the end.
    var summaryRows: Rows {
        var rows = Rows()
        let arrivals = Arrivals(of: trip.state)
        let statuses = trip.state.statuses
        let status = StatusWords(trip.state, localizer: localizer)
        // The line above the view has said it.
        if status.text != headline.text { rows.add([Span(status.text, status.role)], rank: 5) }
        let start = statuses.first { $0.status == .trip(.new) }?.seen
        let isCanceled = trip.state.journey?.status == .trip(.canceled)
        let pickup = arrivals.next.flatMap { $0.isLatestDone ? nil : $0.done }
        if let start, let pickup {
            // The trip may have been requested before the first observation.
            let waited = localizer.watch(.seconds(pickup.timeIntervalSince(start))) + "+"
            rows.add(localizer(.waited), [Span(waited, .text)], rank: 3)
        }
        if let ride = trip.state.milestones.ride {
            rows.add(localizer(.ride), [Span(localizer.watch(.seconds(ride)), .text)], rank: 2)
        }
        for (index, arrival) in arrivals.all.enumerated() {
            let rank = (arrival.done ?? arrival.reached) == nil ? 7 : 1 - index
            let value: Span
            if let done = arrival.done {
                let clock = zone.clock(done, now: now.wall)
                value = Span(arrival.isLatestDone ? localizer(.atTheLatest(time: clock)) : clock, .text)
            } else if let reached = arrival.reached {
                value = Span(came(reached, arrival), .text)
            } else {
                // Without a cancellation, that it was not seen does not mean that it did not happen.
                value = isCanceled ? Span(localizer(.notReached), .secondary) : unknown
            }
            rows.add(arrival.title(localizer), [value], rank: rank)
            if arrival.done != nil { addPromise(of: arrival, nil, to: &rows, rank: 4) }
        }
        let history = trip.history
        let errors = history.errors == 0 ? "" : localizer(.failedAlso(number: String(history.errors)))
        rows.add(localizer(.asked), [Span(localizer(.times(count: history.polls)) + errors, .text)], rank: 6)
        if let token = trip.token {
            rows.add(localizer(.tokens), [Span(localizer(.fetches(count: token.fetches)), .text)], rank: 6)
        }
        return rows
    }
}
