extension MapTile {
    /// Returns the part within a rectangle, such as what a tile shows of one of its children.
    ///
    /// - Parameter rectangle: The rectangle, in Mercator units.
    /// - Returns: The part; lines end at the edge, and areas have their edge there.
    func clipped(to rectangle: MapBounds) -> MapTile {
        var part = MapTile()
        for line in lines where line.bounds.intersects(rectangle) {
            for piece in rectangle.pieces(of: line.points) {
                part.add(line.kind, line: piece, name: line.name, isNameOnly: line.isNameOnly)
            }
        }
        for area in areas where area.bounds.intersects(rectangle) {
            let rings = area.rings.map(rectangle.part(ofRing:)).filter { $0.count > 3 }
            if !rings.isEmpty { part.add(area.kind, rings: rings) }
        }
        for label in labels where rectangle.intersects(MapBounds(low: label.place, high: label.place)) {
            part.add(label)
        }
        part.omittedFeatures = omittedFeatures
        return part
    }
}

extension MapBounds {
    /// Returns the pieces of a line that are within the rectangle.
    fileprivate func pieces(of line: [MapPoint]) -> [[MapPoint]] {
        var pieces: [[MapPoint]] = []
        var piece: [MapPoint] = []
        func end() {
            if piece.count > 1 { pieces.append(piece) }
            piece = []
        }
        for (from, to) in zip(line, line.dropFirst()) {
            guard let (start, finish) = part(from: from, to: to) else {
                end()
                continue
            }
            if piece.last != start {
                end()
                piece = [start]
            }
            piece.append(finish)
        }
        end()
        return pieces
    }

    /// Clips a segment by the algorithm of Liang and Barsky; `nil` if it is outside or touches the edge in one point.
    private func part(from: MapPoint, to: MapPoint) -> (MapPoint, MapPoint)? {
        let (width, height) = (to.x - from.x, to.y - from.y)
        var (first, last) = (0.0, 1.0)
        for (step, distance) in [
            (-width, from.x - low.x), (width, high.x - from.x), (-height, from.y - low.y), (height, high.y - from.y),
        ] {
            if step == 0 {
                if distance < 0 { return nil }
            } else if step < 0 {
                first = max(first, distance / step)
            } else {
                last = min(last, distance / step)
            }
        }
        guard first < last else { return nil }
        func point(_ share: Double) -> MapPoint { MapPoint(x: from.x + share * width, y: from.y + share * height) }
        return (first == 0 ? from : point(first), last == 1 ? to : point(last))
    }

    /// Clips a ring by the algorithm of Sutherland and Hodgman, edge by edge.
    fileprivate func part(ofRing ring: [MapPoint]) -> [MapPoint] {
        let edges: [(WritableKeyPath<MapPoint, Double>, Double, Double)] = [
            (\.x, low.x, 1), (\.x, high.x, -1), (\.y, low.y, 1), (\.y, high.y, -1),
        ]
        return edges.reduce(ring) { ring, edge in
            let (axis, limit, sign) = edge
            var part: [MapPoint] = []
            for (from, to) in zip(ring, ring.dropFirst()) {
                let (starts, ends) = ((from[keyPath: axis] - limit) * sign, (to[keyPath: axis] - limit) * sign)
                if starts >= 0 { part.append(from) }
                if (starts >= 0) != (ends >= 0) {
                    let share = starts / (starts - ends)
                    part.append(MapPoint(x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y)))
                }
            }
            // A ring ends where it begins.
            if let first = part.first { part.append(first) }
            return part
        }
    }
}
