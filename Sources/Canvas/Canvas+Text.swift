import Runtime

/// Text output.
extension Canvas {
    /// A part of a line with its own role.
    package struct Span: Sendable, Equatable {
        package var text: String
        package var role: Role

        package init(_ text: String, _ role: Role = .text) {
            self.text = text
            self.role = role
        }
    }

    /// The position of text in its area.
    package enum Alignment: Sendable, Equatable {
        case left
        case center
        case right
    }

    /// Writes one line of text to the right.
    ///
    /// Text beyond `maxWidth` columns or the right edge is truncated with an ellipsis. Text left of the canvas is clipped.
    ///
    /// - Returns: The columns used, counted from `x`.
    @discardableResult
    package mutating func put(_ text: String, x: Int, y: Int, role: Role = .text, maxWidth: Int = .max) -> Int {
        put([Span(text, role)], x: x, y: y, maxWidth: maxWidth)
    }

    /// Writes one line of spans to the right; it is truncated as a whole.
    ///
    /// - Returns: The columns used, counted from `x`.
    @discardableResult
    package mutating func put(_ spans: [Span], x: Int, y: Int, maxWidth: Int = .max) -> Int {
        guard y >= 0, y < height, x < width else { return 0 }
        let x = Self.bounded(x)
        var room = min(max(0, maxWidth), width - x)
        var column = x
        var pieces = spans.map { (clusters: glyphs.drawable($0.text, limit: width - x + 1), role: $0.role) }
        let wanted = drawnTexts == nil ? "" : pieces.map { $0.clusters.map(\.text).joined() }.joined()
        if pieces.reduce(0, { $0 + $1.clusters.columns }) > room {
            for index in pieces.indices {
                let isCut = pieces[index].clusters.columns >= room
                // A span that just fits must leave room for the ellipsis if more follows.
                let hidden = isCut ? [Printable.Cluster(text: " ", width: 1)] : []
                let retained = Printable.truncated(pieces[index].clusters + hidden, to: room, ellipsis: glyphs.ellipsis)
                room -= retained.columns
                pieces[index].clusters = retained
                if isCut {
                    pieces.removeSubrange((index + 1)...)
                    break
                }
            }
        }
        for piece in pieces {
            for cluster in piece.clusters {
                set(cluster.text, width: cluster.width, x: column, y: y, role: piece.role)
                column += cluster.width
            }
        }
        drawnTexts?.append(
            DrawnText(
                place: Place(x: x, y: y),
                wanted: wanted,
                drawn: pieces.map { $0.clusters.map(\.text).joined() }.joined(),
                columns: column - x
            )
        )
        return column - x
    }

    /// Writes one aligned line into a row of a rectangle, truncated to its width.
    ///
    /// - Returns: The columns used.
    @discardableResult
    package mutating func put(
        _ text: String,
        in rect: Rect,
        row: Int = 0,
        align: Alignment = .left,
        role: Role = .text
    ) -> Int {
        put([Span(text, role)], in: rect, row: row, align: align)
    }

    /// Writes one aligned line of spans into a row of a rectangle, truncated to its width.
    ///
    /// - Returns: The columns used.
    @discardableResult
    package mutating func put(_ spans: [Span], in rect: Rect, row: Int = 0, align: Alignment = .left) -> Int {
        guard row >= 0, row < rect.height else { return 0 }
        let columns = spans.reduce(0) { $0 + glyphs.drawable($1.text, limit: rect.width + 1).columns }
        let space = max(0, rect.width - columns)
        let shift =
            switch align {
            case .left: 0
            case .center: space / 2
            case .right: space
            }
        return put(spans, x: rect.x + shift, y: rect.y + row, maxWidth: rect.width - shift)
    }

    /// Writes text over several rows of a rectangle, wrapped at spaces.
    ///
    /// - Returns: The rows used.
    @discardableResult
    package mutating func putWrapped(_ text: String, in rect: Rect, role: Role = .text) -> Int {
        guard !rect.isEmpty else { return 0 }
        let lines = Printable.wrapped(text, to: rect.width, limit: rect.height)
        for (row, line) in lines.enumerated() {
            put(line, in: rect, row: row, role: role)
        }
        return lines.count
    }
}

extension [Printable.Cluster] {
    /// The total width in columns.
    var columns: Int { reduce(0) { $0 + $1.width } }
}
