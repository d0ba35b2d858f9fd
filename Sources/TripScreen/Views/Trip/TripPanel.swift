import Canvas
import TripText

/// The view of one trip, with panels or as a few lines.
package struct TripPanel: TextPanel {
    static let title = Text.viewTrip
    // Its keys move the map.
    static let isScrolledByKeys = false

    /// The section of the map.
    package internal(set) var map = MapControl()
    /// The cell at which the map is being dragged.
    private var dragged: Canvas.Place?
    /// Whether arrival and timeline replace the panels.
    package private(set) var hasLargeArrival = false
    /// The number of rows above the first visible one of the large arrival.
    var scroll = 0
    /// The number of newest entries hidden by scrolling in the panel of events.
    package private(set) var eventScroll = 0

    static func above(in state: State) -> ViewKind? { state.trips.count > 1 ? .trips : nil }

    // It is about the present; other views also show a failure that is over.
    static func explains(_ failure: FollowedTrip.Failed) -> Bool { failure.end == nil }

    func draw(_ view: TripView, _ layout: ScreenLayout, on canvas: inout Canvas) {
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
            guard !map.isLarge else { return }
            TripPanels(view, in: layout).draw(view, on: &canvas)
            view.drawEvents(on: &canvas, in: layout.events)
            if !layout.findings.isEmpty { FindingsView(trip: view).drawList(on: &canvas, in: layout.findings) }
        }
    }

    /// Returns the sentences about the trip, and the lines in its panel of events.
    func statements(of evidence: Evidence) -> [Statement] {
        let (state, entries) = (evidence.state, evidence.state.log.entries(of: evidence.trip.id))
        return evidence.ofTrip + evidence.statements(of: entries.dropLast(eventScroll).suffix(state.page))
    }

    mutating func forgetPlaces() {
        (scroll, eventScroll) = (0, 0)
        map.mode = .fit
    }

    // MARK: Mouse

    /// Begins to drag the map, or opens the view of a panel.
    mutating func press(_ pointer: Pointer, in state: State) -> [PanelRequest] {
        if state.mapRect.contains(x: pointer.x, y: pointer.y) {
            dragged = Canvas.Place(x: pointer.x, y: pointer.y)
        } else if !state.showsPresenter, !state.layout.isReduced, !map.isLarge, !state.showsLargeArrival {
            let layout = state.panelLayout
            let panels: [(Rect, ViewKind)] = [
                (layout.token, .token), (layout.polling, .network), (layout.calls, .network),
                (layout.findings, .findings), (layout.events, .log),
            ]
            let panel = panels.first { $0.0.contains(x: pointer.x, y: pointer.y) }
            if let panel, state.views.contains(panel.1) { return [.show(panel.1)] }
        }
        return []
    }

    /// Moves the map with the mouse.
    mutating func drag(to pointer: Pointer, in state: State) {
        guard let from = dragged else { return }
        let rect = state.mapRect
        guard rect.width > 0, rect.height > 0 else { return }
        pan(
            right: Double(from.x - pointer.x) / Double(rect.width),
            down: Double(from.y - pointer.y) / Double(rect.height),
            in: state
        )
        dragged = Canvas.Place(x: pointer.x, y: pointer.y)
    }

    /// Ends the movement of the map.
    mutating func drop() { dragged = nil }

    /// Zooms the map, or scrolls the events.
    mutating func wheel(_ pointer: Pointer, in state: State) -> [PanelRequest] {
        if state.mapRect.contains(x: pointer.x, y: pointer.y) {
            let factor = pointer.action == .wheelUp ? MapControl.zoomStep : 1 / MapControl.zoomStep
            zoom(by: factor, about: (pointer.x, pointer.y), in: state)
        } else {
            scrollEvents(by: -pointer.rows, in: state)
        }
        return []
    }

    // MARK: Large arrival

    /// The maximum scroll offset of the large arrival.
    func lastRow(of view: TripView) -> Int {
        let body = view.state.layout.body
        let inner = Rect(x: 0, y: 0, width: max(0, body.width - 4), height: max(0, body.height - 3))
        return LargeArrival(view, in: inner).lastRow
    }

    /// Shows arrival and timeline instead of the panels, or the panels again.
    mutating func toggleLargeArrival() {
        hasLargeArrival.toggle()
        map.isLarge = false
        scroll = 0
    }

    /// Shows the map instead of the panels, or the panels again.
    mutating func toggleLargeMap() {
        map.isLarge.toggle()
        hasLargeArrival = false
    }

    func canClose(in state: State) -> Bool { state.showsLargeArrival }

    /// Shows the panels again.
    mutating func close() { hasLargeArrival = false }

    // MARK: Events

    /// Scrolls the events of the shown trip, or the arrival if it fills the screen.
    mutating func scrollEvents(by lines: Int, in state: State) {
        guard !state.showsLargeArrival else { return scroll(by: -lines, in: state) }
        if let trip = state.trip { scrollEvents(by: lines, among: state.log.entries(of: trip.id).count) }
    }

    /// Shows the newest events, or the end of the arrival if it fills the screen.
    mutating func showNewestEvents(in state: State) {
        if state.showsLargeArrival { scroll(by: 500, in: state) } else { eventScroll = 0 }
    }

    mutating func keepPlaces(in state: State) { adjustEvents(movedBy: 0, among: state.log.entries.count) }

    /// Retains the shown events, after one about the trip was added or all were replaced.
    mutating func adjustEvents(movedBy lines: Int, among count: Int) {
        if eventScroll > 0 { scrollEvents(by: lines, among: count) }
    }

    private mutating func scrollEvents(by lines: Int, among count: Int) {
        eventScroll = min(max(0, eventScroll + lines), max(0, count - 1))
    }
}

extension State {
    /// The section of the map, which the view of one trip stores.
    ///
    /// The presenter shows the same view, and the layout and the frames of the screen depend on it.
    package var mapControl: MapControl { panels.trip.map }

    /// Whether arrival and timeline fill the screen.
    var showsLargeArrival: Bool { panels.trip.hasLargeArrival && view == .trip && !showsPresenter }
}

extension ViewKind {
    /// One trip: map, arrival, timeline, token and polls.
    package static let trip = ViewKind(panel: TripPanel.self)
}

extension Panels {
    package internal(set) var trip: TripPanel {
        get { self[TripPanel.self] }
        set { self[TripPanel.self] = newValue }
    }
}
