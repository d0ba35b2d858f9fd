import Canvas
import Runtime
import TripText

/// The menu of faults, over the screen.
package struct FaultsPanel: Panel, OverlayPanel {
    /// The selected fault, an index of the faults of the settings.
    package private(set) var chosen = 0

    mutating func type(_ key: Key, in state: State) -> [PanelRequest]? {
        let commands = state.settings.keys.filter { $0.keys.contains(key) }.map(\.command)
        if commands.contains(.faults) { return [.overlay(nil)] }
        if commands.contains(.clearFaults) { return [.perform(.fault(.clear))] }
        let rows = key.rows(page: 5)
        if rows != 0 {
            choose(by: rows, in: state)
            return []
        }
        let faults = state.settings.faults
        guard key == .enter || key == .character(" "), faults.indices.contains(chosen) else { return nil }
        return [.perform(.fault(.toggle(faults[chosen].id)))]
    }

    mutating func wheel(_ pointer: Pointer, in state: State) -> [PanelRequest] {
        choose(by: pointer.rows.signum(), in: state)
        return []
    }

    private mutating func choose(by steps: Int, in state: State) {
        chosen = max(0, min(chosen + steps, state.settings.faults.count - 1))
    }

    /// Draws the menu so that the selected fault is visible.
    func draw(_ state: State, on canvas: inout Canvas) {
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
        let first = max(0, min(chosen - rows.height + 1, faults.count - rows.height))
        for (row, fault) in faults.dropFirst(first).prefix(rows.height).enumerated() {
            let isActive = state.activeFaults.contains(fault.id)
            let sign = isActive ? glyphs.attention : " "
            let room = max(1, rows.width - TextWidth.of(fault.id) - 3)
            let title = Printable.truncated(localizer(fault.title), to: room, ellipsis: glyphs.ellipsis)
            canvas.put(
                [.init("\(sign) ", .critical), .init(title, isActive ? .critical : .text)],
                in: rows,
                row: row
            )
            canvas.put(fault.id, in: rows, row: row, align: .right, role: .secondary)
            if first + row == chosen { canvas.recolor(rows.row(row), role: .selection) }
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

/// The keys and the commands of faults.
extension FaultsPanel {
    static let keys = [
        key(.faults, "i", .keyFaults, .helpFaults) { _, _ in [.overlay(.faults)] }
            .inSessions(.present) { !$0.settings.faults.isEmpty },
        key(.clearFaults, "I", .keyClearFaults, .helpClearFaults) { _, _ in [.perform(.fault(.clear))] }
            .inSessions(.present) { !$0.settings.faults.isEmpty }
            .effective { !$0.activeFaults.isEmpty }
            .inKeyLine { !$0.settings.hidesFaults },
    ]

    static let commands = [
        command("fault", "NAME", .paletteFault) { _, name, state in
            guard state.settings.faults.contains(where: { $0.id == name }) else {
                return [.complain(state.settings.localizer(.noFault(name: name)))]
            }
            return [.perform(.fault(.toggle(name)))]
        }
        .offered { !$0.settings.faults.isEmpty && $0.timeLine == nil }
        .values { $0.settings.faults.map(\.id) }
    ]
}

extension KeyBinding.Command {
    static let faults: Self = "faults"
    static let clearFaults: Self = "clearFaults"
}
