import Canvas
import Foundation
import TripFeed
import TripModel
import TripText

/// The progress of a ride in time: from the first movement to the expected or actual drop-off.
struct RideProgress: Equatable {
    /// A stop on the way.
    struct Mark: Equatable {
        var kind: Waypoint.Kind
        /// The fraction of the ride, 0 to 1.
        var share: Double
    }

    /// The fraction of the ride that is over, 0 to 1.
    private(set) var share: Double
    /// The stops in order, the drop-off last.
    private(set) var marks: [Mark]

    /// `now` is the time of the last report if the position is old, so that the vehicle is where the map has it.
    ///
    /// `nil` before the vehicle sets off, after a cancellation, and if the drop-off is not expected.
    init?(of state: TripState, at now: Date) {
        guard let trip = state.journey, trip.status != .trip(.canceled),
            let start = state.statuses.first(where: { ($0.status.rank ?? 0) >= 1 })?.seen
        else { return nil }
        let arrivals = Arrivals(of: state)
        let all = [arrivals.past].compactMap(\.self) + arrivals.all
        guard let end = all.last.flatMap({ $0.done ?? $0.expected }), end > start else { return nil }
        func fraction(_ time: Date) -> Double {
            min(max(0, time.timeIntervalSince(start) / end.timeIntervalSince(start)), 1)
        }
        // Until the vehicle is at its next stop, it is not behind it, however late it is.
        let limit = arrivals.next.flatMap { $0.here ?? $0.expected }.map(fraction) ?? 0.999
        let reached = arrivals.next?.here != nil ? limit : min(fraction(now), limit)
        share = trip.status == .trip(.complete) ? 1 : min(reached, 0.999)
        marks = all.compactMap { arrival in
            (arrival.done ?? arrival.here ?? arrival.expected).map { Mark(kind: arrival.kind, share: fraction($0)) }
        }
    }

    /// Draws it as a line with the stops and the vehicle.
    func draw(on canvas: inout Canvas, in rect: Rect) {
        guard rect.width >= 10, rect.height > 0 else { return }
        let glyphs = canvas.glyphs
        func column(_ share: Double) -> Int { rect.x + 1 + Int((Double(rect.width - 3) * share).rounded()) }
        let vehicle = column(share)
        for x in rect.x..<rect.maxX {
            canvas.put(
                x < vehicle ? glyphs.wayDone : glyphs.wayAhead,
                x: x,
                y: rect.y,
                role: x < vehicle ? .accent : .border
            )
        }
        for mark in marks {
            let (glyph, role): (String, Role) =
                switch mark.kind {
                case .pickup: (glyphs.pickup, .pickup)
                case .dropoff: (glyphs.dropoff, .dropoff)
                case .intermediateDestination, .unrecognized: (glyphs.stop, .stop)
                }
            canvas.put(glyph, x: column(mark.share), y: rect.y, role: role)
        }
        guard share < 1 else { return }
        canvas.put(glyphs.vehicle(heading: 90), x: vehicle, y: rect.y, role: .vehicle)
    }
}
