/// A drawing made of dots, 2 x 4 per cell, for maps.
///
/// The dots do not depend on the terminal; only ``render(into:)`` converts them to braille, half blocks or line characters. A
/// cell has a single color and therefore belongs to the layer with the highest priority. This layer removes the dots
/// of lower layers, and lower layers do not draw in the cell afterwards. The gaps of a dashed line also belong to its layer.
/// Dots are nearly square on common terminals; their origin is the upper left corner.
package struct BrailleGrid: Sendable {
    /// A drawing layer: streets below the route, the route below the vehicle's trail.
    package struct Layer: Sendable, Equatable {
        /// The priority of the layer in a cell, 0 to 255.
        package var priority: UInt8
        /// The role of its dots.
        package var role: Role
    }

    /// A position in dots.
    package struct Point: Sendable, Equatable {
        package var x: Double
        package var y: Double
    }

    /// A dash pattern in dots, which conveys the same information as the color.
    package struct Pattern: Sendable, Equatable {
        package var on: Int
        package var off: Int

        package static let solid = Pattern(on: 1, off: 0)
        package static let dashed = Pattern(on: 5, off: 3)
        package static let dotted = Pattern(on: 1, off: 2)

        package init(on: Int, off: Int) {
            self.on = min(max(1, on), 1000)
            self.off = min(max(0, off), 1000)
        }
    }

    /// The cells on the canvas.
    package let rect: Rect
    /// The width in dots.
    package var width: Int { rect.width * 2 }
    /// The height in dots.
    package var height: Int { rect.height * 4 }

    /// The number of dots that may still be set, which bounds the cost of any drawing.
    package private(set) var dotsLeft = BrailleGrid.maximumDots
    /// The maximum number of dots per drawing: 10 times the dots of a screen of 200x60 cells, a few milliseconds of work.
    package static let maximumDots = 1_000_000

    private var masks: [UInt8]
    private var layers: [Layer]

    /// Creates an empty drawing; a rectangle is limited to 1,000 cells in each direction.
    package init(in rect: Rect) {
        let bounded = Rect(x: rect.x, y: rect.y, width: min(rect.width, 1000), height: min(rect.height, 1000))
        self.rect = bounded
        masks = Array(repeating: 0, count: bounded.width * bounded.height)
        layers = Array(repeating: Layer(priority: 0, role: .text), count: bounded.width * bounded.height)
    }

    /// The lowest priority of lines that belong to the trip; the base map's are lower.
    package static let firstTripPriority: UInt8 = 10

    /// Returns the priority of the layer that owns a cell of the canvas; 0 if the cell is free or outside.
    package func priority(x: Int, y: Int) -> UInt8 {
        rect.contains(x: x, y: y) ? layers[(y - rect.y) * rect.width + x - rect.x].priority : 0
    }

    /// Sets one dot; positions outside are ignored.
    package mutating func dot(x: Int, y: Int, _ layer: Layer) { mark(x, y, layer, isSet: true) }

    /// Sets one dot, or only claims its cell.
    private mutating func mark(_ x: Int, _ y: Int, _ layer: Layer, isSet: Bool) {
        guard x >= 0, x < width, y >= 0, y < height else { return }
        let index = (y / 4) * rect.width + x / 2
        let row = y % 4
        let bit: UInt8 = !isSet ? 0 : row == 3 ? 0x40 << UInt8(x % 2) : 1 << UInt8(row + 3 * (x % 2))
        if layers[index].priority < layer.priority {
            masks[index] = bit
            layers[index] = layer
        } else if layers[index].priority == layer.priority {
            masks[index] |= bit
            layers[index] = layer
        }
    }

    /// Draws straight lines between points, one or two dots wide; non-finite points interrupt it.
    package mutating func polyline(
        _ points: some Sequence<Point>,
        _ layer: Layer,
        pattern: Pattern = .solid,
        width: Int = 1
    ) {
        var phase = 0
        var previous: Point?
        for point in points {
            guard point.x.isFinite, point.y.isFinite else {
                previous = nil
                continue
            }
            if let from = previous {
                line(from: from, to: point, layer, pattern: pattern, isWide: width > 1, phase: &phase)
            }
            previous = point
        }
    }

    /// Draws one straight line; non-finite points draw nothing.
    package mutating func line(from start: Point, to end: Point, _ layer: Layer, pattern: Pattern = .solid) {
        polyline([start, end], layer, pattern: pattern)
    }

    /// Draws a circle with a radius in horizontal dots; below half a dot it draws nothing.
    ///
    /// `squeeze` is the number of vertical dots per horizontal dot for the same length: 1 if dots are square.
    package mutating func circle(around center: Point, radius: Double, squeeze: Double = 1, _ layer: Layer) {
        guard radius.isFinite, radius >= 0.5, center.x.isFinite, center.y.isFinite else { return }
        // Eight steps per dot of radius, limited so that a huge circle stays cheap.
        let steps = min(720, max(16, Int(min(radius, 1000) * 8)))
        var point = Point(x: 1, y: 0)
        let turn = 2 * Double.pi / Double(steps)
        let (cosine, sine) = Self.cosineAndSine(turn)
        var outline = [Point(x: center.x + radius, y: center.y)]
        for _ in 0..<steps {
            point = Point(x: point.x * cosine - point.y * sine, y: point.x * sine + point.y * cosine)
            outline.append(Point(x: center.x + radius * point.x, y: center.y + radius * squeeze * point.y))
        }
        polyline(outline, layer)
    }

    /// Writes the dots to the canvas; cells without dots are not changed.
    ///
    /// Without colors, lines that have no dots of their own get a character that distinguishes them from others.
    package func render(into canvas: inout Canvas, isMonochrome: Bool = false) {
        for y in 0..<rect.height {
            for x in 0..<rect.width {
                let index = y * rect.width + x
                guard masks[index] != 0 else { continue }
                let (role, level) = (layers[index].role, canvas.glyphs.level)
                let text =
                    DotShapes.text(of: role, level, isMonochrome: isMonochrome) ?? DotShapes.text(masks[index], level)
                canvas.set(text, width: 1, x: rect.x + x, y: rect.y + y, role: role)
            }
        }
    }

    private mutating func line(
        from start: Point,
        to end: Point,
        _ layer: Layer,
        pattern: Pattern,
        isWide: Bool,
        phase: inout Int
    ) {
        guard dotsLeft > 0, let (a, b) = clipped(start, end) else { return }
        var x = Int(a.x)
        var y = Int(a.y)
        let lastX = Int(b.x)
        let lastY = Int(b.y)
        let dx = abs(lastX - x)
        let dy = -abs(lastY - y)
        let stepX = x < lastX ? 1 : -1
        let stepY = y < lastY ? 1 : -1
        let period = pattern.on + pattern.off
        dotsLeft -= (max(dx, -dy) + 1) * (isWide ? 2 : 1)
        // The second dot is below a flat line and to the right of a steep one.
        let (besideX, besideY) = dx >= -dy ? (0, 1) : (1, 0)
        var error = dx + dy
        while true {
            mark(x, y, layer, isSet: phase % period < pattern.on)
            if isWide { mark(x + besideX, y + besideY, layer, isSet: phase % period < pattern.on) }
            if x == lastX, y == lastY { break }
            phase += 1
            let doubled = 2 * error
            if doubled >= dy {
                error += dy
                x += stepX
            }
            if doubled <= dx {
                error += dx
                y += stepY
            }
        }
    }

    /// Liang–Barsky clipping, so that distant points have no cost.
    private func clipped(_ a: Point, _ b: Point) -> (Point, Point)? {
        guard width > 0, height > 0 else { return nil }
        let dx = b.x - a.x
        let dy = b.y - a.y
        var from = 0.0
        var to = 1.0
        // The right and lower edges are just inside the last dot.
        let right = Double(width) - 0.001
        let bottom = Double(height) - 0.001
        for (p, q) in [(-dx, a.x), (dx, right - a.x), (-dy, a.y), (dy, bottom - a.y)] {
            if p == 0 {
                if q < 0 { return nil }
                continue
            }
            let r = q / p
            if p < 0 {
                from = max(from, r)
            } else {
                to = min(to, r)
            }
            if from > to { return nil }
        }
        let start = Point(x: a.x + from * dx, y: a.y + from * dy)
        let end = Point(x: a.x + to * dx, y: a.y + to * dy)
        // Very large coordinates have too little precision for clipping: draw nothing instead of trapping.
        guard [start, end].allSatisfy({ abs($0.x) < 10_000 && abs($0.y) < 10_000 }) else { return nil }
        return (start, end)
    }

    /// Cosine and sine of a small angle (below 0.4) as series: accurate to 1e-12, without Foundation.
    private static func cosineAndSine(_ angle: Double) -> (Double, Double) {
        let square = angle * angle
        let cosine = 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56 * (1 - square / 90))))
        let sine = angle * (1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72))))
        return (cosine, sine)
    }
}
