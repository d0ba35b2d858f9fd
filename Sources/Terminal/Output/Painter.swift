import Canvas

/// Draws canvases on the device by their differences, in the style of a theme.
struct Painter {
    private struct CellStyle {
        var pair: Int32
        var attributes: Theme.Attributes
    }

    /// The last drawn canvas.
    private(set) var shown: Canvas?
    private let theme: Theme
    private let capabilities: Capabilities
    private struct Surface: Hashable {
        var role: Role
        var ground: Canvas.Ground
    }

    private var cellStyles: [Surface: CellStyle] = [:]
    private var isKnown = false

    init(theme: Theme, capabilities: Capabilities) {
        self.theme = theme
        self.capabilities = capabilities
    }

    /// Forces a full redraw of the next frame.
    mutating func forget() {
        isKnown = false
    }

    /// Draws the differences to the previous canvas, and sends them and more bytes.
    ///
    /// - Parameters:
    ///   - canvas: The content of the screen; what is outside of the terminal is not drawn.
    ///   - size: The columns and rows of the terminal.
    ///   - more: The bytes.
    ///   - device: The terminal.
    mutating func paint(
        _ canvas: Canvas,
        within size: (width: Int, height: Int),
        followedBy more: [UInt8],
        on device: borrowing Device
    ) {
        let isWhole = !isKnown || shown?.width != canvas.width || shown?.height != canvas.height
        if isWhole { device.erase(pair: cellStyle(.text, .plain, device).pair) }
        let old = isWhole ? nil : shown
        let runs = canvas.runs(since: old)
        for run in runs {
            let cellStyle = cellStyle(run.role, run.ground, device)
            let scalars = run.text.unicodeScalars.map(\.value)
            device.draw(scalars, x: run.x, y: run.y, attributes: cellStyle.attributes, pair: cellStyle.pair)
        }
        device.cursor(canvas.cursor.map { ($0.x, $0.y) })
        let due = LinkText.due(in: canvas, since: old, runs, within: size)
        let links = bytes(of: due, in: canvas, on: device)
        device.present(isSynchronized: capabilities.isSynchronized, links + more)
        shown = canvas
        isKnown = true
    }

    /// Returns the bytes that draw links.
    private func bytes(of links: [Canvas.Link], in canvas: Canvas, on device: borrowing Device) -> [UInt8] {
        guard capabilities.features.contains(.links), !links.isEmpty else { return [] }
        let (colors, gray, dimsColors) = (device.colors, gray(of: device), device.dimsColors)
        return links.flatMap { link in
            LinkText.bytes(link, in: canvas, capabilities.depth) { cell in
                var style = style(cell.role, cell.ground, colors: colors, gray: gray)
                // As ncurses does.
                if !dimsColors, style.foreground >= 0 { style.attributes.remove(.dim) }
                return style
            }
        }
    }

    private func style(_ role: Role, _ ground: Canvas.Ground, colors: Int, gray: Theme.Style.Gray) -> Theme.Style {
        let style = theme.style(role, on: ground, at: capabilities.depth)
        return capabilities.depth == .sixteen && colors < 16 ? style.inEightColors(gray: gray) : style
    }

    private func gray(of device: borrowing Device) -> Theme.Style.Gray {
        device.dimsColors ? .dim : capabilities.isConsole ? .boldBlack : .blue
    }

    private mutating func cellStyle(_ role: Role, _ ground: Canvas.Ground, _ device: borrowing Device) -> CellStyle {
        let surface = Surface(role: role, ground: ground)
        if let cellStyle = cellStyles[surface] { return cellStyle }
        let style = style(role, ground, colors: device.colors, gray: gray(of: device))
        let cellStyle = CellStyle(pair: device.pair(style), attributes: style.attributes)
        cellStyles[surface] = cellStyle
        return cellStyle
    }
}
