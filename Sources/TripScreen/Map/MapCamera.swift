import Canvas
import Foundation
import TripModel

/// The visible section of the world: the center and the scale.
struct MapCamera: Sendable, Equatable {
    /// The point in the middle of the rectangle.
    var center: MapPicture.Point
    /// Horizontal dots per Mercator unit.
    var scale: Double
    /// Vertical dots per horizontal dot: 1 if cells are twice as high as wide, less if they are higher.
    var squeeze = 1.0
    /// The cells.
    var rect: Rect

    /// Creates a camera that shows all points with a margin of a tenth on each side.
    ///
    /// `closest` is the maximum scale, so that a single point does not fill the screen with a few meters.
    init(fitting points: [MapPicture.Point], in rect: Rect, closest: Double, squeeze: Double = 1) {
        self.rect = rect
        self.squeeze = squeeze
        let west = points.map(\.x).min() ?? 0
        let east = points.map(\.x).max() ?? 1
        let north = points.map(\.y).min() ?? 0
        let south = points.map(\.y).max() ?? 1
        center = MapPicture.Point(x: (west + east) / 2, y: (north + south) / 2)
        let across = Double(rect.width * 2) * 0.8 / max(east - west, 1e-12)
        let down = Double(rect.height * 4) * 0.8 / max(south - north, 1e-12) / squeeze
        scale = min(across, down, closest)
    }

    /// Returns the camera shifted by whole turns around the world, so that it is near an area of a base map.
    ///
    /// `nil` if nothing within the bounds is visible, or nothing larger than a number of dots.
    func reaching(_ bounds: MapBounds, atLeast dots: Double = 1.5) -> MapCamera? {
        var camera = self
        camera.center.x -= (center.x - (bounds.low.x + bounds.high.x) / 2).rounded()
        return camera.shows(bounds, atLeast: dots) ? camera : nil
    }

    /// Returns whether something within the bounds is visible and larger than a number of dots.
    func shows(_ bounds: MapBounds, atLeast dots: Double) -> Bool {
        visible.intersects(bounds) && bounds.size * scale >= dots
    }

    /// The visible rectangle.
    var visible: MapBounds {
        let across = Double(rect.width) / scale
        let down = Double(rect.height * 2) / scale / squeeze
        return MapBounds(
            low: MapPoint(x: center.x - across, y: center.y - down),
            high: MapPoint(x: center.x + across, y: center.y + down)
        )
    }

    /// The visible part of a base map.
    var section: Basemap.Section { Basemap.Section(bounds: visible, scale: scale) }

    /// Returns the dots of a line, without those at most half a dot from the previous one.
    ///
    /// The cost of drawing a route of 20,000 points is then bounded by its length in dots.
    func dots(_ points: [MapPicture.Point]) -> [BrailleGrid.Point] {
        var dots: [BrailleGrid.Point] = []
        for (index, point) in points.enumerated() {
            let dot = dot(point)
            if let last = dots.last, index + 1 < points.count, abs(dot.x - last.x) <= 0.5, abs(dot.y - last.y) <= 0.5 {
                continue
            }
            dots.append(dot)
        }
        return dots
    }

    /// Returns the cells of the border in order of their distance from `cell`, alternating between both sides.
    func border(from cell: (x: Int, y: Int)) -> [(x: Int, y: Int)] {
        guard rect.width > 2, rect.height > 2 else { return [] }
        let (right, bottom) = (rect.maxX - 1, rect.maxY - 1)
        var ring = (rect.x..<right).map { (x: $0, y: rect.y) }
        ring += (rect.y..<bottom).map { (x: right, y: $0) }
        ring += (rect.x..<right).reversed().map { (x: $0 + 1, y: bottom) }
        ring += (rect.y..<bottom).reversed().map { (x: rect.x, y: $0 + 1) }
        guard let start = ring.firstIndex(where: { $0 == cell }) else { return [] }
        return (0..<ring.count).map { step in
            let offset = step % 2 == 0 ? step / 2 : -(step + 1) / 2
            return ring[(start + offset + ring.count) % ring.count]
        }
    }

