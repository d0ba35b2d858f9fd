/// The panels of the screen: each stores what belongs to it alone.
package struct Panels: Sendable {
    /// The panels by their types; a panel that has never changed may be missing.
    private(set) var stored = Self.ofViews

    private static let ofViews: [ObjectIdentifier: any Panel] = Dictionary(
        uniqueKeysWithValues: ViewKind.all.map { (ObjectIdentifier($0.panel), $0.panel.init()) }
    )

    /// The commands of all panels on the command line.
    static var commands: [CommandRow] {
        ViewKind.all.flatMap { $0.panel.commands } + FaultsPanel.commands
    }

    /// A panel, by its type.
    subscript<Stored: Panel>(_ type: Stored.Type) -> Stored {
        get { stored[ObjectIdentifier(type)] as? Stored ?? Stored() }
        set { stored[ObjectIdentifier(type)] = newValue }
    }

    /// The panel of a view.
    subscript(_ kind: ViewKind) -> any ViewPanel {
        get { kind.panel.read(self) }
        set { newValue.write(to: &self) }
    }
}

extension ViewPanel {
    fileprivate static func read(_ panels: Panels) -> any ViewPanel { panels[Self.self] }

    fileprivate func write(to panels: inout Panels) { panels[Self.self] = self }
}
