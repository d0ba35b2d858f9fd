import TripText

/// A button of the presenter's console: one row of the table ``all``.
struct ConsoleButton: Sendable, Equatable {
    /// What a button does.
    enum Action: Sendable, Equatable {
        case nextChapter, restart, scenarios, pause, slower, faster, firstSpeed, clearFaults, leave
    }

    let action: Action
    /// The keys that press it; the first one is shown.
    let keys: [Key]
    let label: Text

    /// The buttons in the order in which they are drawn.
    static let all: [ConsoleButton] = [
        ConsoleButton(action: .nextChapter, keys: [.character("n")], label: .consoleNextChapter),
        ConsoleButton(action: .restart, keys: [.character("r")], label: .consoleRestart),
        ConsoleButton(action: .scenarios, keys: [.character("s")], label: .consoleScenario),
        ConsoleButton(action: .pause, keys: [.character("p"), .character(" ")], label: .consolePause),
        ConsoleButton(action: .slower, keys: [.character("-"), .character("{")], label: .consoleSlower),
        ConsoleButton(action: .faster, keys: [.character("+"), .character("}")], label: .consoleFaster),
        ConsoleButton(action: .firstSpeed, keys: [.character("="), .character("0")], label: .consoleFirstSpeed),
        ConsoleButton(action: .clearFaults, keys: [.character("x")], label: .consoleClearFaults),
        ConsoleButton(action: .leave, keys: [.character("q"), .control("c")], label: .consoleLeave),
    ]

    /// The letters that switch the faults, in their order; the letters of the buttons are not among them.
    static let faultLetters: [Character] = Array("abcdefghijklmotuvwyz")
}
