import Canvas
import Recording
import TripFeed
import TripModel
import TripText

/// The commands of the command line: those of the key map, and those with an argument.
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
        let say = state.settings.localizer
        var commands = [
            Command(
                name: "view",
                argument: "NAME",
                help: say(.paletteView),
                values: state.views.map { $0.name.lowercased() }
            ),
            Command(
                name: "trip",
                argument: "ID",
                help: say(.paletteTrip),
                values: state.trips.prefix(200).map(\.id.rawValue)
            ),
            Command(name: "picture", argument: "FILE", help: say(.palettePicture)),
            Command(name: "theme", argument: "NAME", help: say(.paletteTheme), values: state.settings.themes),
            Command(
                name: "glyphs",
                argument: "NAME",
                help: say(.paletteGlyphs),
                values: GlyphNames.all
            ),
            Command(
                name: "basemap",
                argument: "FILE|off",
                help: say(.paletteBasemap),
                values: state.settings.basemap == nil ? [] : ["off"]
            ),
            Command(name: "mouse", argument: "on|off", help: say(.paletteMouse), values: ["on", "off"]),
        ]
        commands += state.timeLine == nil ? pollCommands(in: state) : replayCommands(in: state)
        if let ride = state.settings.ride, !ride.scenarios.isEmpty, state.timeLine == nil {
            commands.append(
                Command(name: "scenario", argument: "NAME", help: say(.paletteScenario), values: ride.scenarios)
            )
            commands.append(Command(name: "restart", help: say(.paletteRestart)))
        }
        if !state.settings.faults.isEmpty, state.timeLine == nil {
            let names = state.settings.faults.map(\.id)
            commands.append(Command(name: "fault", argument: "NAME", help: say(.paletteFault), values: names))
        }
        if !state.settings.exportFormats.isEmpty {
            commands.append(
                Command(
                    name: "export",
                    argument: "FORMAT [FILE]",
                    help: say(.paletteExport),
                    values: state.settings.exportFormats
                )
            )
        }
        if [.trips, .log, .inspector].contains(state.view) {
            commands.append(Command(name: "find", argument: "TEXT", help: say(.paletteFind)))
        }
        var names = Set(commands.map(\.name))
        for binding in state.settings.keys where !binding.command.needsKey && binding.command != .palette {
            let name = binding.commandName
            guard binding.isValid(in: state.withoutOverlay), names.insert(name).inserted else { continue }
            commands.append(Command(name: name, help: binding.help(say), binding: binding.command))
        }
        return commands.sorted { $0.name < $1.name }
    }

    /// The commands of a session that polls.
    private static func pollCommands(in state: State) -> [Command] {
        let say = state.settings.localizer
        return [
            Command(name: "watch", argument: "ID", help: say(.paletteWatch), values: state.watchable),
            Command(
                name: "leave",
                argument: "ID",
                help: say(.paletteLeave),
                values: state.trips.filter { $0.end == nil }.prefix(200).map(\.id.rawValue)
            ),
            Command(name: "interval", argument: "SECONDS", help: say(.paletteInterval)),
        ]
    }

    /// Returns the completions of a text as whole lines with descriptions.
    static func completions(of text: String, in state: State) -> [(line: String, help: String)] {
        let commands = commands(in: state)
        guard let blank = text.firstIndex(of: " ") else {
            return commands.filter { $0.name.hasPrefix(text.lowercased()) }
                .map { ($0.argument == nil ? $0.name : $0.name + " ", $0.help) }
        }
        let word = text[text.index(after: blank)...]
        guard let command = commands.first(where: { $0.name == text[..<blank].lowercased() }) else { return [] }
        return command.values.filter { $0.lowercased().hasPrefix(word.lowercased()) }
            .enumerated().map { ("\(command.name) \($1)", $0 == 0 ? command.help : "") }
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
    /// Whether the key carries the meaning of the command, such as a direction.
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
        state.overlay = nil
        state.prompt = nil
        return state
    }

    /// Performs a line of the command line; sets ``message`` on errors.
    mutating func run(_ line: String) -> [Effect] {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard let typed = words.first else { return [] }
        let name = typed.lowercased()
        let argument = words.count > 1 ? words[1].trimmingBlanks : ""
        history.removeAll { $0 == line }
        history.append(line)
        if history.count > 100 { history.removeFirst() }
        let commands = Palette.commands(in: self)
        // The command of a key also accepts its name in the configuration.
        guard
            let command = commands.first(where: { $0.name == name })
                ?? commands.first(where: { $0.binding?.rawValue.lowercased() == name })
        else {
            return complain(settings.localizer(.noCommand, typed))
        }
        if let binding = command.binding { return perform(binding, by: .enter) }
        if name == "leave" { return askToRemove(argument) }
        if name == "restart" { return [.play(nil)] }
        guard !argument.isEmpty else {
            return complain(settings.localizer(.needsArgument, name, command.argument ?? "…"))
        }
        switch name {
        case "view":
            guard let kind = views.first(where: { $0.name.lowercased() == argument.lowercased() }) else {
                return complain(settings.localizer(.noView, argument))
            }
            show(kind)
        case "trip":
            guard let index = trips.firstIndex(where: { $0.id.rawValue == argument }) else {
                return complain(settings.localizer(.noSuchTripFollowed, argument))
            }
            select(index)
            show(.trip)
        case "picture": return [.save(argument)]
        case "watch": return watch(argument)
        case "interval":
            guard let seconds = Double(argument), seconds > 0, seconds <= 86_400 else {
                return complain(settings.localizer(.intervalTakes))
            }
            return trips.filter { $0.end == nil }.map { .feed(.setInterval(.seconds(seconds)), $0.id) }
        case "theme":
            guard settings.themes.contains(argument) else { return complain(settings.localizer(.noTheme, argument)) }
            theme = argument
            return [.theme(argument)]
        case "glyphs":
            guard let level = GlyphNames.level(argument) else {
                return complain(settings.localizer(.noGlyphs, argument))
            }
            settings.glyphs = .init(level)
            settings.localizer.isASCII = level == .ascii
            reporter.say = settings.localizer
        case "basemap":
            guard argument != "off" else {
                settings.basemap = nil
                settings.findsBasemap = false
                return []
            }
            message = settings.localizer(.readingBasemap)
            return [.readBasemap(argument)]
        case "mouse":
            guard argument == "on" || argument == "off" else { return complain(settings.localizer(.mouseTakes)) }
            return takeMouse(argument == "on")
        case "find": seek(argument)
        case "seek":
            guard let command = ReplayAction.seek(argument) else { return complain(settings.localizer(.seekTakes)) }
            return [.replay(command)]
        case "speed":
            guard let speed = Double(argument), ReplayClock.speeds.contains(speed) else {
                return complain(settings.localizer(.speedTakes))
            }
            return [.replay(.setSpeed(speed))]
        case "export": return export(argument)
        case "fault":
            guard settings.faults.contains(where: { $0.id == argument }) else {
                return complain(settings.localizer(.noFault, argument))
            }
            return [.fault(.toggle(argument))]
        case "scenario":
            guard settings.ride?.scenarios.contains(argument) == true else {
                return complain(settings.localizer(.noScenario, argument))
            }
            return [.play(argument)]
        default: break
        }
        return []
    }

    /// Exports the last minutes: the format and, optionally, the file.
    private mutating func export(_ argument: String) -> [Effect] {
        let words = argument.split(separator: " ", maxSplits: 1).map(String.init)
        guard let format = words.first, settings.exportFormats.contains(format) else {
            let names = settings.exportFormats.joined(separator: settings.localizer(.listComma))
            return complain(settings.localizer(.noExportFormat, words.first ?? "", names))
        }
        return [.export(format, to: words.count > 1 ? words[1].trimmingBlanks : nil)]
    }

    /// Adds a trip and shows it; restarts a trip that has ended.
    private mutating func watch(_ name: String) -> [Effect] {
        let named = TripName(name)
        if let other = named.provider, !settings.provider.isEmpty, other != settings.provider {
            return complain(settings.localizer(.otherProject, other, settings.provider))
        }
        let id: TripID
        do {
            id = try TripID(named.id)
        } catch {
            return complain(UserMessage(error, text: named.id, noun: .nounTrip, say: settings.localizer).what)
        }
        let known = places[id]
        let isFollowed = known.map { trips[$0].end == nil } ?? false
        if let known { trips[known].end = nil } else { append(id) }
        select(known ?? trips.count - 1)
        show(.trip)
        return isFollowed ? [] : [.watch(id)]
    }

    /// Asks for confirmation before a trip is removed; the default is the shown one.
    mutating func askToRemove(_ name: String = "") -> [Effect] {
        let id = name.isEmpty ? trip?.id.rawValue ?? "" : TripName(name).id
        guard let trip = trips.first(where: { $0.id.rawValue == id && $0.end == nil }) else {
            return complain(settings.localizer(.noSuchTripFollowed, id))
        }
        removing = trip.id
        return []
    }

    /// The trips that can be added: those of the project, ended ones, and those from the history, newest first.
    fileprivate var watchable: [String] {
        let known = Set(trips.map(\.id))
        let ended = trips.filter { $0.end != nil }.prefix(200).map(\.id)
        let found = foundTrips.filter { !known.contains($0) }
        let offered = known.union(found)
        let past = settings.pastTrips.reversed().filter { !offered.contains($0) }
        return (found + ended + past).map(\.rawValue)
    }

    /// Enables or disables mouse reports.
    mutating func takeMouse(_ isOn: Bool) -> [Effect] {
        hasMouse = isOn
        message = settings.localizer(isOn ? .mouseOurs : .mouseTerminals)
        return [.mouse(isOn)]
    }

    private mutating func complain(_ text: String) -> [Effect] {
        message = text.sanitized(limit: 200)
        return []
    }
}

extension StringProtocol {
    /// The text without leading and trailing blanks.
    var trimmingBlanks: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
