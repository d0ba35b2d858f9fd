import Canvas

/// Selects and draws the lines of a base map: important roads wide and bright, small ones thin and dim.
struct StreetLayer {
    /// A visible line in dots.
    struct Line {
        var kind: MapClass
        var name: String
        var isNameOnly: Bool
        var dots: [BrailleGrid.Point]
    }

    /// How a class is drawn.
    struct Style: Equatable {
        var layer: BrailleGrid.Layer
        var pattern = BrailleGrid.Pattern.solid
        /// The scale in meters per dot up to which it is drawn.
        var limit: Double
        /// The scale in meters per dot below which it is two dots wide.
        var wideLimit = 0.0
    }

    /// The styles by class; areas and labels have none.
    static let styles: [MapClass: Style] = [
        .building: Style(layer: .init(priority: 1, role: .building), limit: 2),
        .path: Style(layer: .init(priority: 1, role: .roadPath), pattern: .init(on: 1, off: 2), limit: 4),
        .service: Style(layer: .init(priority: 2, role: .roadPath), limit: 5),
        .shore: Style(layer: .init(priority: 3, role: .water), limit: .infinity),
        .waterway: Style(layer: .init(priority: 3, role: .water), limit: 60),
        .rail: Style(layer: .init(priority: 4, role: .rail), pattern: .init(on: 3, off: 1), limit: 100),
        .other: Style(layer: .init(priority: 5, role: .basemap), limit: .infinity),
        .residential: Style(layer: .init(priority: 5, role: .basemap), limit: 30),
        .tertiary: Style(layer: .init(priority: 6, role: .roadMedium), limit: 60),
        .secondary: Style(layer: .init(priority: 7, role: .roadMedium), limit: 150),
        .primary: Style(layer: .init(priority: 8, role: .roadMajor), limit: 500, wideLimit: 3),
        .trunk: Style(layer: .init(priority: 9, role: .roadMajor), limit: .infinity, wideLimit: 6),
        .motorway: Style(layer: .init(priority: 9, role: .roadMajor), limit: .infinity, wideLimit: 10),
    ]

    /// The visible lines that are drawn or named.
    let lines: [Line]
    /// Whether lines without a class are drawn faintly.
    private let isDense: Bool
    /// Whether there are no colors, so that only signs and patterns distinguish a street from a route.
    private let isMonochrome: Bool
    /// Whether the patterns of dots show what colors would show.
    private let hasMonochromeDots: Bool
    /// The scale in meters per dot.
    private let metersPerDot: Double

    /// Selects the lines; the small streets of a dense map are omitted, so that the trip remains easy to see.
    ///
    /// Lines without a class may be all streets of a map: they become faint, or are omitted if characters can't be faint.
    init(
        _ tiles: [MapTile],
        camera: MapCamera,
        metersPerDot: Double,
        level: GlyphSet.Level,
        isMonochrome: Bool = false
    ) {
        self.isMonochrome = isMonochrome
        hasMonochromeDots = isMonochrome && level == .braille
        self.metersPerDot = metersPerDot
        var lines: [Line] = []
        for tile in tiles {
            guard let bounds = tile.bounds, let near = camera.reaching(bounds, atLeast: 0) else { continue }
            for line in tile.lines {
                guard let style = Self.styles[line.kind], metersPerDot <= style.limit,
                    near.shows(line.bounds, atLeast: 1.5)
                else { continue }
                let dots = near.dots(line.points)
                lines.append(Line(kind: line.kind, name: line.name, isNameOnly: line.isNameOnly, dots: dots))
            }
        }
        let (width, height) = (Double(camera.rect.width * 2), Double(camera.rect.height * 4))
        let length = lines.reduce(0.0) { length, line in
            guard line.kind <= .residential, !line.isNameOnly else { return length }
            return zip(line.dots, line.dots.dropFirst()).reduce(length) {
                $0 + Self.visibleLength($1.0, $1.1, width: width, height: height)
            }
        }
        let hasSmallDots = level == .braille || (level == .sextants && !isMonochrome)
        isDense = length > (hasSmallDots ? 3 : 1) * Double(camera.rect.width * camera.rect.height)
        self.lines =
            !isDense ? lines : lines.filter { !$0.kind.isSmallStreet || ($0.kind == .other && hasSmallDots) }
    }

    /// Draws the lines.
    func draw(in grid: inout BrailleGrid, level: GlyphSet.Level) {
        // The most important lines come first, because the number of dots is limited.
        for line in lines.reversed() where !line.isNameOnly {
            guard let style = Self.styles[line.kind], level > .ascii || style.layer.role != .roadPath else { continue }
            // Without colors, the signs of the area show the water; its shores would look like streets.
            if hasMonochromeDots, line.kind == .shore { continue }
            grid.polyline(
                line.dots,
                style.layer,
                pattern: pattern(of: line.kind, style),
                width: metersPerDot < style.wideLimit && level > .ascii && !isMonochrome ? 2 : 1
            )
        }
    }

    private func pattern(of kind: MapClass, _ style: Style) -> BrailleGrid.Pattern {
        if isDense && kind == .other { return BrailleGrid.Pattern(on: 1, off: 3) }
        guard hasMonochromeDots else { return style.pattern }
        // Only lines of the trip have dots next to each other; important roads have more dots than small ones.
        let gap =
            switch style.layer.role {
            case .water: 4
            case .rail: 3
            case .roadMajor: 1
            default: 2
            }
        return BrailleGrid.Pattern(on: 1, off: gap)
    }

    /// Returns about how many dots of a line are inside the map.
    private static func visibleLength(
        _ a: BrailleGrid.Point,
        _ b: BrailleGrid.Point,
        width: Double,
        height: Double
    ) -> Double {
        let across = min(max(a.x, b.x), width) - max(min(a.x, b.x), 0)
        let down = min(max(a.y, b.y), height) - max(min(a.y, b.y), 0)
        return across < 0 || down < 0 ? 0 : max(across, down)
    }
}

extension MapClass {
    /// Whether it is a kind of street that is frequent in a city.
    fileprivate var isSmallStreet: Bool { isRoad && self <= .residential }
}
