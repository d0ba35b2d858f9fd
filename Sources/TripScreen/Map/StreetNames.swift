import Canvas
import Runtime

/// Places the names of streets: on a horizontal part of the street, to the right of a steep one, or across a diagonal one.
struct StreetNames {
    /// Adjacent cells of one row or column that a street occupies.
    private struct Run {
        /// The row of a horizontal run, the column of a vertical one.
        var line: Int
        var first: Int
        var last: Int
        var length: Int { last - first + 1 }
    }

    private struct Street {
        var kind: MapClass
        var across: [Run] = []
        var down: [Run] = []
        var pieces: Int { across.count + down.count }
        var longest: Int { max(across.map(\.length).max() ?? 0, down.map(\.length).max() ?? 0) }
    }

    private let rect: Rect
    private var streets: [String: Street] = [:]

    /// The maximum number of names in a picture.
    static let maximum = 60

    /// Collects the streets of a layer with cells counted from the upper left corner of a rectangle.
    init(_ layer: StreetLayer, in rect: Rect) {
        self.rect = rect
        for line in layer.lines where !line.name.isEmpty && line.kind.isRoad && line.kind > .path {
            for (from, to) in zip(line.dots, line.dots.dropFirst()) { add(from, to, line.name, line.kind) }
        }
    }

    private mutating func add(_ a: BrailleGrid.Point, _ b: BrailleGrid.Point, _ name: String, _ kind: MapClass) {
        let (width, height) = (Double(rect.width * 2), Double(rect.height * 4))
        // A part outside is clipped roughly: names are placed on what is well inside.
        guard min(a.x, b.x) < width, max(a.x, b.x) >= 0, min(a.y, b.y) < height, max(a.y, b.y) >= 0 else { return }
        var street = streets[name] ?? Street(kind: kind)
        street.kind = max(street.kind, kind)
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        if abs(dx) >= abs(dy) {
            let (left, right) = dx > 0 ? (a, b) : (b, a)
            Self.walk(left.x / 2, left.y / 4, right.x / 2, right.y / 4, limit: rect.width, &street.across)
        } else {
            let (top, bottom) = dy > 0 ? (a, b) : (b, a)
            Self.walk(top.y / 4, top.x / 2, bottom.y / 4, bottom.x / 2, limit: rect.height, &street.down)
        }
        streets[name] = street
    }

    /// Adds the cells of a segment to runs; `start` and `end` are along the main direction.
    private static func walk(
        _ start: Double,
        _ line: Double,
        _ end: Double,
        _ endLine: Double,
        limit: Int,
        _ runs: inout [Run]
    ) {
        guard start.isFinite, end.isFinite, line.isFinite, endLine.isFinite else { return }
        let (first, last) = (max(0, Int(max(start, 0))), Int(min(end, Double(limit - 1))))
        guard first <= last else { return }
        for cell in first...last {
            let share = end > start ? min(max((Double(cell) + 0.5 - start) / (end - start), 0), 1) : 0
            let position = line + (endLine - line) * share
            guard abs(position) < 1e6 else { continue }
            let row = Int(position.rounded(.down))
            // The usual case first: the street continues to the right or downwards.
            if let index = runs.indices.suffix(4).last(where: {
                runs[$0].line == row && cell >= runs[$0].first - 1 && cell <= runs[$0].last + 1
            }) {
                runs[index].first = min(runs[index].first, cell)
                runs[index].last = max(runs[index].last, cell)
            } else if runs.count < 64 {
                runs.append(Run(line: row, first: cell, last: cell))
            }
        }
    }

    /// Joins runs of the same row that touch, because a street is often divided at its crossings.
    private static func joined(_ runs: [Run]) -> [Run] {
        var result: [Run] = []
        for run in runs.sorted(by: { ($0.line, $0.first) < ($1.line, $1.first) }) {
            if let before = result.last, before.line == run.line, run.first <= before.last + 2 {
                result[result.count - 1].last = max(before.last, run.last)
            } else {
                result.append(run)
            }
        }
        return result.sorted { $0.length > $1.length }
    }

