/// A rectangle of cells; never negative, and never so large that sums overflow.
package struct Rect: Sendable, Equatable {
    /// The column of the left edge.
    package let x: Int
    /// The row of the upper edge.
    package let y: Int
    /// The columns, 0 or more.
    package let width: Int
    /// The rows, 0 or more.
    package let height: Int

    /// A part of a division.
    package enum Part: Sendable, Equatable {
        /// This many cells, or what is left of the space.
        case fixed(Int)
        /// A share of what the fixed parts leave, by weight.
        case flexible(Int = 1)
    }

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = Canvas.bounded(x)
        self.y = Canvas.bounded(y)
        self.width = max(0, Canvas.bounded(width))
        self.height = max(0, Canvas.bounded(height))
    }

    /// The first column to the right.
    package var maxX: Int { x + width }
    /// The first row below.
    package var maxY: Int { y + height }
    /// Whether no cell is inside.
    package var isEmpty: Bool { width == 0 || height == 0 }

    /// Whether the cell is inside.
    package func contains(x column: Int, y row: Int) -> Bool {
        column >= x && column < maxX && row >= y && row < maxY
    }

    /// The rectangle without `amount` cells on every side; empty if nothing is left.
    package func inset(by amount: Int = 1) -> Rect { inset(horizontal: amount, vertical: amount) }

    /// The rectangle without `horizontal` columns left and right and `vertical` rows above and below.
    package func inset(horizontal: Int, vertical: Int) -> Rect {
        let across = min(max(0, horizontal), (width + 1) / 2)
        let down = min(max(0, vertical), (height + 1) / 2)
        return Rect(x: x + across, y: y + down, width: width - 2 * across, height: height - 2 * down)
    }

    /// What both have in common.
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

    /// One row of the rectangle, counted from its upper edge; empty if there is no such row.
    package func row(_ index: Int) -> Rect {
        guard index >= 0, index < height else { return Rect(x: x, y: y, width: 0, height: 0) }
        return Rect(x: x, y: y + index, width: width, height: 1)
    }

    /// A rectangle of this size in the middle, cut to fit.
    package func centered(width wanted: Int, height wantedHeight: Int) -> Rect {
        let across = min(max(0, wanted), width)
        let down = min(max(0, wantedHeight), height)
        return Rect(x: x + (width - across) / 2, y: y + (height - down) / 2, width: across, height: down)
    }

    /// Divides into rows from top to bottom, with `gap` empty rows between.
    ///
    /// - Returns: One rectangle for each part, in order; empty ones where the space ran out.
    package func rows(_ parts: [Part], gap: Int = 0) -> [Rect] {
        Self.divide(height, parts, gap).map { Rect(x: x, y: y + $0.start, width: width, height: $0.length) }
    }

    /// Divides into columns from left to right, with `gap` empty columns between.
    ///
    /// - Returns: One rectangle for each part, in order; empty ones where the space ran out.
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
