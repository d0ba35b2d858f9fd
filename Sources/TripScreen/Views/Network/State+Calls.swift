import Canvas
import TripFeed
import TripText

/// The list of calls in the view of the network.
extension State {
    /// Returns the shown calls about a trip, and those about the project, in order.
    func shownCalls(of trip: FollowedTrip) -> [ListedCall] { callList.shown(of: trip.calls, project.calls) }

    /// Returns a stored call about the shown trip or about the project by its number.
    func call(_ number: Int, of trip: FollowedTrip) -> ListedCall? {
        trip.calls.entries.first { $0.number == number } ?? project.calls.entries.first { $0.number == number }
    }

    /// The chosen call; `nil` if none is shown.
    var chosenCall: ListedCall? {
        guard let trip else { return nil }
        let shown = shownCalls(of: trip)
        return callList.index(in: shown).map { shown[$0] }
    }

    /// Performs a command of the list.
    mutating func performInCalls(_ command: KeyBinding.Command, by key: Key) {
        guard let trip else { return }
        switch command {
        case .chooseCall, .pageCalls: moveCall(by: Self.rows(key, page: page))
        case .openCall: if let call = chosenCall { show(details: .call(call.number)) }
        case .orderCalls:
            let orders = CallList.Order.allCases
            let index = orders.firstIndex(of: callList.order) ?? 0
            callList.order = orders[(index + 1) % orders.count]
        case .reverseCalls: callList.isReversed.toggle()
        case .failuresOnly: callList.failuresOnly.toggle()
        case .nextFailure, .previousFailure:
            if !callList.jumpToFailure(forward: command == .nextFailure, in: shownCalls(of: trip)) {
                message = settings.localizer(command == .nextFailure ? .noLaterFailure : .noEarlierFailure)
            }
        default: break
        }
    }

    /// Moves the choice down by a number of rows.
    mutating func moveCall(by rows: Int) {
        if let trip { callList.move(by: rows, in: shownCalls(of: trip)) }
    }

    /// Chooses the call in a row of the screen; opens it if it is chosen already.
    mutating func press(inCallsAt row: Int) {
        guard let trip else { return }
        let table = NetworkView.parts(of: layout.body, hasFaults: !trip.history.faults.isEmpty).calls
        let (shown, visible) = (shownCalls(of: trip), CallTable.visibleRows(in: table))
        guard let chosen = callList.index(in: shown) else { return }
        let index = CallTable.first(chosen: chosen, of: shown.count, visible: visible) + row - table.y - 2
        guard row >= table.y + 2, row < table.y + 2 + visible, shown.indices.contains(index) else { return }
        if index == chosen { show(details: .call(shown[index].number)) } else { callList.choose(index, in: shown) }
    }
}
