import Canvas
import Foundation
import Runtime
import TripModel
import TripText

/// Draws the map of one trip: the base map, the lines of the trip, its symbols, and labels where there is room.
struct MapView {
    let picture: MapPicture
    let isStale: Bool
    let camera: MapCamera
    /// The age of the last report; `nil` if it is unknown.
    var age: Duration?
    /// Where the vehicle is shown; `nil` for the place of its last report.
    var estimate: MapPicture.Estimate?
    /// Whether all reports are marked.
    var showsReports = false
    /// The streets below everything else.
    var basemap: Basemap?
    /// Whether there are no colors.
    var isMonochrome = false
    /// Whether a hint explains how to show streets if there is no base map.
    var hasHint = false
    var localizer = Localizer.english

    /// How a path is drawn.
    typealias Style = (layer: BrailleGrid.Layer, pattern: BrailleGrid.Pattern, width: Int)

    /// Returns the style of a path; the pattern conveys the same information as the color.
    static func style(_ path: MapPicture.Path) -> Style {
        switch path {
        case .later: (.init(priority: 20, role: .routeOther), .solid, 1)
        case .driven: (.init(priority: 30, role: .routeDriven), .init(on: 1, off: 3), 2)
        case .trail: (.init(priority: 40, role: .trail), .dotted, 1)
        case .remaining: (.init(priority: 50, role: .routeRemaining), .solid, 2)
        case .slow: (.init(priority: 60, role: .trafficSlow), .dashed, 2)
        case .jam: (.init(priority: 70, role: .trafficJam), .init(on: 2, off: 2), 2)
        }
    }

    /// Returns the style of a path for a terminal.
    ///
    /// Without colors and in ASCII, streets are dotted: the driven way is a solid line then. In ASCII, all lines are thin.
    static func style(_ path: MapPicture.Path, _ level: GlyphSet.Level, isMonochrome: Bool) -> Style {
        var style = style(path)
        switch path {
        case .driven, .trail: if isMonochrome || level == .ascii { (style.pattern, style.width) = (.solid, 1) }
        case .later: if isMonochrome, level > .ascii { style.pattern = .init(on: 8, off: 2) }
        case .remaining, .slow, .jam: break
        }
        if level == .ascii { style.width = 1 }
        return style
    }

    /// The scale in meters per dot.
    var metersPerDot: Double { 1 / (picture.unitsPerMeter * camera.scale) }

    func draw(on canvas: inout Canvas, in rect: Rect) {
        guard !rect.isEmpty, !picture.isEmpty else { return }
        var grid = BrailleGrid(in: rect)
        let isASCII = canvas.glyphs.level == .ascii
        // The most important lines come first, because the number of dots is limited. The layers decide which line wins a cell.
        for path in MapPicture.Path.allCases.reversed() {
            let style = Self.style(path, canvas.glyphs.level, isMonochrome: isMonochrome)
            for line in picture.lines where line.path == path {
                grid.polyline(camera.dots(line.points), style.layer, pattern: style.pattern, width: style.width)
            }
        }
        if let estimate, estimate.tail.count > 1 {
            let layer = BrailleGrid.Layer(priority: 80, role: .vehicleEstimated)
            grid.polyline(camera.dots(estimate.tail), layer, pattern: .init(on: 1, off: 1), width: isASCII ? 1 : 2)
        }
        if let vehicle = picture.vehicle, let accuracy = picture.accuracy, accuracy > 20 {
            let layer = BrailleGrid.Layer(priority: BrailleGrid.firstTripPriority, role: .accuracy)
            let radius = accuracy * picture.unitsPerMeter * camera.scale
            grid.circle(around: camera.dot(vehicle), radius: radius, squeeze: camera.squeeze, layer)
        }
        let tiles = basemap.map { $0.drawn($0.needed(in: camera.section)) } ?? []
        let streets = StreetLayer(
            tiles,
            camera: camera,
            metersPerDot: metersPerDot,
            level: canvas.glyphs.level,
            isMonochrome: isMonochrome
        )
        streets.draw(in: &grid, level: canvas.glyphs.level)
        let graticule = basemap == nil ? Graticule(camera, dotsPerMeter: 1 / metersPerDot, localizer: localizer) : nil
        graticule?.draw(in: &grid)
        grid.render(into: &canvas, isMonochrome: isMonochrome)
        var space = LabelSpace(rect)
        drawScale(&space, on: &canvas)
        drawMarkers(&space, on: &canvas)
        drawPlaces(tiles, grid, &space, on: &canvas)
        StreetNames(streets, in: rect).draw(on: &canvas, grid, &space)
        graticule?.drawDistances(on: &canvas, grid, &space)
        drawAreas(tiles, space, on: &canvas)
    }

    /// The maximum number of labels of towns and points of interest.
    private static let maximumPlaces = 30

