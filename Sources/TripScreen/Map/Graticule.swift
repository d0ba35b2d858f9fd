import Basemap
import Canvas
import TripText

/// Dim lines at round distances, drawn where there is no base map to keep the sense of scale.
struct Graticule {
    private let camera: MapCamera
    /// The distance between two lines in meters and as text.
    private let step: (meters: Double, name: String)
    /// Horizontal dots per meter.
    private let dotsPerMeter: Double

    /// `nil` if the map is too small.
    init?(_ camera: MapCamera, dotsPerMeter: Double, say: Localizer) {
        guard camera.rect.width >= 30, camera.rect.height >= 8, dotsPerMeter.isFinite, dotsPerMeter > 0 else {
            return nil
        }
        let length = say.roundLength(atMost: Double(camera.rect.width) / 2 / dotsPerMeter)
        guard length.meters > 0, length.meters * dotsPerMeter >= 8 else { return nil }
        step = (length.meters, length.name)
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
            step: step.meters * dotsPerMeter,
            count: camera.rect.width * 2
        )
    }

    private var rows: [Double] {
        lines(
            center: camera.center.y,
            dotsPerUnit: camera.scale * camera.squeeze,
            step: step.meters * dotsPerMeter * camera.squeeze,
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
}
