import Canvas
import Runtime
import TripModel
import TripText

/// Dim lines at round distances, drawn where there is no base map, to show the scale.
struct Graticule {
    private let camera: MapCamera
    private let localizer: Localizer
    /// The distance between two lines in meters.
    private let step: Double
    /// Horizontal dots per meter.
    private let dotsPerMeter: Double

    /// `nil` if the map is too small.
    init?(_ camera: MapCamera, dotsPerMeter: Double, localizer: Localizer) {
        guard camera.rect.width >= 30, camera.rect.height >= 8, dotsPerMeter.isFinite, dotsPerMeter > 0 else {
            return nil
        }
        let length = localizer.roundLength(atMost: Double(camera.rect.width) / 2 / dotsPerMeter)
        guard length.meters > 0, length.meters * dotsPerMeter >= 8 else { return nil }
        step = length.meters
        self.localizer = localizer
        self.camera = camera
        self.dotsPerMeter = dotsPerMeter
    }

    /// Returns the dots of lines: multiples of the step from the middle of the Mercator square.
    private func lines(center: Double, dotsPerUnit: Double, step: Double, count: Int) -> [Double] {
        let first = ((center - Double(count) / 2 / dotsPerUnit) * dotsPerUnit / step).rounded(.up)
        guard step >= 8, first.isFinite else { return [] }
        return (0..<(count / 8 + 1)).lazy
            .map { (first + Double($0)) * step - center * dotsPerUnit + Double(count) / 2 }
            .filter { $0 < Double(count) }
    }

    private var columns: [Double] {
        lines(
            center: camera.center.x,
            dotsPerUnit: camera.scale,
            step: step * dotsPerMeter,
            count: camera.rect.width * 2
        )
    }

    private var rows: [Double] {
        lines(
            center: camera.center.y,
            dotsPerUnit: camera.scale * camera.squeeze,
            step: step * dotsPerMeter * camera.squeeze,
            count: camera.rect.height * 4
        )
    }

    func draw(in grid: inout BrailleGrid) {
        let layer = BrailleGrid.Layer(priority: 1, role: .graticule)
        let (right, bottom) = (Double(grid.width - 1), Double(grid.height - 1))
        for x in columns {
            grid.line(from: .init(x: x, y: 0), to: .init(x: x, y: bottom), layer, pattern: .init(on: 1, off: 3))
        }
        for y in rows {
            grid.line(from: .init(x: 0, y: y), to: .init(x: right, y: y), layer, pattern: .init(on: 1, off: 3))
        }
    }

    /// Writes the distances from the first lines beside the other lines, where they cover nothing of the trip.
    func drawDistances(on canvas: inout Canvas, _ grid: BrailleGrid, _ space: inout LabelSpace) {
        let rect = camera.rect
        func put(_ number: Int, x: Int, y: Int) {
            let text = localizer.distance(Distance(meters: step * Double(number)))
            let width = TextWidth.of(text)
            guard space.isFree(x, y, width: width),
                (x..<(x + width)).allSatisfy({ grid.priority(x: $0, y: y) < BrailleGrid.firstTripPriority })
            else { return }
            canvas.put(text, x: x, y: y, role: .grid)
            space.reserve(x, y, width: width)
        }
        for (number, x) in columns.enumerated().dropFirst() { put(number, x: rect.x + Int(x) / 2 + 1, y: rect.y) }
        for (number, y) in rows.reversed().enumerated().dropFirst() { put(number, x: rect.x, y: rect.y + Int(y) / 4) }
    }
}
