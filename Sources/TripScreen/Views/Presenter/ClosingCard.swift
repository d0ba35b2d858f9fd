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
///
/// A large screen has the receipt below the curve, and a wide one the map of the ride beside both.
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
        drawRide(on: &canvas, in: rows[5])
    }

    /// The smallest area with the map beside the curve.
    private static let leastRoomWithMap = (width: 150, height: 16)
    /// The narrowest receipt, and the rows that it leaves to the curve.
    private static let narrowestReceipt = 60
    private static let leastCurve = 7

    /// Draws the curve, below it the receipt if all of it fits, and on a wide screen the map of the ride beside both.
    private func drawRide(on canvas: inout Canvas, in rect: Rect) {
        let hasRoom = rect.width >= Self.leastRoomWithMap.width && rect.height >= Self.leastRoomWithMap.height
        let hasMap = hasRoom && !trip.trip.map.isEmpty
        let columns = rect.columns([.flexible(), .fixed(hasMap ? 3 : 0), .fixed(hasMap ? rect.width / 2 : 0)])
        if hasMap { PresenterView(trip: trip).drawMap(on: &canvas, in: columns[2]) }
        let left = columns[0]
        let facts = TextBlock(
            localizer.rows(of: trip.trip.receipt, in: trip.zone).map { .init(label: $0.label, value: $0.value) },
            width: left.width
        ).lines
        guard left.width >= Self.narrowestReceipt, facts.count + Self.leastCurve <= left.height else {
            return drawCurve(on: &canvas, in: left)
        }
        // The curve has a scale of at least a minute, so that it may need only a part of its area.
        let (top, bottom) = range
        let share = (top - bottom) / span
        let room = Double(left.height - facts.count - 2)
        let height = share > 0 ? Int(min(Double(left.height), room / share)) : left.height
        drawCurve(on: &canvas, in: Rect(x: left.x, y: left.y, width: left.width, height: height))
        let used = min(height, Int(Double(height) * share + 0.5) + 1)
        let below = Rect(x: left.x, y: left.y + used + 1, width: left.width, height: left.height - used - 1)
        for (row, line) in facts.enumerated() { canvas.put(line, in: below, row: row) }
    }

    /// The greatest and the least difference of an estimate from the real arrival in seconds; the real arrival is between them.
    private var range: (top: Double, bottom: Double) {
        (max(0, promises.map(\.late).max() ?? 0), min(0, promises.map(\.late).min() ?? 0))
    }

    /// The seconds of the whole chart; less than a minute fills none.
    private var span: Double { max(60, range.top - range.bottom) }

    /// Draws each estimate until the next one; the dotted line is the real arrival.
    private func drawCurve(on canvas: inout Canvas, in rect: Rect) {
        let (top, bottom) = range
        let span = span
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
