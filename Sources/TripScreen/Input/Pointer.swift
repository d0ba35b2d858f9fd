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
            for kind in views { panels[kind].drop() }
            return []
        case .drag:
            change(view) { $0.drag(to: pointer, in: $1) }
            return []
        case .wheelUp, .wheelDown:
            return updateOverlay(with: pointer) ?? updateView { $0.wheel(pointer, in: $1) }
        case .press:
            return press(pointer)
        }
    }

    private mutating func press(_ pointer: Pointer) -> [Effect] {
        guard overlay == nil else {
            show(overlay: nil)
            return []
        }
        guard !showsPresenter else { return updateView { $0.press(pointer, in: $1) } }
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
        return updateView { $0.press(pointer, in: $1) }
    }
}
