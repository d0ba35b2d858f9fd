/// A drawing made of dots, two across and four down in each cell, for maps.
///
/// The dots are the same on every terminal; only ``render(into:)`` knows whether they become braille, half blocks or
/// line characters. A cell belongs to the layer of the highest priority that has drawn in it: that layer erases the
/// dots of lower ones, and lower ones do not come in afterwards, for a cell has but one colour. The gaps of a line
/// belong to it too: nothing lower shines through. Dots are near square on common terminals, and count from the upper
/// left corner.
package struct BrailleGrid: Sendable {
    /// What is drawn together: streets below the route, the route below the vehicle's trail.
    package struct Layer: Sendable, Equatable {
        /// Which layer wins a cell, 0 to 255.
        package var priority: UInt8
        /// What its dots mean.
        package var role: Role

        package init(priority: UInt8, role: Role) {
            self.priority = priority
            self.role = role
        }
    }

    /// A place in dots.
    package struct Point: Sendable, Equatable {
        package var x: Double
        package var y: Double

        package init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// How a line goes on and off, in dots; it tells what colour alone would tell.
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

    /// Where the cells lie on the canvas.
    package let rect: Rect
    /// The dots across.
    package var width: Int { rect.width * 2 }
    /// The dots down.
    package var height: Int { rect.height * 4 }

    /// The dots that may still be set, whatever was drawn: a line that covers the picture many times over ends somewhere.
    package private(set) var dotsLeft = BrailleGrid.maximumDots
    /// The most dots that one drawing sets: ten times as many as there are on a screen of 200x60 cells, and some
    /// milliseconds of work.
    package static let maximumDots = 1_000_000

    private var masks: [UInt8]
    private var layers: [Layer]

    /// An empty drawing; of a rectangle above 1,000 cells in a direction only the first 1,000 count.
    package init(in rect: Rect) {
        let bounded = Rect(x: rect.x, y: rect.y, width: min(rect.width, 1000), height: min(rect.height, 1000))
        self.rect = bounded
        masks = Array(repeating: 0, count: bounded.width * bounded.height)
        layers = Array(repeating: Layer(priority: 0, role: .text), count: bounded.width * bounded.height)
    }

    /// Sets one dot; outside nothing happens.
    package mutating func dot(x: Int, y: Int, _ layer: Layer) { mark(x, y, layer, isSet: true) }

    /// Sets one dot, or takes its cell without setting any.
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

    /// Draws straight lines from point to point; points that are not finite interrupt it.
    package mutating func polyline(_ points: some Sequence<Point>, _ layer: Layer, pattern: Pattern = .solid) {
        var phase = 0
        var previous: Point?
        for point in points {
            guard point.x.isFinite, point.y.isFinite else {
                previous = nil
                continue
            }
            if let from = previous {
                line(from: from, to: point, layer, pattern: pattern, phase: &phase)
            }
            previous = point
        }
    }

    /// Draws one straight line; points that are not finite draw nothing.
    package mutating func line(from start: Point, to end: Point, _ layer: Layer, pattern: Pattern = .solid) {
        polyline([start, end], layer, pattern: pattern)
    }

    /// Draws a circle, its radius in dots across; one below half a dot draws nothing.
    ///
    /// `squeeze` is how many dots down are as long as one across: 1 where dots are square.
    package mutating func circle(around center: Point, radius: Double, squeeze: Double = 1, _ layer: Layer) {
        guard radius.isFinite, radius >= 0.5, center.x.isFinite, center.y.isFinite else { return }
        // Eight steps for a dot's worth of radius, but never so many that a huge circle costs a frame.
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

    /// Writes the dots into the canvas; cells without a dot stay as they are.
    package func render(into canvas: inout Canvas) {
        for y in 0..<rect.height {
            for x in 0..<rect.width {
                let index = y * rect.width + x
                guard masks[index] != 0 else { continue }
                // Strokes of streets could not be told from those of the way where there is nothing but ASCII.
                let isStreet = canvas.glyphs.level == .ascii && layers[index].role == .basemap
                let text = isStreet ? "." : DotShapes.text(masks[index], canvas.glyphs.level)
                canvas.set(text, width: 1, x: rect.x + x, y: rect.y + y, role: layers[index].role)
            }
        }
    }

    private mutating func line(
        from start: Point,
        to end: Point,
        _ layer: Layer,
        pattern: Pattern,
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
        dotsLeft -= max(dx, -dy) + 1
        var error = dx + dy
        while true {
            mark(x, y, layer, isSet: phase % period < pattern.on)
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

    /// Liang–Barsky: the part of a line within the dots, so that a point far away costs nothing.
    private func clipped(_ a: Point, _ b: Point) -> (Point, Point)? {
        guard width > 0, height > 0 else { return nil }
        let dx = b.x - a.x
        let dy = b.y - a.y
        var from = 0.0
        var to = 1.0
        // The right and lower edges lie just inside the last dot.
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
        // Coordinates near the end of a Double lose the digits that the clip needs: draw nothing rather than trap.
        guard [start, end].allSatisfy({ abs($0.x) < 10_000 && abs($0.y) < 10_000 }) else { return nil }
        return (start, end)
    }

    /// Cosine and sine of a small angle (below 0.4) by their series: exact to 1e-12, and without Foundation.
    private static func cosineAndSine(_ angle: Double) -> (Double, Double) {
        let square = angle * angle
        let cosine = 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56 * (1 - square / 90))))
        let sine = angle * (1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72))))
        return (cosine, sine)
    }
}
