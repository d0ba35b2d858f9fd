import Canvas
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

extension TripView {
    /// Draws the most important lines and the latest events if there is no room for panels.
    func drawReduced(on canvas: inout Canvas, in rect: Rect) {
        let place = rect.inset(horizontal: 1, vertical: 0)
        let used = reducedRows.draw(on: &canvas, in: place)
        let rest = Rect(x: place.x, y: place.y + used, width: place.width, height: place.height - used)
        var rows: [(text: String, role: Role)] = []
        for entry in state.log.entries(of: trip.id).reversed() where rows.count < rest.height {
            let free = rest.height - rows.count
            let lines = Printable.wrapped("\(zone.clock(entry.time)) \(entry.text)", to: rest.width, limit: free)
            rows.insert(contentsOf: lines.map { ($0, entry.role) }, at: 0)
        }
        for (row, line) in rows.enumerated() { canvas.put(line.text, in: rest, row: row, role: line.role) }
    }

    /// Draws the most important lines above a map.
    func drawLines(on canvas: inout Canvas, in rect: Rect) {
        _ = reducedRows.draw(on: &canvas, in: rect.inset(horizontal: 1, vertical: 0))
    }

    private var reducedRows: Rows {
        var rows = panelRows
        if let token = trip.token {
            let life = TokenLife(token, now: now.wall.addingTimeInterval(token.clockOffset?.seconds ?? 0))
            let words = words(token, life)
            let left = life.left.map { localizer(.leftAlso(duration: localizer.watch(max(.zero, $0)))) } ?? ""
            rows.add(localizer(.viewToken), [Span(words.text, words.role), Span(left, .text)], rank: 3)
        }
        if let failed = trip.failedPoll {
            let sentence = failed.message(about: trip.id, state.settings)
            rows.add(localizer(.poll), [Span(sentence.short, .critical)], rank: 1)
        } else if let report = trip.lastReport {
            rows.add(
                localizer(.poll),
                [Span("\(glyphs.check) \(localizer.latency(report.latency))", .positive)],
                rank: 7
            )
        }
        return rows
    }
}
