import Canvas
import Terminal

/// Executes a script: computes the next action for the current screen.
struct ScriptPlayer: Sendable {
    /// The next action.
    enum Action: Sendable, Equatable {
        /// Process this as an event of the terminal.
        case send(TerminalEvent)
        /// Save the screen as text to this file.
        case dump(String)
        /// Save the screen as a picture to this file.
        case draw(String)
        /// Save the screens since the start as an animated picture to this file.
        case film(String)
        /// Call again after this many seconds of real time; returned once per step.
        case sleep(Double)
        /// Call again after the screen has changed.
        case wait
        /// The script has ended.
        case end
    }

    /// The timeout of `wait`, in seconds of real time.
    static let waitTimeout = 60.0

    let script: ScreenScript
    /// The index of the next step.
    private(set) var place = 0
    private(set) var isWaiting = false

    /// Whether a step saves the screens since the start.
    var recordsAnimation: Bool { script.steps.contains { if case .film = $0 { true } else { false } } }

    /// Returns the next action and advances, unless the step must wait.
    mutating func next(on canvas: Canvas) -> Action {
        guard script.steps.indices.contains(place) else { return .end }
        switch script.steps[place] {
        case .send(let event):
            advance()
            return .send(event)
        case .dump(let path):
            advance()
            return .dump(path)
        case .draw(let path):
            advance()
            return .draw(path)
        case .film(let path):
            advance()
            return .film(path)
        case .pause(let seconds): return begin(seconds)
        case .wait(let text):
            guard !canvas.text.contains(text) else {
                advance()
                return next(on: canvas)
            }
            return begin(Self.waitTimeout)
        }
    }

    private mutating func begin(_ seconds: Double) -> Action {
        defer { isWaiting = true }
        return isWaiting ? .wait : .sleep(seconds)
    }

    private mutating func advance() {
        place += 1
        isWaiting = false
    }

    /// Records that a step timed out; returns the text that `wait` did not find, if any.
    mutating func timeIsUp(of step: Int) -> String? {
        guard step == place, script.steps.indices.contains(place) else { return nil }
        if case .wait(let text) = script.steps[place] { return text }
        advance()
        return nil
    }
}
