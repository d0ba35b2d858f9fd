import Canvas
import TripText

/// The last answer as a tree, with the changes of the last poll.
package struct InspectorPanel: ViewPanel {
    static let title = Text.viewInspector

    /// The last answer of the shown trip; updated only while the view is shown.
    package internal(set) var tree = Inspector()

    var needle: String? { tree.search }

    func draw(_ view: TripView, _ layout: ScreenLayout, on canvas: inout Canvas) {
        InspectorView(state: view.state, trip: view.trip).draw(on: &canvas, in: layout.body)
    }

    mutating func refresh(in state: State) {
        tree.show(state.trip?.bodies ?? [], localizer: state.settings.localizer)
    }

    /// Selects a row, and opens or closes it.
    mutating func press(_ pointer: Pointer, in state: State) -> [PanelRequest] {
        guard let trip = state.trip else { return [] }
        let rows = InspectorView.parts(of: state, trip, in: state.layout.body).rows
        let row = pointer.y - rows.y
        guard row >= 0, row < rows.height else { return [] }
        let index = InspectorView.first(tree, visible: rows.height) + row
        guard tree.rows.indices.contains(index) else { return [] }
        tree.cursor = index
        tree.fold(open: nil)
        return []
    }

    mutating func wheel(_ pointer: Pointer, in state: State) -> [PanelRequest] {
        tree.move(by: pointer.rows)
        return []
    }

    mutating func seek(_ text: String, in state: State) -> [PanelRequest] {
        tree.search(for: text)
        return []
    }

    /// Opens or closes the selected row by a key, or does the opposite of what it is.
    mutating func fold(by key: Key) {
        switch key {
        case .right, .character("l"): tree.fold(open: true)
        case .left, .character("h"): tree.fold(open: false)
        default: tree.fold(open: nil)
        }
    }
}
