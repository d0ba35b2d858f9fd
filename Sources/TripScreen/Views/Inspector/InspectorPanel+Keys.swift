import TripText

/// What keys do in the tree of the last answer.
extension InspectorPanel {
    static var place: any WritableKeyPath<Panels, InspectorPanel> & Sendable { \.inspector }

    static let keys = [
        key(.moveInTree, "Up Down k j", shown: "Up Dn", .keyMove, .helpMove) { $0.tree.move(by: $1.rows) }
            .byDirection(),
        key(.pageInTree, "PgUp PgDn Home End g G", shown: "PgUp", .keyPage, .helpPageAnswer) {
            $0.tree.move(by: $1.rows)
        }
        .byDirection().hidden(),
        key(.fold, "Enter Right Left l h", shown: "Enter", .keyOpen, .helpFold) { $0.fold(by: $1.key) }
            .byDirection(),
        key(.changesOnly, "d", .keyChanges, .helpChanges) { $0.tree.toggleChangesOnly() },
        key(.search, "/", .keySearch, .helpSearch) { panel, _ in [.prompt(.search, panel.tree.search)] },
        key(.nextMatch, "n", .keyNextMatch, .helpNextMatch) { $0.tree.jump(forward: true) }
            .effective { !$0.panels.inspector.tree.search.isEmpty },
        key(.previousMatch, "N", .keyPreviousMatch, .helpPreviousMatch) { $0.tree.jump(forward: false) }
            .effective { !$0.panels.inspector.tree.search.isEmpty }.hidden(),
    ]
}
