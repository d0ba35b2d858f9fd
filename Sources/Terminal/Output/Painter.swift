import Canvas

/// Draws canvases on the device by their differences, in the style of a theme.
struct Painter {
    private struct Look {
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

    private var looks: [Surface: Look] = [:]
    private var isKnown = false

    init(theme: Theme, capabilities: Capabilities) {
        self.theme = theme
        self.capabilities = capabilities
    }

    /// Forces a full redraw of the next frame.
    mutating func forget() {
        isKnown = false
    }

    /// Draws the differences to the previous canvas and sends them.
    mutating func paint(_ canvas: Canvas, on device: borrowing Device) {
        let isWhole = !isKnown || shown?.width != canvas.width || shown?.height != canvas.height
        if isWhole { device.erase(pair: look(.text, .plain, device).pair) }
        for run in canvas.runs(since: isWhole ? nil : shown) {
            let look = look(run.role, run.ground, device)
            let scalars = run.text.unicodeScalars.map(\.value)
            device.draw(scalars, x: run.x, y: run.y, attributes: look.attributes, pair: look.pair)
        }
        device.cursor(canvas.cursor.map { ($0.x, $0.y) })
        device.present(isSynchronized: capabilities.isSynchronized)
        shown = canvas
        isKnown = true
    }

    private func gray(of device: borrowing Device) -> Theme.Style.Gray {
        device.dimsColors ? .dim : capabilities.isConsole ? .boldBlack : .blue
    }

    private mutating func look(_ role: Role, _ ground: Canvas.Ground, _ device: borrowing Device) -> Look {
        let surface = Surface(role: role, ground: ground)
        if let look = looks[surface] { return look }
        var style = theme.style(role, on: ground, at: capabilities.depth)
        if capabilities.depth == .sixteen, device.colors < 16 { style = style.inEightColors(gray: gray(of: device)) }
        let look = Look(pair: device.pair(style), attributes: style.attributes)
        looks[surface] = look
        return look
    }
}
