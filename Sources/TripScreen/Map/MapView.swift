import Canvas
import Foundation
import TripModel
import TripText

/// Draws the map of one trip.
struct MapView {
    let picture: MapPicture
    let isStale: Bool
    let camera: MapCamera
    /// The estimated current position of the vehicle.
    var estimate: MapPicture.Estimate?
    /// The streets below everything else.
    var basemap: Basemap?
    var say = Wording.english

    /// Returns the style of a path; the pattern conveys the same information as the color.
    static func style(_ path: MapPicture.Path) -> (layer: BrailleGrid.Layer, pattern: BrailleGrid.Pattern) {
        switch path {
        case .later: (.init(priority: 20, role: .routeOther), .solid)
        case .driven: (.init(priority: 30, role: .routeDriven), .init(on: 1, off: 3))
        case .trail: (.init(priority: 40, role: .trail), .dotted)
        case .remaining: (.init(priority: 50, role: .routeRemaining), .solid)
        case .slow: (.init(priority: 60, role: .trafficSlow), .dashed)
        case .jam: (.init(priority: 70, role: .trafficJam), .init(on: 2, off: 2))
        }
    }

    func draw(on canvas: inout Canvas, in rect: Rect) {
        guard !rect.isEmpty, !picture.isEmpty else { return }
        var grid = BrailleGrid(in: rect)
        // The most important lines come first, because the number of dots is limited. The layers decide which line wins a cell.
        for path in MapPicture.Path.allCases.reversed() {
            let style = Self.style(path)
            for line in picture.lines where line.path == path {
                grid.polyline(camera.dots(line.points), style.layer, pattern: style.pattern)
            }
        }
        drawStreets(in: &grid)
        if let vehicle = picture.vehicle, let accuracy = picture.accuracy, accuracy > 20 {
            let layer = BrailleGrid.Layer(priority: 10, role: .accuracy)
            let radius = accuracy * picture.unitsPerMeter * camera.scale
            grid.circle(around: camera.dot(vehicle), radius: radius, squeeze: camera.squeeze, layer)
        }
        grid.render(into: &canvas)
        var taken: Set<[Int]> = []
        drawScale(&taken, on: &canvas)
        drawMarkers(&taken, on: &canvas)
    }

    /// The maximum number of labels, and of arrows to places outside; more would hide the map.
    private static let maximumLabels = 40

    /// Draws the streets; a whole city is drawn faintly so that the trip stands out.
    private func drawStreets(in grid: inout BrailleGrid) {
        let streets = (basemap?.lines ?? []).compactMap { line in camera.reaching(line.bounds)?.dots(line.points) }
        let length = streets.reduce(0.0) { length, dots in
            zip(dots, dots.dropFirst()).reduce(length) { $0 + max(abs($1.1.x - $1.0.x), abs($1.1.y - $1.0.y)) }
        }
        let isDense = length > 3 * Double(camera.rect.width * camera.rect.height)
        let pattern = isDense ? BrailleGrid.Pattern(on: 1, off: 3) : .solid
        for dots in streets { grid.polyline(dots, .init(priority: 5, role: .basemap), pattern: pattern) }
    }

    private func drawMarkers(_ taken: inout Set<[Int]>, on canvas: inout Canvas) {
        let glyphs = canvas.glyphs
        var labels: [(text: String, role: Role, x: Int, y: Int)] = []
        for marker in picture.markers {
            guard let cell = camera.cell(marker.place) else { continue }
            let role = Self.role(marker.kind)
            let glyph =
                switch marker.kind {
                case .pickup: glyphs.pickup
                case .dropoff: glyphs.dropoff
                case .stop: glyphs.stop
                }
            canvas.put(glyph, x: cell.x, y: cell.y, role: role)
            taken.insert([cell.x, cell.y])
            if labels.count < Self.maximumLabels { labels.append((label(of: marker), role, cell.x, cell.y)) }
        }
        drawVehicle(&taken, &labels, on: &canvas)
        drawEdges(&taken, on: &canvas)
        for label in labels {
            place(label.text, label.role, at: (label.x, label.y), camera.rect, &taken, on: &canvas)
        }
    }

    /// Draws the measured position as a solid symbol, and the estimated one as a hollow symbol if it is in another cell.
    private func drawVehicle(
        _ taken: inout Set<[Int]>,
        _ labels: inout [(text: String, role: Role, x: Int, y: Int)],
        on canvas: inout Canvas
    ) {
        let glyphs = canvas.glyphs
        let measured = picture.vehicle.flatMap(camera.cell)
        if let estimate, let cell = camera.cell(estimate.place), measured.map({ $0 != cell }) ?? true {
            let glyph = glyphs.vehicle(heading: estimate.heading, estimated: true)
            canvas.put(glyph, x: cell.x, y: cell.y, role: .vehicleEstimated)
            taken.insert([cell.x, cell.y])
        }
        guard let cell = measured else { return }
        let glyph = glyphs.vehicle(heading: picture.heading, estimated: false)
        canvas.put(glyph, x: cell.x, y: cell.y, role: isStale ? .stale : .vehicle)
        taken.insert([cell.x, cell.y])
        if isStale { labels.insert((say(.oldPosition), .stale, cell.x, cell.y), at: 0) }
    }

