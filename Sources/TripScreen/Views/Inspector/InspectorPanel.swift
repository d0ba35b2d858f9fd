import Canvas
import TripText

/// The last answer as a tree, with the changes of the last poll.
package struct InspectorPanel: ViewPanel {
    static let title = Text.viewInspector
    // A log has no tokens, requests and bodies.
    static let sessions = ViewSessions.live

    /// The last answer of the shown trip; updated only while the view is shown.
    package internal(set) var tree = Inspector()

    var needle: String? { tree.search }

    func draw(_ view: TripView, _ layout: ScreenLayout, on canvas: inout Canvas) {
        InspectorView(inspector: tree, state: view.state, trip: view.trip).draw(on: &canvas, in: layout.body)
    }

    mutating func refresh(in state: State) {
        tree.show(state.trip?.bodies ?? [], localizer: state.settings.localizer)
    }

    /// Selects a row, and opens or closes it.
    mutating func press(_ pointer: Pointer, in state: State) -> [PanelRequest] {
        guard let trip = state.trip else { return [] }
        let rows = InspectorView.parts(of: state, trip, in: state.layout.body).rows
        let row = pointer.y - rows.y
        guard row >= 0, row < rows.height else { return [] }
        let index = InspectorView.first(tree, visible: rows.height) + row
        guard tree.rows.indices.contains(index) else { return [] }
        tree.cursor = index
        tree.fold(open: nil)
        return []
    }

    mutating func wheel(_ pointer: Pointer, in state: State) -> [PanelRequest] {
        tree.move(by: pointer.rows)
        return []
    }

    mutating func seek(_ text: String, in state: State) -> [PanelRequest] {
        tree.search(for: text)
        return []
    }

    /// Opens or closes the selected row by a key, or does the opposite of what it is.
    mutating func fold(by key: Key) {
        switch key {
        case .right, .character("l"): tree.fold(open: true)
        case .left, .character("h"): tree.fold(open: false)
        default: tree.fold(open: nil)
        }
    }
}

/// What keys do in the tree of the last answer.
extension InspectorPanel {
    static let keys = [
        key("moveInTree", "Up Down k j", shown: "Up Dn", .keyMove, .helpMove) { $0.tree.move(by: $1.rows) }
            .byDirection(),
        key("pageInTree", "PgUp PgDn Home End g G", shown: "PgUp", .keyPage, .helpPageAnswer) {
            $0.tree.move(by: $1.rows)
        }
        .byDirection().hidden(),
        key("fold", "Enter Right Left l h", shown: "Enter", .keyOpen, .helpFold) { $0.fold(by: $1.key) }
            .byDirection(),
        key("changesOnly", "d", .keyChanges, .helpChanges) { $0.tree.toggleChangesOnly() },
        key("search", "/", .keySearch, .helpSearch) { panel, _ in [.prompt(.search, panel.tree.search)] },
        key("nextMatch", "n", .keyNextMatch, .helpNextMatch) { $0.tree.jump(forward: true) }
            .effective { !$0.panels.inspector.tree.search.isEmpty },
        key("previousMatch", "N", .keyPreviousMatch, .helpPreviousMatch) { $0.tree.jump(forward: false) }
            .effective { !$0.panels.inspector.tree.search.isEmpty }.hidden(),
    ]
}

extension ViewKind {
    /// The last answer as a tree, with the changes of the last poll.
    package static let inspector = ViewKind(panel: InspectorPanel.self)
}

extension Panels {
    package var inspector: InspectorPanel { self[InspectorPanel.self] }
}
