import Canvas

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