    /// Draws the names that fit, important streets first.
    func draw(on canvas: inout Canvas, _ grid: BrailleGrid, _ space: inout LabelSpace) {
        let order = streets.map { (name: $0.key, street: $0.value, length: $0.value.longest) }.sorted { a, b in
            (b.street.kind.rawValue, b.length, a.name) < (a.street.kind.rawValue, a.length, b.name)
        }
        var left = Self.maximum
        for (name, street, length) in order where left > 0 && (length >= 3 || street.pieces >= 3) {
            let width = TextWidth.of(name)
            guard width > 0, width + 2 <= rect.width else { continue }
            if put(name, width, on: Self.joined(street.across), on: &canvas, grid, &space)
                || put(name, width, besides: Self.joined(street.down), on: &canvas, grid, &space)
                || put(name, width, across: street, on: &canvas, grid, &space)
            {
                left -= 1
            }
        }
    }

    private func put(
        _ name: String,
        _ width: Int,
        on runs: [Run],
        on canvas: inout Canvas,
        _ grid: BrailleGrid,
        _ space: inout LabelSpace
    ) -> Bool {
        // A part of the street remains visible on both sides.
        for run in runs.prefix(3) where run.length >= width + 2 {
            let middle = run.first + (run.length - width) / 2
            for shift in [0, -width / 2 - 1, width / 2 + 1] {
                let x = rect.x + middle + shift
                let y = rect.y + run.line
                guard middle + shift > run.first, middle + shift + width <= run.last,
                    fits(x, y, width, grid, space, below: BrailleGrid.firstTripPriority)
                else { continue }
                write(name, x, y, width, on: &canvas, &space)
                return true
            }
        }
        return false
    }

    private func put(
        _ name: String,
        _ width: Int,
        besides runs: [Run],
        on canvas: inout Canvas,
        _ grid: BrailleGrid,
        _ space: inout LabelSpace
    ) -> Bool {
        for run in runs.prefix(2) where run.length >= 3 {
            for row in [run.first + run.length / 2, run.first + run.length / 3, run.first + 2 * run.length / 3] {
                let x = rect.x + run.line + 2
                let y = rect.y + row
                // Beside a street, the name must not cover another one.
                guard fits(x, y, width, grid, space, below: 5) else { continue }
                write(name, x, y, width, on: &canvas, &space)
                return true
            }
        }
        return false
    }

    /// Writes a name over the middle of a diagonal street, which has only a few cells in each row.
    private func put(
        _ name: String,
        _ width: Int,
        across street: Street,
        on canvas: inout Canvas,
        _ grid: BrailleGrid,
        _ space: inout LabelSpace
    ) -> Bool {
        let flat = street.across.map { (row: $0.line, columns: $0.first...$0.last) }
        let steep = street.down.map { (row: ($0.first + $0.last) / 2, columns: $0.line...$0.line) }
        let cells = (flat + steep).sorted { $0.row < $1.row }
        guard cells.count >= 3 else { return false }
        for index in [cells.count / 2, cells.count / 3, 2 * cells.count / 3] {
            let (row, columns) = cells[index]
            let x = rect.x + (columns.lowerBound + columns.upperBound + 1 - width) / 2
            // The street may be two dots wide.
            let own = (rect.x + columns.lowerBound - 1)...(rect.x + columns.upperBound + 1)
            guard fits(x, rect.y + row, width, grid, space, below: 5, except: own) else { continue }
            write(name, x, rect.y + row, width, on: &canvas, &space)
            return true
        }
        return false
    }

    /// Returns whether a name covers no other name and no line of a priority, except in the columns of its own street.
    private func fits(
        _ x: Int,
        _ y: Int,
        _ width: Int,
        _ grid: BrailleGrid,
        _ space: LabelSpace,
        below priority: UInt8,
        except own: ClosedRange<Int>? = nil
    ) -> Bool {
        func isFree(_ column: Int) -> Bool {
            let found = grid.priority(x: column, y: y)
            return found < priority || found < BrailleGrid.firstTripPriority && own?.contains(column) == true
        }
        return space.isFree(x, y, width: width) && (x..<(x + width)).allSatisfy(isFree)
            // Two names directly below each other appear to be one name.
            && (x..<(x + width)).allSatisfy { !space.isTaken($0, y - 1) && !space.isTaken($0, y + 1) }
    }

    private func write(
        _ name: String,
        _ x: Int,
        _ y: Int,
        _ width: Int,
        on canvas: inout Canvas,
        _ space: inout LabelSpace
    ) {
        canvas.put(name, x: x, y: y, role: .roadName)
        space.reserve(x, y, width: width)
    }
}
