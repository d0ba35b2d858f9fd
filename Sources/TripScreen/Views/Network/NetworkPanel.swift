import Canvas
import TripText

/// A trip's requests: latencies, outcomes, errors and remedies.
enum NetworkPanel: ViewPanel {
    static let title = Text.viewNetwork

    static func draw(_ view: TripView, _ layout: ScreenLayout, on canvas: inout Canvas) {
        NetworkView(trip: view).draw(on: &canvas, in: layout.body)
    }

    static func press(_ pointer: Pointer, in state: inout State) { state.press(inCallsAt: pointer.y) }

    static func wheel(_ pointer: Pointer, in state: inout State) { state.moveCall(by: pointer.rows) }

    static func needle(of state: State) -> String? { state.callList.filter }

    static func seek(_ text: String, in state: inout State) { state.callList.filter = text }
}
