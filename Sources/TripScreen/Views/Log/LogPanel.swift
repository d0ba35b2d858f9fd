import Canvas
import TripText

/// All events.
enum LogPanel: ViewPanel {
    static let title = Text.viewLog

    static func draw(_ view: TripView, _ layout: ScreenLayout, on canvas: inout Canvas) {
        drawLog(of: view.state, on: &canvas, in: layout.body)
    }

    /// Returns the lines from the newest shown one on, as many as a page has.
    static func statements(of evidence: Evidence) -> [Statement] {
        let state = evidence.state
        return evidence.statements(of: state.log.shown.dropLast(state.log.scroll).suffix(state.page))
    }

    static func wheel(_ pointer: Pointer, in state: inout State) { state.log.scrollBack(by: -pointer.rows) }

    static func needle(of state: State) -> String? { state.log.filter }

    static func seek(_ text: String, in state: inout State) {
        state.log.filter = text
        state.log.scroll = 0
    }
}
