import Canvas
import Runtime
import TripText

extension MapView {
    private typealias Label = (text: String, role: Role, x: Int, y: Int)

    /// The maximum number of labels, and of arrows to places outside; more would hide the map.
    private static let maximumLabels = 40

    func drawMarkers(_ space: inout LabelSpace, on canvas: inout Canvas) {
        let glyphs = canvas.glyphs
        var labels: [Label] = []
        if showsReports { drawReports(on: &canvas) }
        drawOthers(&space, &labels, on: &canvas)
        for marker in picture.markers {
            guard let cell = camera.cell(marker.place) else { continue }
            let (glyph, pin): (String, Role) =
                switch marker.kind {
                case .pickup: (glyphs.pickup, .pickupPin)
                case .dropoff: (glyphs.dropoff, .dropoffPin)
                case .stop: (glyphs.stop, .stopPin)
                }
            put(" \(glyph) ", pin, cell, &space, on: &canvas)
            if labels.count < Self.maximumLabels {
                labels.append((label(of: marker), Self.role(marker.kind), cell.x, cell.y))
            }
        }
        drawVehicle(&space, &labels, on: &canvas)
        drawEdges(&space, on: &canvas)
        for label in labels { place(label, reach: 1, &space, on: &canvas) }
    }

    /// Draws a symbol of three cells around a place; at the border of the map, the cells outside are omitted.
    private func put(
        _ text: String,
        _ role: Role,
        _ cell: (x: Int, y: Int),
        _ space: inout LabelSpace,
        on canvas: inout Canvas
    ) {
        for (offset, character) in zip(-1...1, text) {
            let x = cell.x + offset
            // The side cells do not hide another symbol.
            guard x >= camera.rect.x, x < camera.rect.maxX, offset == 0 || !space.isTaken(x, cell.y) else { continue }
            canvas.put(String(character), x: x, y: cell.y, role: role)
            space.reserve(x, cell.y)
        }
    }

    /// The place at which the vehicle is drawn, and its heading.
    private var vehicle: (place: MapPicture.Point, heading: Double?)? {
        estimate.map { ($0.place, $0.heading) } ?? picture.vehicle.map { ($0, picture.heading) }
    }

    /// Draws the vehicle; an old position in brackets, with its age.
    private func drawVehicle(_ space: inout LabelSpace, _ labels: inout [Label], on canvas: inout Canvas) {
        let glyphs = canvas.glyphs
        guard let vehicle, let cell = camera.cell(vehicle.place) else { return }
        let glyph = glyphs.vehicle(heading: vehicle.heading)
        put(isStale ? "(\(glyph))" : " \(glyph) ", isStale ? .stale : .vehicle, cell, &space, on: &canvas)
        if glyphs.level == .ascii, !isStale, let heading = vehicle.heading {
            putHeading(heading, beside: cell, &space, on: &canvas)
        }
        if isStale {
            // The clock of the device may be ahead.
            let known = age.flatMap { $0 > .zero ? localizer.age($0) : nil }
            let text = known.map { localizer(.oldPositionAge(age: $0)) } ?? localizer(.oldPosition)
            labels.insert((text, .stale, cell.x, cell.y), at: 0)
        }
    }

    /// Draws the vehicles of other trips with their names as far as there is room.
    private func drawOthers(_ space: inout LabelSpace, _ labels: inout [Label], on canvas: inout Canvas) {
        for other in picture.others {
            guard let cell = camera.cell(other.place), !space.isTaken(cell.x, cell.y) else { continue }
            let role: Role = other.isOld ? .stale : .vehicleEstimated
            canvas.put(canvas.glyphs.vehicle(heading: other.heading), x: cell.x, y: cell.y, role: role)
            space.reserve(cell.x, cell.y)
            if labels.count < Self.maximumLabels { labels.append((other.name, .secondary, cell.x, cell.y)) }
        }
    }

    /// Marks the reports, the newest of those in one cell; the symbols of the trip are drawn over them.
    private func drawReports(on canvas: inout Canvas) {
        for cell in picture.reports.compactMap(camera.cell) {
            canvas.put(canvas.glyphs.bullet, x: cell.x, y: cell.y, role: .vehicleEstimated)
        }
    }

    /// Draws the heading beside the vehicle, because ASCII has no symbols for both.
    private func putHeading(
        _ heading: Double,
        beside cell: (x: Int, y: Int),
        _ space: inout LabelSpace,
        on canvas: inout Canvas
    ) {
        let marks: [(dx: Int, dy: Int, text: String)] = [
            (0, -1, "^"), (1, -1, "/"), (1, 0, ">"), (1, 1, "\\"), (0, 1, "v"), (-1, 1, "/"), (-1, 0, "<"),
            (-1, -1, "\\"),
        ]
        let mark = marks[GlyphSet.eighth(heading)]
        let (x, y) = (cell.x + mark.dx, cell.y + mark.dy)
        // The side cells of the vehicle's own symbol are blank.
        guard camera.rect.contains(x: x, y: y), mark.dy == 0 || !space.isTaken(x, y) else { return }
        canvas.put(mark.text, x: x, y: y, role: .vehicle)
        space.reserve(x, y)
    }

