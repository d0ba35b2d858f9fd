import Canvas
import Runtime
import TripText

extension TripView {
    /// Draws the latest events in a panel.
    func drawEvents(on canvas: inout Canvas, in rect: Rect) {
        let scroll = state.panels.trip.eventScroll
        let note = scroll > 0 ? localizer(.newerBelow(number: String(scroll))) : ""
        let inner = canvas.frame(rect, title: localizer(.events), note: note).inset(horizontal: 1, vertical: 0)
        let entries = state.log.entries(of: trip.id)
        guard !entries.isEmpty else {
            canvas.put(localizer(.nothingHappened), in: inner, role: .secondary)
            return
        }
        drawEntries(entries.dropLast(scroll), zone, isBrief: true, on: &canvas, in: inner)
    }
}
