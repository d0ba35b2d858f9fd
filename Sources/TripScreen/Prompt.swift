import TripModel
import TripText

/// What is typed along the bottom of the screen.
package struct Prompt: Sendable, Equatable {
    /// What it is typed for.
    package enum Kind: Sendable, Equatable {
        /// To show only what holds it, in the trips and the log.
        case filter
        /// To find it in the answer.
        case search
        /// To be carried out.
        case command
    }

    /// What it is typed for.
    package var kind: Kind
    /// What was typed so far.
    package var line: LineEditor
    /// How many lines back in the history one is; 0 for the line that is being typed.
    package var recalled = 0
    /// What was typed, and which of its completions stands in the line instead; `nil` for none.
    package var choice: Choice?

    /// One of several completions.
    package struct Choice: Sendable, Equatable {
        package var typed: String
        package var index: Int
    }

    /// Completes as far as all completions agree, and from there on shows one after the other.
    mutating func complete(in state: State) {
        let typed = choice?.typed ?? line.text
        let lines = Palette.completions(of: typed, in: state).map(\.line)
        let common = Palette.commonPrefix(lines)
        if choice == nil, common.count > typed.count {
            line.set(common)
        } else if !lines.isEmpty {
            let index = choice.map { ($0.index + 1) % lines.count } ?? 0
            choice = Choice(typed: typed, index: index)
            line.set(lines[index])
        }
    }
}

extension State {
    /// What the shown view is filtered by, or searched for.
    var needle: String {
        switch view {
        case .trips: list.filter
        case .log: log.filter
        case .inspector: inspector.search
        case .trip, .token, .network, .findings: ""
        }
    }

    /// Filters the shown view, or searches in it.
    mutating func seek(_ text: String) {
        switch view {
        case .trips:
            list.filter = text
            keepSelectionVisible()
        case .log:
            log.filter = text
            log.scroll = 0
        case .inspector: inspector.search(for: text)
        case .trip, .token, .network, .findings: break
        }
    }

    /// Does what a key does while something is typed.
    mutating func type(_ key: Key) -> [Effect] {
        guard var prompt else { return [] }
        let isCommand = prompt.kind == .command
        if key != .tab { prompt.choice = nil }
        switch key {
        case .escape, .control("c"):
            self.prompt = nil
            if !isCommand { seek("") }
            return []
        case .enter:
            self.prompt = nil
            return isCommand ? run(prompt.line.text) : []
        case .backspace where prompt.line.characters.isEmpty:
            self.prompt = nil
            return []
        case .tab where isCommand:
            prompt.complete(in: self)
        case .up where isCommand: recall(&prompt, older: true)
        case .down where isCommand: recall(&prompt, older: false)
        default:
            guard prompt.line.take(key) else { return [] }
            if !isCommand { seek(prompt.line.text) }
        }
        self.prompt = prompt
        return []
    }

    private func recall(_ prompt: inout Prompt, older: Bool) {
        let place = prompt.recalled + (older ? 1 : -1)
        guard place >= 0, place <= history.count else { return }
        prompt.recalled = place
        prompt.line.set(place == 0 ? "" : history[history.count - place])
    }

    /// Takes in text that was pasted: into the line that is being typed, or as a trip to show.
    mutating func paste(_ text: String) {
        if prompt != nil {
            prompt?.line.insert(text)
            if let prompt, prompt.kind != .command { seek(prompt.line.text) }
            return
        }
        let text = text.prefix(1000).trimmingBlanks
        let name = TripName(text)
        guard let index = trips.firstIndex(where: { $0.id.rawValue == name.id }) else {
            guard (try? TripID(name.id)) != nil else {
                // Why it is no ID does not matter for something that was pasted by mistake.
                message = settings.wording(.pastedNoTrip)
                return
            }
            // The whole name, so that a trip of another project is known as such.
            prompt = Prompt(kind: .command, line: LineEditor("watch \(text)"))
            return
        }
        select(index)
        show(.trip)
    }
}
