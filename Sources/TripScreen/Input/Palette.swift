import Canvas
import Recording
import TripFeed
import TripModel
import TripText

/// The commands of the command line: the commands of the key map, and the commands with an argument.
enum Palette {
    /// A command.
    struct Command: Sendable {
        /// The name to type.
        var name: String
        /// The name of its argument, such as `ID`; `nil` without an argument.
        var argument: String?
        /// A description in one sentence.
        var help: String
        /// Its command in the key map; `nil` if it has none.
        var binding: KeyBinding.Command?
        /// The possible arguments.
        var values: [String] = []
    }

    /// Returns the commands that are available in a state, sorted by name.
    static func commands(in state: State) -> [Command] {
        let localizer = state.settings.localizer.about(state.shownKind)
        var commands = [
            Command(
                name: "view",
                argument: "NAME",
                help: localizer(.paletteView),
                values: state.views.map { $0.name.lowercased() }
            ),
            Command(
                name: "trip",
                argument: "ID",
                help: localizer(.paletteTrip),
                values: state.trips.prefix(200).map(\.id.name)
            ),
            Command(name: "picture", argument: "FILE", help: localizer(.palettePicture)),
            Command(name: "theme", argument: "NAME", help: localizer(.paletteTheme), values: state.settings.themes),
            Command(
                name: "glyphs",
                argument: "NAME",
                help: localizer(.paletteGlyphs),
                values: GlyphNames.all
            ),
            Command(
                name: "basemap",
                argument: "FILE|off",
                help: localizer(.paletteBasemap),
                values: state.settings.basemap == nil ? [] : ["off"]
            ),
            Command(name: "mouse", argument: "on|off", help: localizer(.paletteMouse), values: ["on", "off"]),
        ]
        commands += state.timeLine == nil ? pollCommands(in: state) : replayCommands(in: state)
        if let ride = state.settings.ride, !ride.scenarios.isEmpty, state.timeLine == nil {
            commands.append(
                Command(name: "scenario", argument: "NAME", help: localizer(.paletteScenario), values: ride.scenarios)
            )
            commands.append(Command(name: "restart", help: localizer(.paletteRestart)))
        }
        if !state.settings.faults.isEmpty, state.timeLine == nil {
            let names = state.settings.faults.map(\.id)
            commands.append(Command(name: "fault", argument: "NAME", help: localizer(.paletteFault), values: names))
        }
        if !state.settings.exportFormats.isEmpty {
            commands.append(
                Command(
                    name: "export",
                    argument: "FORMAT [FILE]",
                    help: localizer(.paletteExport),
                    values: state.settings.exportFormats
                )
            )
        }
        if state.panels[state.view].needle != nil {
            commands.append(Command(name: "find", argument: "TEXT", help: localizer(.paletteFind)))
        }
        var names = Set(commands.map(\.name))
        for binding in state.settings.keys where !binding.command.needsKey && binding.command != .palette {
            let name = binding.commandName
            guard binding.isValid(in: state.withoutOverlay), names.insert(name).inserted else { continue }
            commands.append(Command(name: name, help: binding.help(localizer), binding: binding.command))
        }
        return commands.sorted { $0.name < $1.name }
    }

    /// The commands of a session that polls.
    private static func pollCommands(in state: State) -> [Command] {
        let localizer = state.settings.localizer.about(state.shownKind)
        return [
            Command(name: "watch", argument: "ID", help: localizer(.paletteWatch), values: state.watchable),
            Command(
                name: "leave",
                argument: "ID",
                help: localizer(.paletteLeave),
                values: state.trips.filter { $0.end == nil }.prefix(200).map(\.id.name)
            ),
            Command(name: "interval", argument: "SECONDS", help: localizer(.paletteInterval)),
        ]
    }

    /// Returns the completions of a text as whole lines with descriptions.
    static func completions(of text: String, in state: State) -> [(line: String, help: String)] {
        let commands = commands(in: state)
        func lines(_ commands: [Command]) -> [(line: String, help: String)] {
            commands.map { ($0.argument == nil ? $0.name : $0.name + " ", $0.help) }
        }
        let blank = text.firstIndex(of: " ") ?? text.endIndex
        let named = commands.filter { $0.name.hasPrefix(text.lowercased()) }
        guard blank < text.endIndex, let command = commands.first(where: { $0.name == text[..<blank].lowercased() })
        else { return lines(named.isEmpty ? described(by: text, commands, in: state) : named) }
        let word = text[text.index(after: blank)...]
        return command.values.filter { $0.lowercased().hasPrefix(word.lowercased()) }
            .enumerated().map { ("\(command.name) \($1)", $0 == 0 ? command.help : "") }
    }

    /// Returns the commands whose description, name or key contains all words of a text.
    private static func described(by text: String, _ commands: [Command], in state: State) -> [Command] {
        let words = text.lowercased().split(separator: " ")
        guard text.count > 1, !words.isEmpty else { return [] }
        return commands.filter { command in
            let key = state.settings.keys.first { $0.command == command.binding }?.name ?? ""
            let description = "\(command.name) \(command.help) \(key)".lowercased()
            return words.allSatisfy { description.contains($0) }
        }
    }

    /// Returns the only command that a text describes without naming it; `nil` if there is none or several.
    static func onlyMatch(of text: String, in state: State) -> String? {
        let name = text.lowercased().prefix { $0 != " " }
        let isNamed = commands(in: state).contains { command in
            command.name == name || command.binding.map { $0.rawValue.lowercased() == name } ?? false
        }
        guard !isNamed else { return nil }
        let lines = completions(of: text, in: state).map(\.line)
        return lines.count == 1 ? lines[0] : nil
    }

    /// Returns the longest common prefix of all lines.
    static func commonPrefix(_ lines: [String]) -> String {
        guard var common = lines.first else { return "" }
        for line in lines.dropFirst() {
            while !line.hasPrefix(common) { common.removeLast() }
        }
        return common
    }
}

extension KeyBinding {
    /// The name on the command line.
    var commandName: String { Localizer.english(label).replacing(" ", with: "-") }
}

extension KeyBinding.Command {
    /// Whether the key implies the command, such as a direction.
    var needsKey: Bool {
        switch self {
        case .showView, .pan, .moveInList, .pageInList, .scrollText, .moveInTree, .pageInTree, .fold, .scrollLog,
            .pageLog:
            true
        default: false
        }
    }
}

extension State {
    /// The state without an overlay, in which a command is performed.
    var withoutOverlay: State {
        var state = self
        state.show(overlay: nil)
        return state
    }

    /// The trips that can be added: trips of the project, ended trips, and trips from the history, newest first.
    fileprivate var watchable: [String] {
        let known = Set(trips.map(\.id))
        let ended = trips.filter { $0.end != nil }.prefix(200).map(\.id)
        let found = project.found.filter { !known.contains($0) }
        let offered = known.union(found)
        let past = settings.pastTrips.reversed().filter { !offered.contains($0) }
        return (found + ended + past).map(\.name)
    }
}
