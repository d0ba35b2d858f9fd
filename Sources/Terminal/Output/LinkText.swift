import Canvas

/// Draws links again with their addresses (OSC 8), because ncurses has none.
///
/// The text and its style are those that ncurses has drawn, so that its picture of the screen stays right.
struct LinkText {
    /// Returns the links that must be drawn again after a frame.
    ///
    /// - Parameters:
    ///   - canvas: The frame.
    ///   - old: The canvas that was shown before; `nil` if all of it was drawn.
    ///   - runs: What the frame has drawn. ncurses may draw or move the cells of a row to the right of a changed cell again.
    ///   - size: The columns and rows of the terminal. The first frame after a change of size has the old one; ncurses cuts it,
    ///     but a link outside would be drawn in the last row, continue at its end, and scroll the screen.
    /// - Returns: The links of the frame whose cells may have lost their addresses, and without an address those that are none
    ///   any more.
    static func due(
        in canvas: Canvas,
        since old: Canvas?,
        _ runs: [Canvas.Run],
        within size: (width: Int, height: Int)
    ) -> [Canvas.Link] {
        due(in: canvas, since: old, runs).filter { link in
            link.place.y < size.height && link.place.x + link.columns <= size.width
        }
    }

    private static func due(in canvas: Canvas, since old: Canvas?, _ runs: [Canvas.Run]) -> [Canvas.Link] {
        guard let old else { return canvas.links }
        let due = canvas.links.filter { link in
            !old.links.contains(link)
                || runs.contains { $0.y == link.place.y && $0.x <= link.place.x + link.columns }
        }
        let ended = old.links.filter { link in !canvas.links.contains { $0.place == link.place } }
        return ended.map { Canvas.Link(place: $0.place, columns: $0.columns, address: "") } + due
    }

    /// Returns the bytes that draw a link over its cells; the cursor and its style stay.
    ///
    /// - Parameters:
    ///   - link: The link; without an address it is drawn as text.
    ///   - canvas: The frame.
    ///   - depth: The number of colors.
    ///   - style: Returns the style of a cell.
    /// - Returns: The bytes.
    static func bytes(
        _ link: Canvas.Link,
        in canvas: Canvas,
        _ depth: ColorDepth,
        style: (Canvas.Cell) -> Theme.Style
    ) -> [UInt8] {
        var text = "\u{1B}7\u{1B}[\(link.place.y + 1);\(link.place.x + 1)H\u{1B}]8;;\(link.address)\u{1B}\\"
        var last: Theme.Style?
        for x in link.place.x..<(link.place.x + link.columns) {
            guard let cell = canvas[x, link.place.y], !cell.isContinuation else { continue }
            let style = style(cell)
            if style != last { text += codes(style, depth) }
            last = style
            text += cell.text
        }
        return Array((text + "\u{1B}]8;;\u{1B}\\\u{1B}8").utf8)
    }

    private static func codes(_ style: Theme.Style, _ depth: ColorDepth) -> String {
        var codes = ["0"]
        if style.attributes.contains(.bold) { codes.append("1") }
        if style.attributes.contains(.dim) { codes.append("2") }
        if style.attributes.contains(.underline) { codes.append("4") }
        if style.attributes.contains(.reverse) { codes.append("7") }
        for (value, base) in [(style.foreground, 30), (style.background, 40)] where value >= 0 {
            codes.append(color(value, base, depth))
        }
        return "\u{1B}[" + codes.joined(separator: ";") + "m"
    }

    private static func color(_ value: Int, _ base: Int, _ depth: ColorDepth) -> String {
        switch depth {
        case .truecolor: "\(base + 8);2;\(value >> 16 & 0xFF);\(value >> 8 & 0xFF);\(value & 0xFF)"
        case .indexed: "\(base + 8);5;\(value)"
        case .sixteen, .mono: "\(value < 8 ? base + value : base + 52 + value)"
        }
    }
}
