import Canvas
import Terminal

/// What is played on the screen in a person's place: keys, waits and pictures, one to a line.
///
/// | line | does |
/// |---|---|
/// | `wait TEXT` | goes on once the screen shows the text; ends with 1 where that takes more than a real minute |
/// | `pause SECONDS` | goes on after so many real seconds |
/// | `key NAME…` | presses keys: `q`, `Tab`, `S-Tab`, `Enter`, `Esc`, `Space`, `Up`, `PgDn`, `C-c`, … |
/// | `type TEXT` | presses the key of each character |
/// | `paste TEXT` | pastes it |
/// | `size WxH` | another size, where there is no terminal |
/// | `dump FILE` | saves the screen as text |
/// | `svg FILE` | saves the screen as a picture, in its theme's colours |
/// | `# …` | is for the reader |
struct ScreenScript: Sendable, Equatable {
    /// One line.
    enum Step: Sendable, Equatable {
        case wait(String)
        case pause(Double)
        case send(TerminalEvent)
        case dump(String)
        case draw(String)
    }

    /// Why a text is no script.
    struct Problem: Error, Equatable {
        /// The line, from 1.
        var line: Int
        /// What is wrong with it.
        var reason: String
    }

    /// The first words of lines.
    private static let verbs = "wait, pause, key, type, paste, size, dump and svg"

    var steps: [Step] = []

    init(_ text: String) throws(Problem) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard let verb = words.first, !verb.hasPrefix("#") else { continue }
            let rest = words.count > 1 ? words[1] : ""
            func fail(_ reason: String) -> Problem { Problem(line: index + 1, reason: reason) }
            guard !rest.isEmpty else { throw fail("\(shown(verb)) needs a word behind it") }
            switch verb {
            case "wait": steps.append(.wait(rest))
            case "dump": steps.append(.dump(rest))
            case "svg": steps.append(.draw(rest))
            case "paste": steps.append(.send(.paste(rest)))
            case "type": steps += rest.map { .send(.key(Key(.character($0)))) }
            case "pause":
                guard let seconds = Double(rest), seconds >= 0, seconds <= 3600 else {
                    throw fail("pause takes a number of seconds, at most 3600")
                }
                steps.append(.pause(seconds))
            case "size":
                let numbers = rest.split(separator: "x").compactMap { Int($0) }
                guard numbers.count == 2, numbers.allSatisfy({ (0...1000).contains($0) }) else {
                    throw fail("size takes columns and rows, such as 80x24")
                }
                steps.append(.send(.resized(width: numbers[0], height: numbers[1])))
            case "key":
                for name in rest.split(separator: " ") {
                    guard let key = Self.key(String(name)) else {
                        throw fail("there is no key \(shown(String(name)))")
                    }
                    steps.append(.send(.key(key)))
                }
            default: throw fail("there is no step \(shown(verb)); there are \(Self.verbs)")
            }
        }
    }

    /// A key by its name; upper and lower case tell only the keys of characters apart.
    static func key(_ name: String) -> Key? {
        let named: [String: Key] = [
            "tab": Key(.tab), "s-tab": Key(.tab, [.shift]), "enter": Key(.enter), "esc": Key(.escape),
            "space": Key(.character(" ")), "up": Key(.up), "down": Key(.down), "left": Key(.left),
            "right": Key(.right), "home": Key(.home), "end": Key(.end), "pgup": Key(.pageUp), "pgdn": Key(.pageDown),
            "backspace": Key(.backspace), "delete": Key(.delete),
        ]
        let lowercased = name.lowercased()
        if let key = named[lowercased] { return key }
        if lowercased.hasPrefix("c-"), name.count == 3, let last = name.last {
            return Key(.character(last), [.control])
        }
        guard name.count == 1, let character = name.first else { return nil }
        return Key(.character(character))
    }
}

/// Plays a script: says what comes next for what is on the screen.
struct ScriptPlayer: Sendable {
    /// What is to be done now.
    enum Action: Sendable, Equatable {
        /// Take this for an event of the terminal.
        case send(TerminalEvent)
        /// Save the screen as text in this file.
        case dump(String)
        /// Save the screen as a picture in this file.
        case draw(String)
        /// Ask again after so many real seconds, for the first time in this step.
        case sleep(Double)
        /// Ask again when the screen has changed.
        case wait
        /// All is played.
        case end
    }

    /// How long a text is waited for, in real seconds.
    static let patience = 60.0

    let script: ScreenScript
    /// The step that is next.
    private(set) var place = 0
    private var isWaiting = false

    init(_ script: ScreenScript) {
        self.script = script
    }

    /// What is to be done now; goes on by a step unless that has to wait.
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
        case .pause(let seconds): return begin(seconds)
        case .wait(let text):
            guard !canvas.text.contains(text) else {
                advance()
                return next(on: canvas)
            }
            return begin(Self.patience)
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

    /// Takes in that the time of a step is up; the text that was waited for in vain, where there is one.
    mutating func timeIsUp(of step: Int) -> String? {
        guard step == place, script.steps.indices.contains(place) else { return nil }
        if case .wait(let text) = script.steps[place] { return text }
        advance()
        return nil
    }
}
