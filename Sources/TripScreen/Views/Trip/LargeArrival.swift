import Canvas
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// The arrival on the whole screen: place, countdown and clock time in large letters, then everything that is known.
///
/// ```text
///  Drop-off      1:06
///  15:56:53
///  4 before yours
///  ━━━━━━━━━━━━━◉━━━━━━━━━━━━►────────────────────⚑
///  Distance  660 m to go         Timeline
///  Position  6 s old             ✓ Requested  15:53:24
///  Events
///  15:53:24 Waiting for a driver
/// ```
///
/// A screen without room for large letters has the lines only.
struct LargeArrival {
    /// Texts side by side in large letters.
    private struct Line {
        var texts: [(text: String, role: Role)]
        var face: BigFace

        /// The rows below the baseline; digits and colons stand on it.
        private var below: Int { texts.allSatisfy { Self.isClock($0.text) } ? 0 : face.rowsBelow }

        var height: Int { (texts.map { face.rowsAbove($0.text) }.max() ?? 0) + below }

        /// `nil` without texts, or if they do not fit.
        init?(_ texts: [(text: String, role: Role)], width: Int, height: Int) {
            let texts = texts.filter { !$0.text.isEmpty }
            // The largest faces for digits have two rows more below the baseline, which stay empty.
            let height = texts.allSatisfy { Self.isClock($0.text) } ? height + 2 : height
            guard !texts.isEmpty,
                let face = BigFace.largest(for: texts.map { Self.template($0.text) }, width: width, height: height)
            else { return nil }
            (self.texts, self.face) = (texts, face)
        }

        private static func isClock(_ text: String) -> Bool { text.allSatisfy { $0.isNumber || $0 == ":" } }

        /// The size stays the same when a digit of a countdown is dropped.
        private static func template(_ text: String) -> String {
            text.contains(":") ? String(repeating: "0", count: max(0, 5 - text.count)) + text : text
        }

        func draw(on canvas: inout Canvas, in rect: Rect) {
            var x = rect.x
            for (text, role) in texts {
                canvas.putBig(text, x: x, baseline: rect.maxY - below, face: face, role: role)
                x += (face.width(of: text) ?? 0) + 4
            }
        }
    }

    private let view: TripView
    /// The lines in large letters, and their places.
    private var large: [(line: Line, place: Rect)] = []
    private var progress: (line: RideProgress, place: Rect)?
    /// The place of the lines in small letters.
    private let lines: Rect

    /// The smallest place with large letters.
    private static let smallest = (width: 60, height: 16)
    /// The minimum height of a place with more than the countdown in large letters.
    private static let tall = 24
    /// The narrowest place with the timeline beside the other lines.
    private static let narrowestColumns = 100

    /// Computes the places in the frame.
    init(_ view: TripView, in rect: Rect) {
        self.view = view
        guard view.glyphs.level > .ascii, rect.width >= Self.smallest.width, rect.height >= Self.smallest.height else {
            lines = rect
            return
        }
        let (title, watch, clock) = Self.texts(of: view)
        let isTall = rect.height >= Self.tall
        var candidates = isTall ? [Line([title, watch], width: rect.width, height: rect.height / 3)] : []
        // Without room for the place only the countdown is large.
        if candidates.compactMap(\.self).isEmpty {
            candidates = [Line([watch], width: rect.width, height: rect.height * (isTall ? 5 : 6) / 15)]
        }
        if isTall {
            candidates.append(Line([clock], width: rect.width, height: rect.height / 4))
            candidates.append(Line([(Self.stops(of: view), .text)], width: rect.width, height: rect.height / 7))
        }
        var row = rect.y
        for line in candidates.compactMap(\.self) {
            large.append((line, Rect(x: rect.x, y: row, width: rect.width, height: line.height)))
            row += line.height + 1
        }
        let state = view.trip.state
        let old = view.isOld ? PositionAge(of: view.trip, at: view.now)?.received ?? .zero : .zero
        let now = state.serviceTime(view.now).addingTimeInterval(-old.seconds)
        if isTall, let line = RideProgress(of: state, at: now) {
            progress = (line, Rect(x: rect.x, y: row, width: rect.width, height: 1))
            row += 2
        }
        lines = Rect(x: rect.x, y: row, width: rect.width, height: max(0, rect.maxY - row))
    }

