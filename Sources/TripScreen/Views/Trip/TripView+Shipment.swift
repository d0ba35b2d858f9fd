import Canvas
import Foundation
import Runtime
import TripModel
import TripText

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
        // A narrow panel has room for two names.
        for first in stride(from: 0, to: hidden.count, by: 2) {
            let names = hidden[first...].prefix(2).joined(separator: localizer(.listComma))
            rows.add(first == 0 ? localizer(.notShown) : "", [Span(names, .secondary)], rank: 3)
        }
    }

    /// Adds the promised time, and by how much the expected arrival misses it.
    private func add(_ window: TimeWindow, of journey: Journey, to rows: inout Rows) {
        let (start, end) = (zone.clock(window.start, now: now.wall), zone.clock(window.end, now: now.wall))
        let words = localizer(.timeWindowSpan(start: start, end: end))
        rows.add(localizer(.timeWindow), [Span(words, .text)], rank: 2)
        guard journey.status == .shipment(.open), let arrival = journey.etaToFirstWaypoint else { return }
        let late = Duration.seconds(arrival.timeIntervalSince(window.end))
        if late.seconds >= 60 {
            rows.add("", [Span(localizer(.timeWindowMissed(late: localizer.watch(late))), .warning)], rank: 2)
        }
    }
}