    /// Returns the border cell in the direction of a point outside, and the direction in degrees from north.
    func edge(towards point: MapPicture.Point) -> (x: Int, y: Int, degrees: Double)? {
        let dot = dot(point)
        let x = dot.x - Double(rect.width)
        let y = dot.y - Double(rect.height * 2)
        guard x.isFinite, y.isFinite, rect.width > 2, rect.height > 2 else { return nil }
        let share = min(Double(rect.width - 1) / max(abs(x), 1e-9), Double(rect.height * 2 - 2) / max(abs(y), 1e-9))
        guard share < 1 || cell(point) == nil else { return nil }
        let column = Int((Double(rect.width) + x * share) / 2)
        let row = Int((Double(rect.height * 2) + y * share) / 4)
        let degrees = atan2(x, -y / squeeze) * 180 / .pi
        return (rect.x + min(max(0, column), rect.width - 1), rect.y + min(max(0, row), rect.height - 1), degrees)
    }

    /// Returns the position of a point in dots from the upper left corner.
    func dot(_ point: MapPicture.Point) -> BrailleGrid.Point {
        BrailleGrid.Point(
            x: (point.x - center.x) * scale + Double(rect.width),
            y: (point.y - center.y) * scale * squeeze + Double(rect.height * 2)
        )
    }

    /// Returns the dot of a point, or its cell; the same value for all points outside.
    func spot(_ point: MapPicture.Point, hasDots: Bool) -> [Int] {
        guard let cell = cell(point) else { return [] }
        let dot = dot(point)
        return hasDots ? [Int(dot.x), Int(dot.y)] : [cell.x, cell.y]
    }

    /// Returns the cell of a point; `nil` if it is outside.
    func cell(_ point: MapPicture.Point) -> (x: Int, y: Int)? {
        let dot = dot(point)
        guard dot.x >= 0, dot.y >= 0, dot.x < Double(rect.width * 2), dot.y < Double(rect.height * 4) else {
            return nil
        }
        return (rect.x + Int(dot.x) / 2, rect.y + Int(dot.y) / 4)
    }
}

/// The section that shows everything; it stays while it is good enough, because every change redraws the whole map.
struct FittedArea: Sendable, Equatable {
    /// The journey that it shows.
    var journey: JourneyID
    /// The section.
    private(set) var camera: MapCamera

    /// A section is replaced if a new one would be closer by this factor.
    static let closer = 1.5
    /// A section is replaced if a point leaves it or is nearer to its border than this fraction of its size.
    static let margin = 0.03

    /// Returns the section for the points of a trip: the previous one, unless it is no longer good enough.
    ///
    /// `fit` is the section that fits the points best.
    static func next(
        _ journey: JourneyID,
        _ points: [MapPicture.Point],
        fit: MapCamera,
        previous: FittedArea?
    ) -> FittedArea {
        if let previous, previous.journey == journey, previous.camera.rect == fit.rect,
            previous.camera.squeeze == fit.squeeze, fit.scale < previous.camera.scale * closer,
            points.allSatisfy({ previous.shows($0) })
        {
            return previous
        }
        return FittedArea(journey: journey, camera: fit)
    }

    /// Returns whether a point is visible and not at the border.
    private func shows(_ point: MapPicture.Point) -> Bool {
        let dot = camera.dot(point)
        let (width, height) = (Double(camera.rect.width * 2), Double(camera.rect.height * 4))
        return dot.x >= width * Self.margin && dot.x <= width * (1 - Self.margin)
            && dot.y >= height * Self.margin && dot.y <= height * (1 - Self.margin)
    }
}

extension State {
    /// Returns the section that fits everything best.
    ///
    /// A single place, such as the stop of a shipment whose vehicle is not shown, has the streets around it.
    func bestFit(_ picture: MapPicture, in rect: Rect) -> MapCamera {
        let isOnePlace = Set(picture.corners).count == 1
        return MapCamera(
            fitting: picture.corners,
            in: rect,
            closest: (isOnePlace ? 0.25 : 2) / picture.unitsPerMeter,
            squeeze: settings.squeeze
        )
    }
}
