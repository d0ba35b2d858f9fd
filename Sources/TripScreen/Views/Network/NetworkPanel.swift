import Canvas
import TripFeed
import TripText

/// A trip's requests: latencies, outcomes, errors and remedies.
package struct NetworkPanel: FilteredPanel {
    static let title = Text.viewNetwork
    // A log has no tokens, requests and bodies.
    static let sessions = ViewSessions.live

    /// The order, the filter and the choice in the list of calls.
    package private(set) var list = CallList()

    var filter: String { list.filter }

    func draw(_ view: TripView, _ layout: ScreenLayout, on canvas: inout Canvas) {
        NetworkView(panel: self, trip: view).draw(on: &canvas, in: layout.body)
    }

    /// Returns the command line that repeats the chosen call.
    func copied(in state: State) -> String? { chosenCall(in: state).flatMap { CallCommand.text(for: $0.call) } }

    mutating func forgetPlaces() { list.chosen = nil }

    mutating func seek(_ text: String, in state: State) -> [PanelRequest] {
        list.filter = text
        return []
    }

    mutating func wheel(_ pointer: Pointer, in state: State) -> [PanelRequest] {
        move(by: pointer.rows, in: state)
        return []
    }

    /// Chooses the call in a row of the screen; opens it if it is chosen already.
    mutating func press(_ pointer: Pointer, in state: State) -> [PanelRequest] {
        guard let trip = state.trip else { return [] }
        let table = NetworkView.parts(of: state.layout.body, hasFaults: !trip.history.faults.isEmpty).calls
        let (shown, visible) = (shownCalls(in: state), CallTable.visibleRows(in: table))
        guard let chosen = list.index(in: shown) else { return [] }
        let (row, first) = (pointer.y, table.y + 2)
        let index = CallTable.first(chosen: chosen, of: shown.count, visible: visible) + row - first
        guard row >= first, row < first + visible, shown.indices.contains(index) else { return [] }
        if index == chosen { return [.overlay(.details(.call(shown[index].number), row: 0))] }
        list.choose(index, in: shown)
        return []
    }

    /// Opens the chosen call.
    func openCall(in state: State) -> [PanelRequest] {
        chosenCall(in: state).map { [.overlay(.details(.call($0.number), row: 0))] } ?? []
    }

    /// Moves the choice down by a number of rows.
    mutating func move(by rows: Int, in state: State) { list.move(by: rows, in: shownCalls(in: state)) }

    /// Chooses a call by its number.
    mutating func choose(call: Int) { list.chosen = call }

    /// Sorts by the next key.
    mutating func changeOrder() {
        let orders = CallList.Order.allCases
        let index = orders.firstIndex(of: list.order) ?? 0
        list.order = orders[(index + 1) % orders.count]
    }

    /// Reverses the order.
    mutating func reverse() { list.isReversed.toggle() }

    /// Shows only failed calls, or all.
    mutating func toggleFailuresOnly() { list.failuresOnly.toggle() }

    /// Chooses the next or the previous failed call.
    mutating func jumpToFailure(forward: Bool, in state: State) -> [PanelRequest] {
        guard state.trip != nil, !list.jumpToFailure(forward: forward, in: shownCalls(in: state)) else { return [] }
        return [.message(state.settings.localizer(forward ? .noLaterFailure : .noEarlierFailure))]
    }

    /// Returns the shown calls about the trip, and those about the project, in order.
    func shownCalls(in state: State) -> [ListedCall] {
        state.shown { list.shown(of: $0.calls, state.project.calls) } ?? []
    }

    /// Returns the chosen call; `nil` if none is shown.
    func chosenCall(in state: State) -> ListedCall? {
        let shown = shownCalls(in: state)
        return list.index(in: shown).map { shown[$0] }
    }
}

extension State {
    /// Returns a stored call about the shown trip or about the project by its number.
    func call(_ number: Int, of trip: FollowedTrip) -> ListedCall? {
        trip.calls.entries.first { $0.number == number } ?? project.calls.entries.first { $0.number == number }
    }

    /// Shows a call, and its place in the list.
    mutating func show(call number: Int) {
        show(.network)
        panels.network.choose(call: number)
        show(details: .call(number))
    }
}

/// What keys do in the list of calls.
extension NetworkPanel {
    static let keys = [
        key(.openCall, "Enter", .keyOpen, .helpOpenCall) { $0.openCall(in: $1.state) },
        key("chooseCall", "Up Down k j", shown: "Up Dn", .keyChoose, .helpChooseCall) {
            $0.move(by: $1.rows, in: $1.state)
        },
        key("pageCalls", "PgUp PgDn Home End g G", shown: "PgUp", .keyPage, .helpPageCalls) {
            $0.move(by: $1.rows, in: $1.state)
        }
        .hidden(),
        key("nextFailure", "n", .keyNextFailure, .helpNextFailure) { $0.jumpToFailure(forward: true, in: $1.state) },
        key("previousFailure", "N", .keyPreviousFailure, .helpPreviousFailure) {
            $0.jumpToFailure(forward: false, in: $1.state)
        }
        .hidden(),
        key("failuresOnly", "!", .keyFailuresOnly, .helpFailuresOnly) { $0.toggleFailuresOnly() },
        key("orderCalls", "s", .keyOrder, .helpOrderCalls) { $0.changeOrder() },
        key("reverseCalls", "S", .keyReverse, .helpReverseCalls) { $0.reverse() }
            .hidden(),
    ]
}

extension ViewKind {
    /// A trip's requests: latencies, outcomes, errors and remedies.
    package static let network = ViewKind(panel: NetworkPanel.self)
}

extension Panels {
    package internal(set) var network: NetworkPanel {
        get { self[NetworkPanel.self] }
        set { self[NetworkPanel.self] = newValue }
    }
}

extension KeyBinding.Command {
    static let openCall: Self = "openCall"
}
