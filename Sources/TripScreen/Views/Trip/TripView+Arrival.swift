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
        LargeArrival(self, in: inner).draw(on: &canvas, from: state.panels.trip.scroll)
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
            rows.add(arrival.title(localizer), value(of: arrival, claims), extra: since(arrival), rank: rank)
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
    var isAtStop: Bool {
        let status = trip.state.journey?.status
        return status == .trip(.arrivedAtPickup) || status == .trip(.arrivedAtIntermediateDestination)
            || trip.state.journey?.isAtOwnStop ?? false
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

    /// Returns `in 4:12 · 17:04:31`, or how long the vehicle is there, or when the stop was completed.
    func value(of arrival: Arrivals.Arrival, _ claims: Claims) -> [Span] {
        if let done = arrival.done {
            let clock = zone.clock(done, now: now.wall)
            return [Span(localizer.happened(at: clock, isLatest: arrival.isLatestDone), .text)]
        }
        if let here = arrival.here {
            let passed = Duration.seconds(max(0, trip.state.serviceTime(now).timeIntervalSince(here)))
            let words = localizer(.hereFor(duration: localizer.watch(passed) + (arrival.isHereLonger ? "+" : "")))
            return [Span(words, .positive)]
        }
        return claims[arrival.place].map { spans(of: $0) } ?? [unknown]
    }

    /// Returns since when the vehicle is there; empty if it is not.
    private func since(_ arrival: Arrivals.Arrival) -> [Span] {
        guard arrival.done == nil, let here = arrival.here else { return [] }
        let since = localizer(.since(time: zone.clock(here, now: now.wall)))
        return [Span(" \(glyphs.separator) \(since)", .text)]
    }

    /// Returns when the driver arrived.
    func came(_ time: Date, _ arrival: Arrivals.Arrival) -> String {
        let clock = zone.clock(time, now: now.wall)
        return localizer(arrival.isLatestArrival ? .cameBy(time: clock) : .cameAt(time: clock))
    }

    /// From this difference in seconds on, the device's time of a position is shown beside the service's.
    static let notableDelay = 10.0
}
