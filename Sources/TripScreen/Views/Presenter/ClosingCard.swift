import Canvas
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// The end of a ride for viewers at a distance: three numbers, and the promised arrival against the real one as a curve.
///
/// ```text
///     41        3        2
///    polls    tokens   failures
///
///  The promised arrival; the dotted line is the real one, 17:09:14
///  +1:30 ⠤⠤⠤⣀⡠⠔⠒⠒⠉⠉
///        ⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄
/// ```
struct ClosingCard {
    /// An estimate of the arrival.
    struct Promise: Equatable {
        /// The fraction of the time from the first estimate to the arrival.
        var share: Double
        /// The seconds by which it is later than the real arrival.
        var late: Double
    }

    private let trip: TripView
    private let arrival: Date
    /// The estimates, oldest first.
    let promises: [Promise]

    /// `nil` before the drop-off.
    init?(_ trip: TripView) {
        let state = trip.trip.state
        guard trip.trip.end != nil, state.journey?.status == .trip(.complete),
            let arrival = state.milestones.finalArrival?.known, let first = state.dropoffEstimates.first
        else { return nil }
        (self.trip, self.arrival) = (trip, arrival)
        let length = max(1, arrival.timeIntervalSince(first.receivedAt))
        promises = state.dropoffEstimates.map {
            Promise(
                share: min(1, max(0, $0.receivedAt.timeIntervalSince(first.receivedAt) / length)),
                late: $0.time.timeIntervalSince(arrival)
            )
        }
    }

    private var localizer: Localizer { trip.localizer }

    func draw(on canvas: inout Canvas, in rect: Rect) {
        let inner = rect.inset(horizontal: 2, vertical: 0)
        let numbers = [
            (String(trip.trip.history.polls), localizer(.closingPolls), Role.accent),
            (String(trip.trip.token?.generation ?? 0), localizer(.closingTokens), Role.accent),
            (
                String(trip.trip.history.errors), localizer(.closingFailures),
                trip.trip.history.errors == 0 ? Role.positive : Role.warning
            ),
        ]
        let column = inner.width / 3
        let height = max(1, inner.height / 4)
        let face =
            canvas.glyphs.level == .ascii
            ? nil : BigFace.largest(for: numbers.map(\.0), width: column - 2, height: height)
        let large = face.map { $0.rowsAbove("0") } ?? 1
        let rows = inner.rows([.fixed(1), .fixed(large), .fixed(1), .fixed(1), .fixed(1), .flexible()])
        for (index, number) in numbers.enumerated() {
            let place = Rect(x: inner.x + index * column, y: rows[1].y, width: column, height: rows[1].height)
            if let face, let width = face.width(of: number.0), !place.isEmpty {
                let x = place.x + max(0, column - width) / 2
                canvas.putBig(number.0, x: x, baseline: place.maxY, face: face, role: number.2)
            } else {
                canvas.put(number.0, in: place, align: .center, role: number.2)
            }
            let label = Rect(x: place.x, y: rows[2].y, width: column, height: rows[2].height)
            canvas.put(number.1, in: label, align: .center, role: .secondary)
        }
        let time = trip.zone.clock(arrival, now: trip.now.wall)
        canvas.put(localizer(.closingCurve(time: time)), in: rows[4], role: .secondary)
        drawCurve(on: &canvas, in: rows[5])
    }

    /// Draws each estimate until the next one; the dotted line is the real arrival.
    private func drawCurve(on canvas: inout Canvas, in rect: Rect) {
        let (top, bottom) = (max(0, promises.map(\.late).max() ?? 0), min(0, promises.map(\.late).min() ?? 0))
        // Less than a minute fills no chart.
        let span = max(60, top - bottom)
        let labels = [top, bottom].map { localizer.difference(.seconds($0)) }
        let margin = max(labels.map(TextWidth.of).max() ?? 0, TextWidth.of(localizer.watch(.zero)))
        let chart = Rect(x: rect.x + margin + 1, y: rect.y, width: rect.width - margin - 1, height: rect.height)
        guard chart.width >= 10, chart.height >= 2 else { return }
        var grid = BrailleGrid(in: chart)
        func point(_ share: Double, _ late: Double) -> BrailleGrid.Point {
            BrailleGrid.Point(
                x: share * Double(grid.width - 2),
                y: (top - late) / span * Double(grid.height - 3) + 1
            )
        }
        grid.line(from: point(0, 0), to: point(1, 0), .init(priority: 1, role: .grid), pattern: .dotted)
        var points: [BrailleGrid.Point] = []
        for promise in promises {
            if let last = points.last { points.append(.init(x: point(promise.share, 0).x, y: last.y)) }
            points.append(point(promise.share, promise.late))
        }
        if let last = points.last { points.append(.init(x: point(1, 0).x, y: last.y)) }
        let isASCII = canvas.glyphs.level == .ascii
        grid.polyline(points, .init(priority: 2, role: .routeRemaining), width: isASCII ? 1 : 2)
        grid.render(into: &canvas)
        func row(_ late: Double) -> Int { min(chart.height - 1, max(0, Int(point(0, late).y) / 4)) }
        canvas.put(localizer.watch(.zero), x: rect.x, y: rect.y + row(0), role: .secondary)
        for (value, label) in zip([top, bottom], labels) where row(value) != row(0) {
            canvas.put(label, x: rect.x, y: rect.y + row(value), role: .secondary)
        }
    }
}
