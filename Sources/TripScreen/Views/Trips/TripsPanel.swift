import Canvas
import TripModel
import TripText

/// The table of all trips.
package struct TripsPanel: FilteredPanel {
    static let title = Text.viewTrips
    static let isOfAllTrips = true

    /// The order and the filter of the table.
    package private(set) var list = TripList()
    /// The cached table of a long list of trips; `nil` for a short list.
    var longList: LongList?

    static func above(in state: State) -> ViewKind? { nil }

    var filter: String { list.filter }

    func draw(_ view: TripView, _ layout: ScreenLayout, on canvas: inout Canvas) {
        TripsView(list: list, state: view.state).draw(on: &canvas, in: layout.body)
    }

    mutating func open(in state: State) -> [PanelRequest] { scrollToSelection(in: state) }

    /// Selects a trip; a trip that is selected already is shown.
    mutating func press(_ pointer: Pointer, in state: State) -> [PanelRequest] {
        let listed = listed(in: state)
        let table = FleetMap.parts(listed.count, in: state.layout.body).table
        let row = pointer.y - table.y - 2
        let visible = TripsView.visibleRows(in: table)
        let index = TripsView.first(of: listed, selected: state.selected, visible: visible) + row
        guard row >= 0, row < visible, listed.indices.contains(index) else { return [] }
        return listed[index] == state.selected ? show(in: state) : [.select(listed[index])]
    }

    mutating func wheel(_ pointer: Pointer, in state: State) -> [PanelRequest] {
        moveSelection(by: pointer.rows, in: state)
    }

    mutating func seek(_ text: String, in state: State) -> [PanelRequest] {
        list.filter = text
        return scrollToSelection(in: state)
    }

    /// Shows the selected trip, unless the filter matches nothing.
    func open(selectedIn state: State) -> [PanelRequest] {
        listed(in: state).contains(state.selected) ? show(in: state) : []
    }

    private func show(in state: State) -> [PanelRequest] { [.show(state.settings.hasSides ? .sides : .trip)] }

    /// Sorts by the next key.
    mutating func changeOrder() {
        let orders = TripList.Order.allCases
        let index = orders.firstIndex(of: list.order) ?? 0
        list.order = orders[(index + 1) % orders.count]
    }

    /// Reverses the order.
    mutating func reverse() { list.isReversed.toggle() }

    /// Moves the selection down by a number of rows.
    mutating func moveSelection(by rows: Int, in state: State) -> [PanelRequest] {
        updateLongList(in: state)
        let listed = listed(in: state)
        guard !listed.isEmpty else { return [] }
        let place = listed.firstIndex(of: state.selected) ?? 0
        return [.choose(listed[min(max(0, place + rows), listed.count - 1)])]
    }

    /// Selects the first row if the selected trip does not match the filter.
    mutating func scrollToSelection(in state: State) -> [PanelRequest] {
        updateLongList(in: state)
        let listed = listed(in: state)
        return listed.first.map { listed.contains(state.selected) ? [] : [.choose($0)] } ?? []
    }

    /// Asks for confirmation before a trip is removed; the default is the shown one.
    func askToRemove(_ name: String = "", in state: State) -> [PanelRequest] {
        let named = JourneyName(name, as: state.shownKind)
        let id = name.isEmpty ? state.trip?.id : try? state.journey(named)
        guard let trip = state.trips.first(where: { $0.id == id && $0.end == nil }) else {
            let text = state.settings.localizer(.noSuchTripFollowed(trip: id?.rawValue ?? named.id))
            return [.complain(text)]
        }
        return [.ask(.remove(trip.id))]
    }
}

extension ViewKind {
    /// A table of all trips.
    package static let trips = ViewKind(panel: TripsPanel.self)
}

extension Panels {
    package var trips: TripsPanel { self[TripsPanel.self] }
}
