import Canvas
import Foundation

/// What part of the world a map shows: the middle of the cells and the scale.
struct MapCamera: Sendable, Equatable {
    /// What stands in the middle of the rectangle.
    var center: MapPicture.Point
    /// Dots for a Mercator unit.
    var scale: Double
    /// The cells.
    var rect: Rect

    /// A camera that shows every point with a margin of a tenth on each side.
    ///
    /// `closest` is the largest scale, so that a single point does not fill the screen with a few metres.
    init(fitting points: [MapPicture.Point], in rect: Rect, closest: Double) {
        self.rect = rect
        let west = points.map(\.x).min() ?? 0
        let east = points.map(\.x).max() ?? 1
        let north = points.map(\.y).min() ?? 0
        let south = points.map(\.y).max() ?? 1
        center = MapPicture.Point(x: (west + east) / 2, y: (north + south) / 2)
        let across = Double(rect.width * 2) * 0.8 / max(east - west, 1e-12)
        let down = Double(rect.height * 4) * 0.8 / max(south - north, 1e-12)
        scale = min(across, down, closest)
    }

    /// Whether a cell may show a point: nothing else is worth a line's trouble.
    func mayShow(_ bounds: (low: MapPicture.Point, high: MapPicture.Point)) -> Bool {
        let across = Double(rect.width) / scale
        let down = Double(rect.height * 2) / scale
        return bounds.high.x >= center.x - across && bounds.low.x <= center.x + across
            && bounds.high.y >= center.y - down && bounds.low.y <= center.y + down
    }

    /// The cell at the border in the direction of a point that lies outside, and that direction in degrees from north.
    func edge(towards point: MapPicture.Point) -> (x: Int, y: Int, degrees: Double)? {
        let dot = dot(point)
        let x = dot.x - Double(rect.width)
        let y = dot.y - Double(rect.height * 2)
        guard x.isFinite, y.isFinite, rect.width > 2, rect.height > 2 else { return nil }
        let share = min(Double(rect.width - 1) / max(abs(x), 1e-9), Double(rect.height * 2 - 2) / max(abs(y), 1e-9))
        guard share < 1 || cell(point) == nil else { return nil }
        let column = Int((Double(rect.width) + x * share) / 2)
        let row = Int((Double(rect.height * 2) + y * share) / 4)
        let degrees = atan2(x, -y) * 180 / .pi
        return (rect.x + min(max(0, column), rect.width - 1), rect.y + min(max(0, row), rect.height - 1), degrees)
    }

    /// Where a point lies, in dots from the upper left corner.
    func dot(_ point: MapPicture.Point) -> BrailleGrid.Point {
        BrailleGrid.Point(
            x: (point.x - center.x) * scale + Double(rect.width),
            y: (point.y - center.y) * scale + Double(rect.height * 2)
        )
    }

    /// The cell of a point; `nil` outside.
    func cell(_ point: MapPicture.Point) -> (x: Int, y: Int)? {
        let dot = dot(point)
        guard dot.x >= 0, dot.y >= 0, dot.x < Double(rect.width * 2), dot.y < Double(rect.height * 4) else {
            return nil
        }
        return (rect.x + Int(dot.x) / 2, rect.y + Int(dot.y) / 4)
    }
}
