import Canvas

/// Finds the cells of water, parks and buildings.
struct AreaFill {
    /// The cells in row order.
    private(set) var grounds: [Canvas.Ground]
    private let rect: Rect
    /// The columns in dots at which the edges of the current area cross the middle of each row.
    private var crossings: [[Double]]

    init(_ rect: Rect) {
        self.rect = rect
        grounds = Array(repeating: .plain, count: rect.width * rect.height)
        crossings = Array(repeating: [], count: rect.height)
    }

    /// Fills an area; later areas replace earlier ones.
    mutating func fill(_ area: MapTile.Area, _ camera: MapCamera) {
        let ground: Canvas.Ground
        switch area.kind {
        case .water: ground = .water
        case .park: ground = .park
        case .building: ground = .building
        default: return
        }
        var rows: ClosedRange<Int>?
        for ring in area.rings {
            for (from, to) in zip(ring, ring.dropFirst()) {
                guard let crossed = cross(camera.dot(from), camera.dot(to)) else { continue }
                rows =
                    min(
                        rows?.lowerBound ?? crossed.lowerBound,
                        crossed.lowerBound
                    )...max(
                        rows?.upperBound ?? crossed.upperBound,
                        crossed.upperBound
                    )
            }
        }
        guard let rows else { return }
        for row in rows {
            let columns = crossings[row].sorted()
            crossings[row].removeAll(keepingCapacity: true)
            for index in stride(from: 0, to: columns.count - 1, by: 2) {
                // A cell belongs to the area if its middle does.
                let first = max(0, Int((min(max(columns[index], -10), 1e4) / 2 + 0.5).rounded(.down)))
                let end = Int((min(max(columns[index + 1], -10), 1e4) / 2 + 0.5).rounded(.down))
                for column in first..<max(first, min(end, rect.width)) { grounds[row * rect.width + column] = ground }
            }
        }
    }

    /// Notes where an edge crosses the middles of rows; returns these rows.
    private mutating func cross(_ a: BrailleGrid.Point, _ b: BrailleGrid.Point) -> ClosedRange<Int>? {
        guard a.x.isFinite, a.y.isFinite, b.x.isFinite, b.y.isFinite else { return nil }
        let (top, bottom) = a.y < b.y ? (a, b) : (b, a)
        // The middle of row r is at 4 r + 2 dots.
        let first = max(0, ((max(top.y, -100) - 2) / 4).rounded(.up))
        let end = min(Double(rect.height), ((min(bottom.y, 1e5) - 2) / 4).rounded(.up))
        guard first < end else { return nil }
        for row in Int(first)..<Int(end) {
            let share = (Double(row) * 4 + 2 - top.y) / (bottom.y - top.y)
            crossings[row].append(top.x + (bottom.x - top.x) * share)
        }
        return Int(first)...(Int(end) - 1)
    }
}