    private func label(of marker: MapPicture.Marker) -> String {
        switch marker.kind {
        case .pickup: localizer(.pickup)
        case .dropoff: localizer(.dropoff)
        case .stop: marker.number.map { localizer(.stopNumber(number: String($0))) } ?? localizer(.stop)
        }
    }

    /// Draws arrows at the border to places outside.
    private func drawEdges(_ space: inout LabelSpace, on canvas: inout Canvas) {
        var places = picture.markers.map { (place: $0.place, role: Self.role($0.kind), text: label(of: $0)) }
        if let vehicle {
            places.insert((vehicle.place, isStale ? .stale : .vehicle, localizer(.vehicle)), at: 0)
        }
        let outside = places.lazy.filter { camera.cell($0.place) == nil }.prefix(Self.maximumLabels)
        for (place, role, text) in outside {
            guard let edge = camera.edge(towards: place) else { continue }
            let border = camera.border(from: (edge.x, edge.y))
            // Directly beside a label, an arrow would seem to belong to it.
            let free =
                border.first { cell in (-1...1).allSatisfy { !space.isTaken(cell.x + $0, cell.y) } }
                ?? border.first { !space.isTaken($0.x, $0.y) }
            guard let cell = free else { continue }
            canvas.put(canvas.glyphs.arrow(edge.degrees), x: cell.x, y: cell.y, role: role)
            space.reserve(cell.x, cell.y)
            self.place((text, role, cell.x, cell.y), reach: 0, &space, on: &canvas)
        }
    }

    private static func role(_ kind: MapPicture.Marker.Kind) -> Role {
        switch kind {
        case .pickup: .pickup
        case .dropoff: .dropoff
        case .stop: .stop
        }
    }

    /// Places a label right, left, above or below its symbol; omits it if it would cover another one.
    ///
    /// `reach` is the number of cells of the symbol on each side of its middle.
    private func place(_ label: Label, reach: Int, _ space: inout LabelSpace, on canvas: inout Canvas) {
        let rect = camera.rect
        let width = TextWidth.of(label.text)
        let middle = label.x - width / 2
        let own = (label.x - reach)..<(label.x + reach + 1)
        let places = [
            (own.upperBound + 1, label.y), (own.lowerBound - width - 1, label.y), (middle, label.y - 1),
            (middle, label.y + 1), (own.upperBound, label.y - 1), (own.upperBound, label.y + 1),
            (own.lowerBound - width, label.y - 1), (own.lowerBound - width, label.y + 1),
        ]
        let free = places.filter { space.isFree($0.0, $0.1, width: width, except: $0.1 == label.y ? own : 0..<0) }
        // Prefer a position that covers no line of the trip.
        let empty = free.first { x, y in
            ((x - 1)...(x + width)).allSatisfy { y == label.y && own.contains($0) || Self.isEmpty(canvas[$0, y]) }
        }
        guard let (x, y) = empty ?? free.first else { return }
        // A margin on both sides separates the label from lines.
        for margin in [x - 1, x + width] where margin >= rect.x && margin < rect.maxX && !space.isTaken(margin, y) {
            canvas.put(" ", x: margin, y: y)
        }
        canvas.put(label.text, x: x, y: y, role: label.role)
        space.reserve(x, y, width: width)
    }

    /// Returns whether a cell is empty or may be covered by a label.
    private static func isEmpty(_ cell: Canvas.Cell?) -> Bool {
        guard let cell else { return true }
        if cell.text == " " { return true }
        return switch cell.role {
        case .basemap, .roadMedium, .roadMajor, .roadPath, .rail, .water, .park, .building, .graticule, .accuracy: true
        default: false
        }
    }
}

/// The cells of the map that symbols and labels occupy, so that no label covers another one.
struct LabelSpace {
    let rect: Rect
    private var isTaken: [Bool]

    init(_ rect: Rect) {
        self.rect = rect
        isTaken = Array(repeating: false, count: rect.width * rect.height)
    }

    /// Returns whether a cell is occupied; cells outside the map are not.
    func isTaken(_ x: Int, _ y: Int) -> Bool {
        rect.contains(x: x, y: y) && isTaken[(y - rect.y) * rect.width + x - rect.x]
    }

    /// Returns whether a text and one column on each side are free; the text must be inside the map.
    func isFree(_ x: Int, _ y: Int, width: Int, except own: Range<Int> = 0..<0) -> Bool {
        guard x >= rect.x, x + width <= rect.maxX, y >= rect.y, y < rect.maxY else { return false }
        return ((x - 1)...(x + width)).allSatisfy { own.contains($0) || !isTaken($0, y) }
    }

    /// Occupies the cells of a text.
    mutating func reserve(_ x: Int, _ y: Int, width: Int = 1) {
        for column in x..<(x + max(0, width)) where rect.contains(x: column, y: y) {
            isTaken[(y - rect.y) * rect.width + column - rect.x] = true
        }
    }
}
