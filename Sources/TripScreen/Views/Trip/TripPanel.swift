import Canvas
import TripText

/// The view of one trip, with panels or as a few lines.
enum TripPanel: ViewPanel {
    static let title = Text.viewTrip

    static func above(in state: State) -> ViewKind? { state.trips.count > 1 ? .trips : nil }

    static func draw(_ view: TripView, _ layout: ScreenLayout, on canvas: inout Canvas) {
        view.drawStatus(on: &canvas, in: layout.status)
        if view.state.showsLargeArrival {
            let rows = layout.body.rows([.fixed(1), .flexible()])
            view.drawLargeArrival(on: &canvas, in: rows[1])
        } else if layout.isReduced {
            view.drawReduced(on: &canvas, in: layout.map)
        } else if layout.isNarrow {
            view.drawLines(on: &canvas, in: layout.arrival)
            view.drawMap(on: &canvas, in: layout.map)
            view.drawEvents(on: &canvas, in: layout.events)
        } else {
            view.drawMap(on: &canvas, in: layout.map)
            guard !view.state.map.isLarge else { return }
            TripPanels(view, in: layout).draw(view, on: &canvas)
            view.drawEvents(on: &canvas, in: layout.events)
        }
    }

    /// Returns the sentences about the trip, and the lines in its panel of events.
    static func statements(of evidence: Evidence) -> [Statement] {
        let (state, entries) = (evidence.state, evidence.state.log.entries(of: evidence.trip.id))
        return evidence.ofTrip + evidence.statements(of: entries.dropLast(state.log.panelScroll).suffix(state.page))
    }

    /// Begins to drag the map, or opens the view of a panel.
    static func press(_ pointer: Pointer, in state: inout State) {
        if state.mapRect.contains(x: pointer.x, y: pointer.y) {
            state.display.dragged = Canvas.Place(x: pointer.x, y: pointer.y)
        } else if !state.layout.isReduced, !state.map.isLarge, !state.showsLargeArrival {
            let layout = state.panelLayout
            let panels: [(Rect, ViewKind)] = [
                (layout.token, .token), (layout.polling, .network), (layout.events, .log),
            ]
            let panel = panels.first { $0.0.contains(x: pointer.x, y: pointer.y) }
            if let panel, state.views.contains(panel.1) { state.show(panel.1) }
        }
    }

    /// Zooms the map, or scrolls the events.
    static func wheel(_ pointer: Pointer, in state: inout State) {
        let isUp = pointer.action == .wheelUp
        if state.mapRect.contains(x: pointer.x, y: pointer.y) {
            state.zoom(by: isUp ? MapControl.zoomStep : 1 / MapControl.zoomStep, about: (pointer.x, pointer.y))
        } else {
            state.scrollEvents(by: -pointer.rows)
        }
    }
}
