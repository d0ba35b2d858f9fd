import Runtime
import TripFeed
import TripModel
import TripText

/// What a pressed key does.
extension State {
    /// Processes a pressed key: a page, a question, the text input and an open panel come before the commands of keys.
    mutating func handle(_ key: Key) -> [Effect] {
        message = nil
        input.hasTyped = true
        let isQuit = KeyMap.binding(for: key, in: self)?.command == .quit
        if let asked {
            withdrawQuestion()
            return key == .character("y") || asked == .quit && isQuit ? perform(asked) : []
        }
        if titlePage != nil, !isQuit {
            show(page: nil)
            return []
        }
        if prompt != nil { return type(key) }
        return updateOverlay(with: key) ?? press(key)
    }

    /// Performs the command of a key.
    mutating func press(_ key: Key) -> [Effect] {
        guard let binding = KeyMap.binding(for: key, in: self) else {
            explainIgnoredKey(key)
            return []
        }
        // A key is easily hit by mistake; a file stays.
        if binding.question != nil {
            ask(.perform(binding.command))
            return []
        }
        return binding.perform(&self, key)
    }

    /// Performs what was confirmed.
    private mutating func perform(_ answered: Focus.Question) -> [Effect] {
        switch answered {
        case .remove(let trip): [.remove(trip)]
        case .perform(let command): perform(command, by: .enter)
        case .quit: [.quit]
        }
    }

    /// Explains why a key has no effect: the trip has ended, the past is shown, or it has no meaning here.
    mutating func explainIgnoredKey(_ key: Key) {
        guard overlay == nil else { return }
        let bound = settings.keys.filter { $0.keys.contains(key) }
        if let trip, let ended = trip.endMessage(host: settings.host, settings.localizer),
            bound.contains(where: { $0.command == .pollNow || $0.command == .refreshToken })
        {
            message = ended.what
        } else if timeLine?.isTravel == true, bound.contains(where: { !$0.isOffered(in: self) }) {
            message = notInThePast
        } else if isShownByName(key) {
            message = settings.localizer(.keyUnused(key: key.name, help: keyName(.help, isShort: true)))
        }
    }

    private func isShownByName(_ key: Key) -> Bool {
        switch key {
        case .character(let character): !character.isWhitespace
        case .function: true
        default: false
        }
    }

    /// The notice that a command is not available while the past is shown, and how to return.
    var notInThePast: String { settings.localizer(.notInPast(key: keyName(.timeTravel, isShort: true))) }

    /// Returns the name of a command's key; without a key what is typed, its name in the configuration or another one.
    func keyName(_ command: KeyBinding.Command, isShort: Bool = false, or name: String? = nil) -> String {
        let row = settings.keys.first { $0.command == command }
        let key = (isShort ? row?.shortName : row?.name) ?? ""
        return key.isEmpty ? ":" + (name ?? command.rawValue) : key
    }

    /// Performs a command as if its key were pressed.
    mutating func perform(_ command: KeyBinding.Command, by key: Key) -> [Effect] {
        KeyMap.rows[command]?.perform(&self, key) ?? []
    }

    /// Copies the ID of the trip, or what the view offers instead.
    mutating func copy() -> [Effect] {
        guard let trip else { return [] }
        let text = panels[view].copied(in: self) ?? trip.id.rawValue
        message = settings.localizer(.copied(text: text.sanitized(limit: 200)))
        return [.copy(text)]
    }

    /// Shows the next theme.
    mutating func showNextTheme() -> [Effect] {
        let names = settings.themes
        guard let index = names.firstIndex(of: display.theme) else { return [] }
        display.theme = names[(index + 1) % names.count]
        message = settings.localizer(.themeNow(theme: display.theme))
        return [.theme(display.theme)]
    }
}

extension Key {
    /// Returns the number of rows that it scrolls down.
    func rows(page: Int) -> Int {
        switch self {
        case .up, .character("k"): -1
        case .down, .character("j"): 1
        case .pageUp: -page
        case .pageDown: page
        case .home, .character("g"): -1_000_000
        case .end, .character("G"): 1_000_000
        default: 0
        }
    }
}
