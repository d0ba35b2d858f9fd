import TripText

/// A pressed key, and the state in which it was pressed.
struct KeyPress {
    let key: Key
    let state: State

    /// The number of rows that it scrolls down.
    var rows: Int { key.rows(page: state.page) }
}

/// A panel as a value: what it stores, its keys and its commands, in one folder.
///
/// It reads the state, changes itself only, and requests everything else. ``Panels`` stores it.
protocol Panel: Sendable {
    /// Creates the panel of a new screen.
    init()

    /// The rows of its keys.
    static var keys: [KeyBinding] { get }

    /// The rows of its commands on the command line.
    static var commands: [CommandRow] { get }
}

extension Panel {
    static var keys: [KeyBinding] { [] }

    static var commands: [CommandRow] { [] }

    /// Returns the row of a key that changes the panel, and requests something.
    static func key(
        _ command: KeyBinding.Command,
        _ keys: String,
        shown: String? = nil,
        _ label: Text,
        _ help: Text,
        perform: @escaping @Sendable (inout Self, KeyPress) -> [PanelRequest]
    ) -> KeyBinding {
        KeyBinding(command, keys, shown: shown, label, help) { state, key in
            state.update(Self.self) { perform(&$0, KeyPress(key: key, state: $1)) }
        }
    }

    /// Returns the row of a key that only changes the panel.
    static func key(
        _ command: KeyBinding.Command,
        _ keys: String,
        shown: String? = nil,
        _ label: Text,
        _ help: Text,
        change: @escaping @Sendable (inout Self, KeyPress) -> Void
    ) -> KeyBinding {
        key(command, keys, shown: shown, label, help) { panel, pressed in
            change(&panel, pressed)
            return []
        }
    }

    /// Returns the row of a key that changes the panel in the same way in every state.
    static func key(
        _ command: KeyBinding.Command,
        _ keys: String,
        shown: String? = nil,
        _ label: Text,
        _ help: Text,
        change: @escaping @Sendable (inout Self) -> Void
    ) -> KeyBinding {
        key(command, keys, shown: shown, label, help) { panel, _ in
            change(&panel)
            return []
        }
    }

    /// Returns the row of a command on the command line.
    static func command(
        _ name: String,
        _ argument: String?,
        _ help: Text,
        perform: @escaping @Sendable (inout Self, String, State) -> [PanelRequest]
    ) -> CommandRow {
        CommandRow(name, argument, help) { state, argument in
            state.update(Self.self) { perform(&$0, argument, $1) }
        }
    }
}