    /// The place, the countdown and the clock time; empty if there is no such claim.
    private static func texts(
        of view: TripView
    ) -> (title: (text: String, role: Role), watch: (text: String, role: Role), clock: (text: String, role: Role)) {
        let (localizer, zone, now) = (view.localizer, view.zone, view.now)
        let status = PresenterView.words(of: view.state).last ?? ""
        let claims = view.trip.claims(at: now)
        switch (claims.final ?? claims.next)?.kind {
        case .expected(let arrival, let time, let left):
            let role: Role = view.isOld ? .stale : .accent
            let clock = zone.clock(time, now: now.wall)
            return ((arrival.title(localizer), .text), (localizer.watch(left), role), (clock, role))
        case .reached(let arrival, let time, _) where !arrival.isLatestDone:
            return ((status, .positive), ("", .text), (zone.clock(time, now: now.wall), .positive))
        // What was expected but is not known to have happened is said in the lines, whole.
        default: return ((status, view.headline.role), ("", .text), ("", .text))
        }
    }

    /// The stops before the own one; empty if there are none or their number is not known.
    private static func stops(of view: TripView) -> String {
        guard let journey = view.trip.state.journey, !journey.status.isTerminal else { return "" }
        let count = journey.shipment?.remainingStopCount.map { $0 - 1 } ?? view.trip.state.foreignWaypointsAhead
        return count > 0 ? view.localizer(.stopsBefore(count: count)) : ""
    }

    /// The lines in columns beside each other, and those below them; `nil` if they do not fit.
    private var columns: (left: TextBlock, right: TextBlock, below: TextBlock)? {
        guard lines.width >= Self.narrowestColumns, !large.isEmpty else { return nil }
        let width = lines.width / 2 - 2
        let (left, right) = (view.arrivalLines(width: width), view.timelineBlock(width: min(width, 60)))
        let below = view.reasonBlock(width: lines.width)
        let height = max(left.lines.count, right.lines.count) + (below.lines.isEmpty ? 0 : below.lines.count + 1)
        return height <= lines.height ? (left, right, below) : nil
    }

    /// The lines below each other.
    private var block: TextBlock {
        var block = view.arrivalLines(width: lines.width)
        for line in view.reasonBlock(width: lines.width).lines { block.add(line) }
        block.add([])
        for line in view.timelineBlock(width: min(lines.width, 60)).lines { block.add(line) }
        return block
    }

    /// The maximum number of hidden lines above the first visible one.
    var lastRow: Int { columns == nil ? max(0, block.lines.count - lines.height) : 0 }

    func draw(on canvas: inout Canvas, from first: Int) {
        for (line, place) in large { line.draw(on: &canvas, in: place) }
        if let progress { progress.line.draw(on: &canvas, in: progress.place) }
        guard let columns else { return block.draw(on: &canvas, in: lines, from: first, localizer: view.localizer) }
        let parts = lines.columns([.flexible(), .flexible()], gap: 4)
        for (row, line) in columns.left.lines.enumerated() { canvas.put(line, in: parts[0], row: row) }
        for (row, line) in columns.right.lines.enumerated() { canvas.put(line, in: parts[1], row: row) }
        var row = max(columns.left.lines.count, columns.right.lines.count) + 1
        for (index, line) in columns.below.lines.enumerated() { canvas.put(line, in: lines, row: row + index) }
        if !columns.below.lines.isEmpty { row += columns.below.lines.count + 1 }
        drawEvents(on: &canvas, in: Rect(x: lines.x, y: lines.y + row, width: lines.width, height: lines.height - row))
    }

    /// Draws the latest events, if a heading and a few of them fit.
    private func drawEvents(on canvas: inout Canvas, in rect: Rect) {
        let entries = view.state.log.entries(of: view.trip.id)
        guard rect.height >= 4, !entries.isEmpty else { return }
        canvas.put(view.localizer(.events), in: rect, role: .heading)
        let height = min(rect.height - 1, entries.count)
        let place = Rect(x: rect.x, y: rect.y + 1, width: rect.width, height: height)
        drawEntries(entries, view.zone, isBrief: true, on: &canvas, in: place)
    }
}

extension TripView {
    /// The lines about arrivals and position.
    fileprivate func arrivalLines(width: Int) -> TextBlock {
        var block = TextBlock(width: width)
        for line in panelRows.lines { block.add(line) }
        if block.lines.isEmpty { block.add([Span(localizer(.nothingKnownYet), .secondary)]) }
        return block
    }

    /// Why something is not shown; empty if nothing is hidden.
    fileprivate func reasonBlock(width: Int) -> TextBlock {
        var block = TextBlock(width: width)
        if trip.state.journey.map({ !$0.hidden.isEmpty }) ?? false {
            block.add(nil, localizer(.notShownWhy), .secondary)
        }
        return block
    }

    /// The steps with a heading.
    fileprivate func timelineBlock(width: Int) -> TextBlock {
        var block = TextBlock(width: width)
        block.add([Span(localizer(.timeline), .heading)])
        for line in timelineLines(width: width) { block.add(line) }
        return block
    }
}
