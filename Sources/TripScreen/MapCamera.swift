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
