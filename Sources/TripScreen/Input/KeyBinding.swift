import Runtime
import TripFeed
package import TripText

/// One row of the key map: the keys of a command, what it is called, when it has an effect, and which.
///
/// The rows of a view are in its folder, and change only its panel; those of all views are in ``KeyMap``.
package struct KeyBinding: Sendable {
    /// The command of a key, by its name in the configuration.
    ///
    /// Its row names it; it has a property only if other files need it.
    package struct Command: Sendable, Hashable, ExpressibleByStringLiteral {
        /// The name in the configuration.
        package let rawValue: String

        package init(stringLiteral name: String) { rawValue = name }

        /// Creates the command of a name; `nil` if no row has it.
        package init?(rawValue: String) {
            self.rawValue = rawValue
            if KeyMap.rows[self] == nil { return nil }
        }
    }

    /// The sessions in which a command exists.
    enum Session: Sendable, Hashable {
        /// All.
        case any
        /// All, but only while the present is shown.
        case present
        /// Those that show the present, that is have no time line.
        case live
        /// Those with a time line.
        case replay
    }

    /// A condition on the screen.
    typealias Condition = @Sendable (State) -> Bool
    /// What a command does, by one of its keys.
    typealias Action = @Sendable (inout State, Key) -> [Effect]

    /// The command.
    package let command: Command
    /// The keys.
    package internal(set) var keys: [Key]
    /// The names of the keys for display.
    package internal(set) var name: String
    /// What it does, in one or two words.
    let label: Text
    /// What it does, in a sentence; `nil` for the sentence that names the views.
    let help: Text?
    /// The views in which it does something; empty for all.
    package internal(set) var views: [ViewKind] = []
    /// Whether the key implies the command, such as a direction.
    package internal(set) var needsKey = false
    /// The sessions in which it exists.
    var session = Session.any
    /// Whether it has an effect while a panel is over the screen.
    var worksOverOverlays = false
    /// The question before it is performed, for a key that writes a file at once; `nil` for other keys.
    var question: Text?
    /// Whether it exists, besides ``session``: for example, the check list needs expectations.
    var isOffered: Condition = { _ in true }
    /// Whether it has an effect where it exists.
    var hasEffect: Condition = { _ in true }
    /// Whether the key line shows it.
    var isInKeyLine: Condition = { _ in true }
    /// Whether the other keys of its view come first in the key line.
    var isLate = false
    /// Another label in some states; `nil` for the same one everywhere.
    var labelNow: (@Sendable (State) -> Text)?
    /// What it does.
    let perform: Action

    /// Creates a row with the names of its keys; `shown` are those for display, if there are too many.
    init(
        _ command: Command,
        _ keys: String,
        shown: String? = nil,
        _ label: Text,
        _ help: Text?,
        perform: @escaping Action
    ) {
        (self.command, self.label, self.help, self.perform) = (command, label, help, perform)
        (self.keys, name) = (keys.split(separator: " ").map { Key(ofRow: String($0)) }, shown ?? keys)
    }

    /// Creates a row that does the same by each key.
    init(
        _ command: Command,
        _ keys: String,
        shown: String? = nil,
        _ label: Text,
        _ help: Text?,
        perform: @escaping @Sendable (inout State) -> [Effect]
    ) {
        self.init(command, keys, shown: shown, label, help) { state, _ in perform(&state) }
    }

    /// Creates a row without effects outside of the screen.
    init(
        _ command: Command,
        _ keys: String,
        shown: String? = nil,
        _ label: Text,
        _ help: Text?,
        change: @escaping @Sendable (inout State) -> Void
    ) {
        self.init(command, keys, shown: shown, label, help) { state, _ in
            change(&state)
            return []
        }
    }
}

extension Key {
    /// Creates a key of a row.
    fileprivate init(ofRow name: String) {
        guard let key = Key(named: name) else { preconditionFailure("no key has the name \(name)") }
        self = key
    }
}

extension KeyBinding: Equatable {
    /// Compares what the configuration can change.
    package static func == (one: KeyBinding, other: KeyBinding) -> Bool {
        one.command == other.command && one.keys == other.keys && one.name == other.name
    }
}

// MARK: The columns of a row that most rows do without

extension KeyBinding {
    /// Returns the row with other columns.
    private func with(_ change: (inout KeyBinding) -> Void) -> KeyBinding {
        var row = self
        change(&row)
        return row
    }

    /// Only in some views.
    func inViews(_ views: [ViewKind]) -> KeyBinding { with { $0.views = views } }

    /// Its key implies the command.
    func byDirection() -> KeyBinding { with { $0.needsKey = true } }

    /// Only in some sessions.
    func inSessions(_ session: Session, where isOffered: @escaping Condition = { _ in true }) -> KeyBinding {
        with { ($0.session, $0.isOffered) = (session, isOffered) }
    }

    /// Only where it exists.
    func offered(if isOffered: @escaping Condition) -> KeyBinding { with { $0.isOffered = isOffered } }

    /// Only where it has an effect.
    func effective(if hasEffect: @escaping Condition) -> KeyBinding { with { $0.hasEffect = hasEffect } }

    /// Also while a panel is over the screen.
    func overOverlays() -> KeyBinding { with { $0.worksOverOverlays = true } }

    /// In the key line after the other keys of its view.
    func late() -> KeyBinding { with { $0.isLate = true } }

    /// Not in the key line.
    func hidden() -> KeyBinding { inKeyLine { _ in false } }

    /// In the key line only in some states.
    func inKeyLine(if isInKeyLine: @escaping Condition) -> KeyBinding { with { $0.isInKeyLine = isInKeyLine } }

    /// Only after a question.
    func asking(_ question: Text) -> KeyBinding { with { $0.question = question } }

    /// With another label in some states.
    func labelled(_ label: @escaping @Sendable (State) -> Text) -> KeyBinding { with { $0.labelNow = label } }
}

// MARK: What the columns say in a state

extension KeyBinding {
    /// Returns whether it is active in a state.
    package func isValid(in state: State) -> Bool {
        guard views.isEmpty || views.contains(state.view) else { return false }
        return (worksOverOverlays || state.overlay == nil && isOffered(in: state)) && hasEffect(state)
    }

    /// Returns whether it exists in a state.
    func isOffered(in state: State) -> Bool {
        let isInSession =
            switch session {
            case .any: true
            case .present: !(state.timeLine?.isTravel ?? false)
            case .live: state.timeLine == nil
            case .replay: state.timeLine != nil
            }
        return isInSession && isOffered(state)
    }

    /// Whether both are never available at the same time, so that they may have the same key.
    func excludes(_ other: KeyBinding) -> Bool { Set([session, other.session]) == [.live, .replay] }

    /// The name of the first key, for narrow layouts.
    var shortName: String { needsKey ? name : name.split(separator: " ").first.map(String.init) ?? name }

    /// The name on the command line.
    var commandName: String { Localizer.english(label).replacing(" ", with: "-") }

    /// Returns the label in a state.
    package func label(in state: State) -> String {
        state.settings.localizer.about(state.shownKind)(labelNow?(state) ?? label)
    }

    /// Returns the description in a language.
    package func help(_ localizer: Localizer) -> String {
        if let help { return localizer(help) }
        return localizer(
            .helpViews(views: ViewKind.allCases.map { localizer($0.title) }.joined(separator: localizer(.listComma)))
        )
    }
}
