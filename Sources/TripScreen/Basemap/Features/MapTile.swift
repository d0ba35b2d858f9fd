/// The classified contents of one tile, or of a whole GeoJSON file, in Mercator units.
package struct MapTile: Sendable, Equatable {
    /// A line, or the edge of an area.
    package struct Line: Sendable, Equatable {
        package var kind: MapClass
        /// The name of the street; empty without one.
        package var name: String
        /// Whether the line is only for its name, because another layer contains the same line.
        package var isNameOnly = false
        package var points: [MapPoint]
        package var bounds: MapBounds
    }

    /// An area with its holes, filled by the even-odd rule.
    package struct Area: Sendable, Equatable {
        package var kind: MapClass
        package var rings: [[MapPoint]]
        package var bounds: MapBounds
    }

    /// The name of a place.
    package struct Label: Sendable, Equatable {
        package var kind: MapClass
        package var name: String
        /// The importance; lower ranks are more important.
        package var rank: Int
        package var place: MapPoint
    }

    /// The maximum number of points per line; longer lines are split so that invisible parts are skipped quickly.
    static let longestLine = 64
    /// The maximum number of characters of a name.
    static let longestName = 60

    package private(set) var lines: [Line] = []
    package private(set) var areas: [Area] = []
    package private(set) var labels: [Label] = []
    /// The bounds of everything; `nil` if the tile is empty.
    package private(set) var bounds: MapBounds?
    /// The number of points of all lines and areas.
    package private(set) var pointCount = 0
    /// The number of features that are not drawn, or only in part, because the tile has too many points or labels.
    package var omittedFeatures = 0

    package init() {}

    /// Adds a line.
    mutating func add(_ kind: MapClass, line: [MapPoint], name: String = "", isNameOnly: Bool = false) {
        var start = 0
        while start + 1 < line.count {
            let points = Array(line[start..<min(start + Self.longestLine, line.count)])
            if let bounds = MapBounds(points) {
                lines.append(Line(kind: kind, name: name, isNameOnly: isNameOnly, points: points, bounds: bounds))
                extend(to: bounds, points: points.count)
            }
            start += Self.longestLine - 1
        }
    }

    /// Adds an area.
    mutating func add(_ kind: MapClass, rings: [[MapPoint]]) {
        guard let bounds = MapBounds(rings.lazy.joined()) else { return }
        areas.append(Area(kind: kind, rings: rings, bounds: bounds))
        extend(to: bounds, points: rings.reduce(0) { $0 + $1.count })
    }

    /// Adds a label.
    mutating func add(_ label: Label) {
        labels.append(label)
        extend(to: MapBounds(low: label.place, high: label.place), points: 1)
    }

    /// Puts everything into drawing order.
    mutating func sort() {
        lines.sort { $0.kind < $1.kind }
        areas.sort { $0.kind < $1.kind }
        labels.sort { ($1.kind.rawValue, $0.rank) < ($0.kind.rawValue, $1.rank) }
    }

    private mutating func extend(to other: MapBounds, points: Int) {
        pointCount += points
        bounds = bounds.flatMap { MapBounds([$0.low, $0.high, other.low, other.high]) } ?? other
    }
}
