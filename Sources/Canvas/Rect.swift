/// A rectangle of cells; its size is never negative, and its coordinates never overflow in sums.
package struct Rect: Sendable, Equatable {
    /// The left column.
    package let x: Int
    /// The upper row.
    package let y: Int
    /// The number of columns, 0 or more.
    package let width: Int
    /// The number of rows, 0 or more.
    package let height: Int

    /// A part of a division.
    package enum Part: Sendable, Equatable {
        /// This many cells, or the remaining space if it is less.
        case fixed(Int)
        /// A weighted share of the space left by the fixed parts.
        case flexible(Int = 1)
    }

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = Canvas.bounded(x)
        self.y = Canvas.bounded(y)
        self.width = max(0, Canvas.bounded(width))
        self.height = max(0, Canvas.bounded(height))
    }

    /// The first column after the right edge.
    package var maxX: Int { x + width }
    /// The first row after the lower edge.
    package var maxY: Int { y + height }
    /// Whether it contains no cells.
    package var isEmpty: Bool { width == 0 || height == 0 }

    /// Returns whether it contains a cell.
    package func contains(x column: Int, y row: Int) -> Bool {
        column >= x && column < maxX && row >= y && row < maxY
    }

    /// Returns the rectangle reduced by `amount` cells on every side; empty if nothing is left.
    package func inset(by amount: Int = 1) -> Rect { inset(horizontal: amount, vertical: amount) }

    /// Returns the rectangle reduced by `horizontal` columns left and right and `vertical` rows above and below.
    package func inset(horizontal: Int, vertical: Int) -> Rect {
        let across = min(max(0, horizontal), (width + 1) / 2)
        let down = min(max(0, vertical), (height + 1) / 2)
        return Rect(x: x + across, y: y + down, width: width - 2 * across, height: height - 2 * down)
    }

    /// Returns the intersection.
    package func intersection(_ other: Rect) -> Rect {
        let left = max(x, other.x)
        let top = max(y, other.y)
        return Rect(
            x: left,
            y: top,
            width: min(maxX, other.maxX) - left,
            height: min(maxY, other.maxY) - top
        )
    }

    /// Returns one row, counted from the upper edge; empty if there is no such row.
    package func row(_ index: Int) -> Rect {
        guard index >= 0, index < height else { return Rect(x: x, y: y, width: 0, height: 0) }
        return Rect(x: x, y: y + index, width: width, height: 1)
    }

    /// Returns a centered rectangle of this size, limited to this rectangle.
    package func centered(width wanted: Int, height wantedHeight: Int) -> Rect {
        let across = min(max(0, wanted), width)
        let down = min(max(0, wantedHeight), height)
        return Rect(x: x + (width - across) / 2, y: y + (height - down) / 2, width: across, height: down)
    }

    /// Divides the rectangle into rows from top to bottom with `gap` empty rows between them.
    ///
    /// - Returns: One rectangle per part, in order; empty ones if there was too little space.
    package func rows(_ parts: [Part], gap: Int = 0) -> [Rect] {
        Self.divide(height, parts, gap).map { Rect(x: x, y: y + $0.start, width: width, height: $0.length) }
    }

    /// Divides the rectangle into columns from left to right with `gap` empty columns between them.
    ///
    /// - Returns: One rectangle per part, in order; empty ones if there was too little space.
    package func columns(_ parts: [Part], gap: Int = 0) -> [Rect] {
        Self.divide(width, parts, gap).map { Rect(x: x + $0.start, y: y, width: $0.length, height: height) }
    }

    private static func divide(_ space: Int, _ parts: [Part], _ gap: Int) -> [(start: Int, length: Int)] {
        let gap = min(max(0, gap), space)
        var left = max(0, space - gap * max(0, parts.count - 1))
        var weight = 0
        var lengths: [Int] = []
        for part in parts {
            switch part {
            case .fixed(let wanted):
                let length = min(max(0, wanted), left)
                left -= length
                lengths.append(length)
            case .flexible(let share):
                weight += min(max(0, share), 1000)
                lengths.append(0)
            }
        }
        for (index, part) in parts.enumerated() {
            guard case .flexible(let wanted) = part, weight > 0 else { continue }
            let share = min(max(0, wanted), 1000)
            lengths[index] = left * share / weight
            left -= lengths[index]
            weight -= share
        }
        var result: [(start: Int, length: Int)] = []
        var start = 0
        for length in lengths {
            let begin = min(start, space)
            result.append((begin, min(length, space - begin)))
            start += length + gap
        }
        return result
    }
}