    private func label(of marker: MapPicture.Marker) -> String {
        switch marker.kind {
        case .pickup: say(.pickup)
        case .dropoff: say(.dropoff)
        case .stop: marker.number.map { say(.stopNumber, String($0)) } ?? say(.stop)
        }
    }

    /// Draws arrows at the border to places outside.
    private func drawEdges(_ taken: inout Set<[Int]>, on canvas: inout Canvas) {
        var places = picture.markers.map { (place: $0.place, role: Self.role($0.kind), text: label(of: $0)) }
        if let vehicle = picture.vehicle { places.insert((vehicle, isStale ? .stale : .vehicle, say(.vehicle)), at: 0) }
        let outside = places.lazy.filter { camera.cell($0.place) == nil }.prefix(Self.maximumLabels)
        for (place, role, text) in outside {
            guard let edge = camera.edge(towards: place),
                let cell = camera.border(from: (edge.x, edge.y)).first(where: { !taken.contains([$0.x, $0.y]) })
            else { continue }
            canvas.put(canvas.glyphs.arrow(edge.degrees), x: cell.x, y: cell.y, role: role)
            taken.insert([cell.x, cell.y])
            self.place(text, role, at: cell, camera.rect, &taken, on: &canvas)
        }
    }

    private static func role(_ kind: MapPicture.Marker.Kind) -> Role {
        switch kind {
        case .pickup: .pickup
        case .dropoff: .dropoff
        case .stop: .stop
        }
    }

    /// Places a label right, left, above or below its place; omits it if it would cover another one.
    private func place(
        _ text: String,
        _ role: Role,
        at cell: (x: Int, y: Int),
        _ rect: Rect,
        _ taken: inout Set<[Int]>,
        on canvas: inout Canvas
    ) {
        let width = TextWidth.of(text)
        let middle = cell.x - width / 2
        let places = [
            (cell.x + 2, cell.y), (cell.x - width - 1, cell.y), (middle, cell.y - 1), (middle, cell.y + 1),
            (cell.x + 1, cell.y - 1), (cell.x + 1, cell.y + 1), (cell.x - width, cell.y - 1),
            (cell.x - width, cell.y + 1),
        ]
        let free = places.filter { x, y in
            guard x >= rect.x, x + width <= rect.maxX, y >= rect.y, y < rect.maxY else { return false }
            let touchesOwn = y == cell.y
            return ((x - 1)...(x + width)).allSatisfy {
                !taken.contains([$0, y]) || (touchesOwn && [$0, y] == [cell.x, cell.y])
            }
        }
        // Prefer a position that covers no line.
        let empty = free.first { x, y in
            ((x - 1)...(x + width)).allSatisfy { $0 == cell.x && y == cell.y || Self.isEmpty(canvas[$0, y]) }
        }
        guard let (x, y) = empty ?? free.first else { return }
        // Otherwise, a margin on both sides separates the label from the line.
        for margin in [x - 1, x + width] where margin >= rect.x && margin < rect.maxX && !taken.contains([margin, y]) {
            canvas.put(" ", x: margin, y: y)
        }
        canvas.put(text, x: x, y: y, role: role)
        taken.formUnion((x..<(x + width)).map { [$0, y] })
    }

    /// Returns whether a cell is empty or may be covered by a label.
    private static func isEmpty(_ cell: Canvas.Cell?) -> Bool {
        guard let cell else { return true }
        return cell.text == " " || cell.role == .basemap || cell.role == .accuracy
    }

    /// Draws the scale bar in a lower corner and the north arrow in an upper one, where they cover nothing important.
    ///
    /// No labels are placed there afterwards.
    private func drawScale(_ taken: inout Set<[Int]>, on canvas: inout Canvas) {
        let rect = camera.rect
        let places = picture.markers.map(\.place) + [picture.vehicle, estimate?.place].compactMap(\.self)
        let cells = places.compactMap(camera.cell)
        /// Writes into the first free position of two.
        func put(_ text: String, row: Int, isRightFirst: Bool) {
            let width = TextWidth.of(text)
            guard width <= rect.width else { return }
            let columns = isRightFirst ? [rect.maxX - width, rect.x] : [rect.x, rect.maxX - width]
            let free = columns.first { column in
                !cells.contains { $0.y == row && $0.x >= column - 1 && $0.x <= column + width }
            }
            guard let free else { return }
            canvas.put(text, x: free, y: row, role: .grid, maxWidth: width)
            taken.formUnion((free..<(free + width)).map { [$0, row] })
        }
        let north = say(.compass).split(separator: " ").first ?? "N"
        put("\(north)\(canvas.glyphs.arrow(0))", row: rect.y, isRightFirst: true)
        let metersPerCell = 2 / (picture.unitsPerMeter * camera.scale)
        guard metersPerCell.isFinite, metersPerCell > 0, rect.width >= 16, rect.height >= 4 else { return }
        let length = say.roundLength(atMost: metersPerCell * Double(rect.width / 4))
        let count = max(1, Int((length.meters / metersPerCell).rounded()))
        let box = canvas.glyphs.box
        let bar = box.teeRight + String(repeating: box.horizontal, count: max(0, count - 2)) + box.teeLeft
        put("\(bar) \(length.name)", row: rect.maxY - 1, isRightFirst: false)
    }
}
