import Canvas
import TripText

/// The last answer as a tree, with the changes of the last poll.
enum InspectorPanel: ViewPanel {
    static let title = Text.viewInspector

    static func draw(_ view: TripView, _ layout: ScreenLayout, on canvas: inout Canvas) {
        InspectorView(state: view.state, trip: view.trip).draw(on: &canvas, in: layout.body)
    }

    static func refresh(_ state: inout State) {
        state.inspector.show(state.trip?.bodies ?? [], localizer: state.settings.localizer)
    }

    /// Selects a row, and opens or closes it.
    static func press(_ pointer: Pointer, in state: inout State) {
        guard let trip = state.trip else { return }
        let rows = InspectorView.parts(of: state, trip, in: state.layout.body).rows
        let row = pointer.y - rows.y
        guard row >= 0, row < rows.height else { return }
        let index = InspectorView.first(state.inspector, visible: rows.height) + row
        guard state.inspector.rows.indices.contains(index) else { return }
        state.inspector.cursor = index
        state.inspector.fold(open: nil)
    }

    static func wheel(_ pointer: Pointer, in state: inout State) { state.inspector.move(by: pointer.rows) }

    static func needle(of state: State) -> String? { state.inspector.search }

    static func seek(_ text: String, in state: inout State) { state.inspector.search(for: text) }
}
