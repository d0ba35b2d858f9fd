import Canvas
import TripText

/// The table of all trips.
enum TripsPanel: ViewPanel {
    static let title = Text.viewTrips

    static func above(in state: State) -> ViewKind? { nil }

    static func draw(_ view: TripView, _ layout: ScreenLayout, on canvas: inout Canvas) {
        TripsView(state: view.state).draw(on: &canvas, in: layout.body)
    }

    static func open(_ state: inout State) { state.keepSelectionVisible() }

    /// Selects a trip; a trip that is selected already is shown.
    static func press(_ pointer: Pointer, in state: inout State) {
        let listed = state.listed
        let table = FleetMap.parts(listed.count, in: state.layout.body).table
        let row = pointer.y - table.y - 2
        let visible = TripsView.visibleRows(in: table)
        let index = TripsView.first(of: listed, selected: state.selected, visible: visible) + row
        guard row >= 0, row < visible, listed.indices.contains(index) else { return }
        if listed[index] == state.selected {
            state.show(state.settings.hasSides ? .sides : .trip)
        } else {
            state.select(listed[index])
        }
    }

    static func wheel(_ pointer: Pointer, in state: inout State) { state.moveSelection(by: pointer.rows) }

    static func needle(of state: State) -> String? { state.list.filter }

    static func seek(_ text: String, in state: inout State) {
        state.list.filter = text
        state.keepSelectionVisible()
    }
}
