/// What is typed along the bottom of the screen.
package struct Prompt: Sendable, Equatable {
    /// What it is typed for.
    package enum Kind: Sendable, Equatable {
        /// To show only what holds it, in the trips and the log.
        case filter
        /// To find it in the answer.
        case search
    }

    /// What it is typed for.
    package var kind: Kind
    /// What was typed so far.
    package var line: LineEditor
}

extension State {
    /// What the shown view is filtered by, or searched for.
    var needle: String {
        switch view {
        case .trips: list.filter
        case .log: log.filter
        case .inspector: inspector.search
        case .trip, .token, .network: ""
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
        case .trip, .token, .network: break
        }
    }

    /// Does what a key does while something is typed.
    mutating func type(_ key: Key) -> [Effect] {
        guard var prompt else { return [] }
        switch key {
        case .escape, .control("c"):
            self.prompt = nil
            seek("")
        case .enter:
            self.prompt = nil
        case .backspace where prompt.line.characters.isEmpty:
            self.prompt = nil
        default:
            guard prompt.line.take(key) else { return [] }
            self.prompt = prompt
            seek(prompt.line.text)
        }
        return []
    }
}
