import Canvas
import Runtime
package import TripFeed
import TripModel
import TripText

/// The text input at the bottom of the screen.
package struct Prompt: Sendable, Equatable {
    /// The purpose of the input.
    package enum Kind: Sendable, Equatable {
        /// Filters the trips and the log.
        case filter
        /// Searches the answer.
        case search
        /// Enters a command.
        case command
        /// Enters a note to the answer of a manual step, by the number of its expectation.
        case note(Int, ExpectationResult.Answer)
        /// Enters a note about what was on the screen when the input was opened.
        case remark(SessionRemark)

        /// Whether the text filters or searches the current view.
        var seeks: Bool { self == .filter || self == .search }
    }

    /// The purpose.
    package var kind: Kind
    /// The current text.
    package var line: LineEditor
    /// The position in the command history; 0 is the current input.
    package var recalled = 0
    /// The typed text and its selected completion; `nil` if none is selected.
    package var choice: Choice?

    /// A selected completion.
    package struct Choice: Sendable, Equatable {
        package var typed: String
        package var index: Int
    }

    /// Completes the common prefix of all completions; after that, cycles through them.
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
    /// The filter or the search text of the current view.
    var needle: String { panels[view].needle ?? "" }

    /// Filters or searches the current view.
    mutating func seek(_ text: String) { _ = updateView { $0.seek(text, in: $1) } }

    /// Processes a key while the input is open.
    mutating func type(_ key: Key) -> [Effect] {
        guard var prompt else { return [] }
        let isCommand = prompt.kind == .command
        if key != .tab { prompt.choice = nil }
        switch key {
        case .escape, .control("c"):
            closePrompt()
            if prompt.kind.seeks { seek("") }
            return []
        case .enter:
            if isCommand, let line = Palette.onlyMatch(of: prompt.line.text, in: self) {
                // It is shown before it is performed.
                prompt.line.set(line)
                break
            }
            closePrompt()
            switch prompt.kind {
            case .remark(let draft): return store(prompt.line.text, in: draft)
            case .note(let index, let answer):
                return [.answer(index, answer, note: prompt.line.text.trimmingBlanks.sanitized(limit: 500))]
            case .command:
                if case .help = overlay { show(overlay: nil) }
                return run(prompt.line.text)
            case .filter, .search: return []
            }
        case .backspace where prompt.line.characters.isEmpty:
            closePrompt()
            return []
        case .tab where isCommand:
            prompt.complete(in: self)
        case .up where isCommand: recall(&prompt, older: true)
        case .down where isCommand: recall(&prompt, older: false)
        default:
            guard prompt.line.handle(key) else { return [] }
            if prompt.kind.seeks { seek(prompt.line.text) }
        }
        update(prompt)
        return []
    }

    private func recall(_ prompt: inout Prompt, older: Bool) {
        let place = prompt.recalled + (older ? 1 : -1)
        guard place >= 0, place <= input.history.count else { return }
        prompt.recalled = place
        prompt.line.set(place == 0 ? "" : input.history[input.history.count - place])
    }

    /// Processes pasted text: inserts it into the open input, or offers it as a trip to add.
    mutating func paste(_ text: String) {
        if var prompt {
            prompt.line.insert(text)
            update(prompt)
            if prompt.kind.seeks { seek(prompt.line.text) }
            return
        }
        let text = text.prefix(1000).trimmingBlanks
        let id = try? journey(JourneyName(text, as: shownKind))
        guard let index = trips.firstIndex(where: { $0.id == id }) else {
            guard id != nil else {
                // The exact reason does not matter, because the text was probably pasted by mistake.
                message = settings.localizer(.pastedNoTrip)
                return
            }
            // Use the full name, so that a trip of another project is recognized.
            open(.command, "watch \(text)")
            return
        }
        select(index)
        show(.trip)
    }
}
