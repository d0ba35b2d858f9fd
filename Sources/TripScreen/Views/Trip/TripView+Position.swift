import Canvas
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

extension TripView {
    /// Returns the distance to the next own stop via other riders' stops; `nil` if a part is unknown.
    func distanceToOwnStop(_ known: Journey) -> Distance? {
        let legs = known.remainingWaypoints.dropFirst().prefix(trip.state.foreignWaypointsAhead)
        var meters = known.remainingDistance?.meters
        for leg in legs { meters = meters.flatMap { sum in leg.distance.map { sum + $0.meters } } }
        return meters.map { Distance(meters: $0) }
    }

    /// Adds `promised 17:01:19 (+3:12)`; differences below one second are omitted, and so is the difference of an old estimate.
    ///
    /// A completed pickup also has the time of the arrival, to which the difference belongs: the rider gets in later. Without
    /// room for both rows, the row of the arrival remains, so that each difference is beside its own time.
    func addPromise(of arrival: Arrivals.Arrival, _ claim: Claim?, to rows: inout Rows, rank: Int) {
        guard let promised = arrival.promised else { return }
        // The difference is below the time of the arrival that it belongs to, not below that of the pickup.
        if arrival.done != nil, arrival.done != arrival.arrived, let arrived = arrival.arrived {
            rows.add("", [Span(came(arrived, arrival), .secondary)], rank: rank - 1)
        }
        var spans = [Span(localizer(.promised(time: zone.clock(promised, now: now.wall))), .secondary)]
        if claim?.isOld != true, let delay = arrival.shownDelay, abs(delay.seconds) >= 1 {
            spans.append(Span(" (\(localizer.difference(delay)))", delay.seconds >= 60 ? .warning : .secondary))
        }
        rows.add("", spans, rank: rank)
    }

    func addPosition(to rows: inout Rows) {
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
        if let journey = trip.state.journey, let window = journey.shipment?.targetTimeWindow {
            add(window, of: journey, to: &rows)
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
