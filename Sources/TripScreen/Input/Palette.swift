import TripText

/// The commands of the command line: those with an argument, and those of the key map.
enum Palette {
    /// Returns the commands that are available in a state, sorted by name.
    static func commands(in state: State) -> [CommandRow] {
        var commands = CommandRow.all.filter { $0.isOffered(state) }
        var names = Set(commands.map(\.name))
        let closed = state.withoutOverlay
        for binding in state.settings.keys where !binding.needsKey && binding.command != .palette {
            guard binding.isValid(in: closed), names.insert(binding.commandName).inserted else { continue }
            commands.append(CommandRow(binding))
        }
        return commands.sorted { $0.name < $1.name }
    }

    /// Returns the completions of a text as whole lines with descriptions.
    static func completions(of text: String, in state: State) -> [(line: String, help: String)] {
        let localizer = state.settings.localizer.about(state.shownKind)
        let commands = commands(in: state)
        func lines(_ commands: [CommandRow]) -> [(line: String, help: String)] {
            commands.map { ($0.argument == nil ? $0.name : $0.name + " ", $0.help(localizer)) }
        }
        let blank = text.firstIndex(of: " ") ?? text.endIndex
        let named = commands.filter { $0.name.hasPrefix(text.lowercased()) }
        guard blank < text.endIndex, let command = commands.first(where: { $0.name == text[..<blank].lowercased() })
        else { return lines(named.isEmpty ? described(by: text, commands, in: state) : named) }
        let word = text[text.index(after: blank)...]
        return command.values(state).filter { $0.lowercased().hasPrefix(word.lowercased()) }
            .enumerated().map { ("\(command.name) \($1)", $0 == 0 ? command.help(localizer) : "") }
    }

    /// Returns the commands whose description, name or key contains all words of a text.
    private static func described(by text: String, _ commands: [CommandRow], in state: State) -> [CommandRow] {
        let words = text.lowercased().split(separator: " ")
        guard text.count > 1, !words.isEmpty else { return [] }
        let localizer = state.settings.localizer.about(state.shownKind)
        return commands.filter { command in
            let key = state.settings.keys.first { $0.command == command.binding }?.name ?? ""
            let description = "\(command.name) \(command.help(localizer)) \(key)".lowercased()
            return words.allSatisfy { description.contains($0) }
        }
    }

    /// Returns the only command that a text describes without naming it; `nil` if there is none or several.
    static func onlyMatch(of text: String, in state: State) -> String? {
        let name = String(text.lowercased().prefix { $0 != " " })
        let isNamed = commands(in: state).contains { command in
            command.name == name || command.isAlias(name)
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

extension State {
    /// The state without an overlay, in which a command is performed.
    fileprivate var withoutOverlay: State {
        var state = self
        state.show(overlay: nil)
        return state
    }
}
