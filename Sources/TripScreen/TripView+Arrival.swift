import Canvas
import FleetTokens
import Foundation
import TripFeed
import TripModel

extension TripView {
    /// When the vehicle arrives, how far it has to go, and how old that is; after the end a summary.
    func drawArrival(on canvas: inout Canvas, in rect: Rect) {
        let isOver = trip.state.trip?.status.isTerminal ?? false
        let inner = canvas.frame(rect, title: say(isOver ? .summary : .arrival), note: vehicleName(rect.width))
        let rows = isOver ? summaryRows : arrivalRows
        let place = inner.inset(horizontal: 1, vertical: 0)
        if rows.draw(on: &canvas, in: place) == 0 {
            canvas.put(say(.nothingKnownYet), in: place, role: .secondary)
        }
    }

    private func vehicleName(_ width: Int) -> String {
        guard let vehicle = trip.state.trip?.vehicleID else { return "" }
        return Printable.truncated(Reporter.harmless(vehicle.rawValue, limit: 64), to: max(4, width - 20))
    }

    /// The lines while the trip goes on.
    var arrivalRows: Rows {
        var rows = Rows()
        let arrivals = Arrivals(of: trip.state)
        for (index, arrival) in arrivals.all.enumerated() {
            rows.add(say(arrival.title), value(of: arrival), rank: index)
            if let promised = arrival.promised {
                rows.add("", promise(promised, arrival.delay), rank: index == 0 ? 4 : 6)
            }
        }
        guard let known = trip.state.trip else { return rows }
        if trip.state.trip?.status != .arrivedAtPickup {
            let target: Phrase = trip.state.foreignWaypointsAhead > 0 ? .distanceToOther : .distanceToGo
            let left = known.remainingDistance.map { say.spans(target, [Span(say.distance($0), .text)]) }
            rows.add(say(.distance), left ?? [unknown], rank: 3)
        }
        addPosition(to: &rows)
        if let pickup = arrivals.past, let done = pickup.done {
            rows.add(say(.pickup), [Span(say(.wasAt, zone.clock(done, now: now.wall)), .text)], rank: 5)
            if let promised = pickup.promised { rows.add("", promise(promised, pickup.delay), rank: 7) }
        }
        let facts = positionFacts
        if !facts.isEmpty {
            rows.add(say(.moves), [Span(facts.joined(separator: " \(glyphs.separator) "), .text)], rank: 8)
        }
        let waypoints = known.remainingWaypoints.count
        if waypoints > 0 {
            let foreign = trip.state.foreignWaypointsAhead
            let other = foreign > 0 ? say(.waypointsForeign, String(foreign)) : ""
            rows.add(say(.ahead), [Span(say.count(waypoints, .waypoints) + other, .text)], rank: 9)
        }
        return rows
    }

    /// `in 4:12 · 17:04:31`, or since when the vehicle is there, or when it was.
    private func value(of arrival: Arrivals.Arrival) -> [Span] {
        if let done = arrival.done { return [Span(say(.wasAt, zone.clock(done, now: now.wall)), .text)] }
        if let here = arrival.here {
            let passed = Duration.seconds(max(0, trip.state.serviceTime(now).timeIntervalSince(here)))
            return [
                Span(say(.hereFor, say.watch(passed)), .positive),
                Span(" \(glyphs.separator) \(say(.since, zone.clock(here, now: now.wall)))", .text),
            ]
        }
        guard let time = arrival.expected else { return [unknown] }
        return countdown(to: time)
    }

    /// `promised 17:01:19 (+3:12)`; a difference below a second is none.
    private func promise(_ promised: Date, _ delay: Duration?) -> [Span] {
        let first = Span(say(.promised, zone.clock(promised, now: now.wall)), .secondary)
        guard let delay, abs(delay.seconds) >= 1 else { return [first] }
        let role: Role = delay.seconds >= 60 ? .warning : .secondary
        return [first, Span(" (\(say.difference(delay)))", role)]
    }

    private func addPosition(to rows: inout Rows) {
        guard let age = PositionAge(of: trip, at: now) else {
            rows.add(say(.position), [unknown], rank: 5)
            return
        }
        let role: Role = age.reason == nil ? .text : .warning
        var spans: [Span] = []
        if let received = age.received {
            spans.append(Span(say(.positionOld, say.age(received)), role))
        }
        if let measured = age.measured {
            let phrase: Phrase = age.received == nil ? .positionMeasured : .positionAlsoMeasured
            spans.append(Span(say(phrase, say.age(measured)), age.received == nil ? role : .secondary))
        }
        rows.add(say(.position), spans.isEmpty ? [unknown] : spans, rank: 2)
        guard let words = age.explanation(say) else { return }
        rows.add([Span("\(glyphs.attention) \(words)", .warning)], rank: 2)
    }

    /// The lines after the end.
    var summaryRows: Rows {
        var rows = Rows()
        let arrivals = Arrivals(of: trip.state)
        let statuses = trip.state.statuses
        let status = StatusWords(trip.state, say: say)
        rows.add([Span(status.text, status.role)], rank: 5)
        let start = statuses.first { $0.status == .new }?.seen
        let pickup = arrivals.next?.done
        let dropoff = arrivals.final?.done
        if let start, let pickup {
            rows.add(say(.waited), [Span(say.watch(.seconds(pickup.timeIntervalSince(start))), .text)], rank: 3)
        }
        if let pickup, let dropoff {
            rows.add(say(.ride), [Span(say.watch(.seconds(dropoff.timeIntervalSince(pickup))), .text)], rank: 2)
        }
        for (index, arrival) in arrivals.all.enumerated() {
            let rank = arrival.done == nil ? 7 : 1 - index
            rows.add(
                say(arrival.title),
                arrival.done.map { [Span(zone.clock($0, now: now.wall), .text)] } ?? [
                    Span(say(.notReached), .secondary)
                ],
                rank: rank
            )
            guard let promised = arrival.promised, arrival.done != nil else { continue }
            rows.add("", promise(promised, arrival.delay), rank: 4)
        }
        let history = trip.history
        let errors = history.errors == 0 ? "" : say(.failedAlso, String(history.errors))
        rows.add(say(.asked), [Span(say.count(history.polls, .times) + errors, .text)], rank: 6)
        if let token = trip.token {
            rows.add(say(.tokens), [Span(say.count(token.fetches, .fetches), .text)], rank: 6)
        }
        return rows
    }
}
