import Canvas
import Runtime
import TripText

/// The menu of faults, drawn over the screen.
package struct FaultMenu {
    /// The active faults and the choice in the menu.
    package struct Choice: Sendable {
        /// The names of the active faults.
        package internal(set) var active: [String] = []
        /// The selected fault, an index of the faults of the settings.
        package internal(set) var chosen = 0
    }

    let state: State

    /// Draws the menu so that the selected fault is visible.
    func draw(on canvas: inout Canvas) {
        let (localizer, glyphs) = (state.settings.localizer, state.settings.glyphs)
        let screen = Rect(x: 0, y: 0, width: state.width, height: state.height)
        let faults = state.settings.faults
        let width = min(screen.width, 60)
        let area = screen.centered(width: width, height: min(faults.count + 3, screen.height - 2))
        canvas.fill(area)
        let inner = canvas.frame(area, title: localizer(.faultsTitle), role: .focusedBorder).inset(
            horizontal: 1,
            vertical: 0
        )
        let parts = inner.rows([.flexible(), .fixed(inner.height > 2 ? 1 : 0)])
        let rows = parts[0]
        let first = max(0, min(state.faults.chosen - rows.height + 1, faults.count - rows.height))
        for (row, fault) in faults.dropFirst(first).prefix(rows.height).enumerated() {
            let isActive = state.faults.active.contains(fault.id)
            let sign = isActive ? glyphs.attention : " "
            let room = max(1, rows.width - TextWidth.of(fault.id) - 3)
            let title = Printable.truncated(localizer(fault.title), to: room, ellipsis: glyphs.ellipsis)
            canvas.put(
                [.init("\(sign) ", .critical), .init(title, isActive ? .critical : .text)],
                in: rows,
                row: row
            )
            canvas.put(fault.id, in: rows, row: row, align: .right, role: .secondary)
            if first + row == state.faults.chosen { canvas.recolor(rows.row(row), role: .selection) }
        }
        TextBlock.drawEdge(
            on: &canvas,
            in: rows,
            above: first,
            below: faults.count - first - rows.height,
            localizer: localizer
        )
        if !parts[1].isEmpty { canvas.put(localizer(.faultsKeys), in: parts[1], role: .secondary) }
    }
}
