import Canvas
import TripText

/// A mouse event at a cell of the screen.
package struct Pointer: Sendable, Equatable {
    /// The kind of event.
    package enum Action: Sendable, Hashable, CaseIterable {
        case press, drag, release, wheelUp, wheelDown
    }

    package var action: Action
    package var x: Int
    package var y: Int

    package init(_ action: Action, x: Int, y: Int) {
        self.action = action
        self.x = x
        self.y = y
    }
}

extension State {
    /// Performs the action of a mouse event.
    mutating func handle(_ pointer: Pointer) -> [Effect] {
        if let effects = seek(pointer) { return effects }
        switch pointer.action {
        case .release:
            display.dragged = nil
            return []
        case .drag:
            drag(to: pointer)
            return []
        case .wheelUp, .wheelDown:
            return wheel(pointer)
        case .press:
            return press(pointer)
        }
    }

    private mutating func press(_ pointer: Pointer) -> [Effect] {
        guard overlay == nil else {
            show(overlay: nil)
            return []
        }
        guard !showsPresenter else {
            // Only the map can be dragged.
            if mapRect.contains(x: pointer.x, y: pointer.y) {
                display.dragged = Canvas.Place(x: pointer.x, y: pointer.y)
            }
            return []
        }
        let layout = layout
        if let tab = Tabs.all(views, in: layout.tabs, localizer: settings.localizer.about(shownKind)).first(where: {
            $0.rect.contains(x: pointer.x, y: pointer.y)
        }) {
            show(tab.kind)
            return []
        }
        if prompt == nil, let item = KeyLine.items(of: self, in: layout.keys).first(where: { $0.holds(pointer) }) {
            return item.binding.keys.first.map { perform(item.binding.command, by: $0) } ?? []
        }
        switch view {
        case .trip:
            if mapRect.contains(x: pointer.x, y: pointer.y) {
                display.dragged = Canvas.Place(x: pointer.x, y: pointer.y)
            } else if !layout.isReduced, !map.isLarge, !showsLargeArrival {
                let layout = panelLayout
                let panels: [(Rect, ViewKind)] = [
                    (layout.token, .token), (layout.polling, .network), (layout.events, .log),
                ]
                let panel = panels.first { $0.0.contains(x: pointer.x, y: pointer.y) }
                if let panel, views.contains(panel.1) { show(panel.1) }
            }
        case .trips:
            let listed = listed
            let table = FleetMap.parts(listed.count, in: layout.body).table
            let row = pointer.y - table.y - 2
            let visible = TripsView.visibleRows(in: table)
            let index = TripsView.first(of: listed, selected: selected, visible: visible) + row
            guard row >= 0, row < visible, listed.indices.contains(index) else { return [] }
            if listed[index] == selected { show(settings.hasSides ? .sides : .trip) } else { select(listed[index]) }
        case .inspector:
            guard let trip else { return [] }
            let rows = InspectorView.parts(of: self, trip, in: layout.body).rows
            let row = pointer.y - rows.y
            guard row >= 0, row < rows.height else { return [] }
            let index = InspectorView.first(inspector, visible: rows.height) + row
            guard inspector.rows.indices.contains(index) else { return [] }
            inspector.cursor = index
            inspector.fold(open: nil)
        case .network: press(inCallsAt: pointer.y)
        case .token, .findings, .log, .sides: break
        }
        return []
    }

    private mutating func drag(to pointer: Pointer) {
        guard let from = display.dragged else { return }
        let rect = mapRect
        guard rect.width > 0, rect.height > 0 else { return }
        pan(
            right: Double(from.x - pointer.x) / Double(rect.width),
            down: Double(from.y - pointer.y) / Double(rect.height)
        )
        display.dragged = Canvas.Place(x: pointer.x, y: pointer.y)
    }

    private mutating func wheel(_ pointer: Pointer) -> [Effect] {
        let isUp = pointer.action == .wheelUp
        if let overlay {
            switch overlay {
            case .help: scrollHelp(by: isUp ? -3 : 3)
            case .details: scrollDetails(by: isUp ? -3 : 3)
            case .faults: chooseFault(by: isUp ? -1 : 1)
            case .expectations: chooseExpectation(by: isUp ? -1 : 1)
            }
            return []
        }
        switch view {
        case .trip where mapRect.contains(x: pointer.x, y: pointer.y):
            zoom(by: isUp ? MapControl.zoomStep : 1 / MapControl.zoomStep, about: (pointer.x, pointer.y))
        case .trip: scrollEvents(by: isUp ? 3 : -3)
        case .log: log.scrollBack(by: isUp ? 3 : -3)
        case .trips: moveSelection(by: isUp ? -3 : 3)
        case .inspector: inspector.move(by: isUp ? -3 : 3)
        case .network: moveCall(by: isUp ? -3 : 3)
        case .token, .findings, .sides:
            display.scroll[view] = max(0, min((display.scroll[view] ?? 0) + (isUp ? -3 : 3), lastRow))
        }
        return []
    }
}