    /// Writes the names of towns and points of interest, important ones first.
    private func drawPlaces(
        _ tiles: [MapTile],
        _ grid: BrailleGrid,
        _ space: inout LabelSpace,
        on canvas: inout Canvas
    ) {
        let kinds: [MapClass] = metersPerDot < 12 ? [.place, .poi] : [.place]
        let labels = tiles.flatMap { tile in
            let near = tile.bounds.flatMap { camera.reaching($0, atLeast: 0) }
            return tile.labels.compactMap { label in
                kinds.contains(label.kind) ? near?.cell(label.place).map { (label: label, cell: $0) } : nil
            }
        }.sorted { ($1.label.kind.rawValue, $0.label.rank) < ($0.label.kind.rawValue, $1.label.rank) }
        var written: Set<String> = []
        for (label, cell) in labels where written.count < Self.maximumPlaces {
            let isPlace = label.kind == .place
            let text = isPlace ? label.name : "\(canvas.glyphs.bullet) \(label.name)"
            let width = TextWidth.of(text)
            let x = isPlace ? cell.x - width / 2 : cell.x
            // A town is large, so its name may be beside its middle.
            let rows = isPlace ? [0, -1, 1, -2, 2].map { cell.y + $0 } : [cell.y]
            let free = rows.first { y in
                space.isFree(x, y, width: width)
                    && (x..<(x + width)).allSatisfy { grid.priority(x: $0, y: y) < BrailleGrid.firstTripPriority }
            }
            guard width > 0, !written.contains(label.name), let free else { continue }
            written.insert(label.name)
            canvas.put(text, x: x, y: free, role: isPlace ? .placeName : .roadName)
            space.reserve(x, free, width: width)
        }
    }

    /// Tints the cells of water, parks and buildings; a pattern in free cells shows them without colors.
    private func drawAreas(_ tiles: [MapTile], _ space: LabelSpace, on canvas: inout Canvas) {
        let rect = camera.rect
        var fill = AreaFill(rect)
        var isEmpty = true
        for kind in [MapClass.park, .water, .building] where kind != .building || metersPerDot <= 2 {
            for tile in tiles {
                guard let bounds = tile.bounds, let near = camera.reaching(bounds, atLeast: 0) else { continue }
                for area in tile.areas where area.kind == kind && near.shows(area.bounds, atLeast: 2) {
                    fill.fill(area, near)
                    isEmpty = false
                }
            }
        }
        guard !isEmpty else { return }
        for y in 0..<rect.height {
            for x in 0..<rect.width {
                let ground = fill.grounds[y * rect.width + x]
                guard ground != .plain else { continue }
                let (column, row) = (rect.x + x, rect.y + y)
                if canvas[column, row]?.text == " ", !space.isTaken(column, row),
                    let pattern = canvas.glyphs.pattern(of: ground, x: x, y: y, isMonochrome: isMonochrome)
                {
                    canvas.put(pattern, x: column, y: row, role: ground == .water ? .water : .park)
                }
                canvas.setGround(ground, x: column, y: row)
            }
        }
    }
}

extension MapView {
    /// Draws the north arrow, the scale bar, and the attribution or the hint into corners, where they cover no symbol.
    ///
    /// No labels are placed there afterwards.
    func drawScale(_ space: inout LabelSpace, on canvas: inout Canvas) {
        let rect = camera.rect
        let places = picture.markers.map(\.place) + [estimate?.place ?? picture.vehicle].compactMap(\.self)
        let cells = places.compactMap(camera.cell)
        /// Writes into the first free position of two.
        func put(_ text: String, row: Int, isRightFirst: Bool, role: Role = .grid) {
            let width = TextWidth.of(text)
            guard width <= rect.width else { return }
            let columns = isRightFirst ? [rect.maxX - width, rect.x] : [rect.x, rect.maxX - width]
            let free = columns.first { column in
                space.isFree(column, row, width: width)
                    && !cells.contains { $0.y == row && $0.x >= column - 2 && $0.x <= column + width + 1 }
            }
            guard let free else { return }
            canvas.put(text, x: free, y: row, role: role, maxWidth: width)
            space.reserve(free, row, width: width)
        }
        let north = localizer(.compass).split(separator: " ").first ?? "N"
        put("\(north)\(canvas.glyphs.arrow(0))", row: rect.y, isRightFirst: true)
        let metersPerCell = 2 * metersPerDot
        guard metersPerCell.isFinite, metersPerCell > 0, rect.width >= 16, rect.height >= 4 else { return }
        let length = localizer.roundLength(atMost: metersPerCell * Double(rect.width / 4))
        // At an extreme zoom, rounding may give another length than the length that fits.
        let columns = min(max((length.meters / metersPerCell).rounded(), 1), Double(rect.width))
        guard columns.isFinite else { return }
        let count = Int(columns)
        let box = canvas.glyphs.box
        let bar = box.teeRight + String(repeating: box.horizontal, count: max(0, count - 2)) + box.teeLeft
        put("\(bar) \(length.name)", row: rect.maxY - 1, isRightFirst: false)
        let note = (basemap?.attribution).map(localizer.attribution) ?? (hasHint ? localizer(.mapHint) : "")
        guard !note.isEmpty, TextWidth.of(note) <= rect.width / 2 else { return }
        put(note, row: rect.maxY - 1, isRightFirst: true)
    }
}
