import TripModel
import TripText

/// One command of the command line.
///
/// The commands of a panel are in its folder; those of all views are in ``shared``.
struct CommandRow: Sendable {
    /// The name to type.
    let name: String
    /// The name of its argument, such as `ID`; `nil` without an argument.
    let argument: String?
    /// Returns a description in one sentence.
    let help: @Sendable (Localizer) -> String
    /// Performs it with an argument, which may be empty.
    let perform: @Sendable (inout State, String) -> [Effect]
    /// Its command in the key map; `nil` if it has none.
    private(set) var binding: KeyBinding.Command?
    /// Whether it cannot be performed without its argument.
    private(set) var needsArgument: Bool
    /// Whether it exists.
    private(set) var isOffered: KeyBinding.Condition = { _ in true }
    /// Returns the possible arguments.
    private(set) var values: @Sendable (State) -> [String] = { _ in [] }

    init(
        _ name: String,
        _ argument: String?,
        _ help: Text,
        perform: @escaping @Sendable (inout State, String) -> [Effect]
    ) {
        (self.name, self.argument, needsArgument, self.perform) = (name, argument, argument != nil, perform)
        self.help = { $0(help) }
    }

    /// Creates the command of a key.
    init(_ row: KeyBinding) {
        (name, argument, needsArgument, binding) = (row.commandName, nil, false, row.command)
        help = { row.help($0) }
        perform = { state, _ in row.perform(&state, .enter) }
    }

    /// Only where it exists.
    func offered(if isOffered: @escaping KeyBinding.Condition) -> CommandRow {
        var row = self
        row.isOffered = isOffered
        return row
    }

    /// With possible arguments.
    func values(_ values: @escaping @Sendable (State) -> [String]) -> CommandRow {
        var row = self
        row.values = values
        return row
    }

    /// Also without its argument.
    func withoutArgument() -> CommandRow {
        var row = self
        row.needsArgument = false
        return row
    }

    /// Returns whether a name is the one of its key in the configuration.
    func isAlias(_ name: String) -> Bool { binding?.rawValue.lowercased() == name }
}

extension CommandRow {
    /// The commands that are no keys.
    static let all = shared + Panels.commands + RideControl.commands + ofReplays

    private static let shared = [
        CommandRow("view", "NAME", .paletteView) { $0.showView(named: $1) }
            .values { $0.views.map { $0.name.lowercased() } },
        CommandRow("trip", "ID", .paletteTrip) { $0.showTrip(named: $1) }
            .values { $0.trips.prefix(200).map(\.id.name) },
        CommandRow("picture", "FILE", .palettePicture) { _, file in [.save(file)] },
        CommandRow("theme", "NAME", .paletteTheme) { $0.setTheme($1) }.values { $0.settings.themes },
        CommandRow("glyphs", "NAME", .paletteGlyphs) { $0.setGlyphs($1) }.values { _ in GlyphNames.all },
        CommandRow("mouse", "on|off", .paletteMouse) { $0.setMouse($1) }.values { _ in ["on", "off"] },
        CommandRow("lock", nil, .paletteLock) { state, _ in state.lock() },
        CommandRow("interval", "SECONDS", .paletteInterval) { $0.setInterval($1) }.offered { $0.timeLine == nil },
        CommandRow("export", "FORMAT [FILE]", .paletteExport) { $0.export($1) }
            .offered { !$0.settings.exportFormats.isEmpty }.values { $0.settings.exportFormats },
        CommandRow("share", "FILE", .paletteShare) { _, file in [.share(file.isEmpty ? nil : file)] }.withoutArgument(),
        CommandRow("find", "TEXT", .paletteFind) { state, text in
            state.seek(text)
            return []
        }
        .offered { $0.panels[$0.view].needle != nil },
    ]
}
