import Runtime
import Terminal
import TripText

/// A script that controls the screen: keys, waits and dumps, one step per line.
///
/// | line | effect |
/// |---|---|
/// | `wait TEXT` | waits until the screen shows the text; fails with exit code 1 after 60 s of real time |
/// | `pause SECONDS` | waits for this many seconds of real time |
/// | `key NAME…` | presses keys: `q`, `Tab`, `S-Tab`, `Enter`, `Esc`, `Space`, `Up`, `PgDn`, `C-c`, … |
/// | `type TEXT` | presses the key of each character |
/// | `paste TEXT` | pastes the text |
/// | `size WxH` | changes the size, if there is no terminal |
/// | `dump FILE` | saves the screen as text |
/// | `svg FILE` | saves the screen as a picture in the colors of its theme |
/// | `film FILE` | saves the screens since the start as an animated picture |
/// | `# …` | a comment |
struct ScreenScript: Sendable, Equatable {
    /// One line.
    enum Step: Sendable, Equatable {
        case wait(String)
        case pause(Double)
        case send(TerminalEvent)
        case dump(String)
        case draw(String)
        case film(String)
    }

    /// The reason why a script is invalid.
    struct Problem: Error, Equatable {
        /// The line number, starting at 1.
        var line: Int
        /// What is wrong.
        var reason: Text
    }

    /// The accepted first words of a line.
    private static let verbs = "wait, pause, key, type, paste, size, dump, svg, film"

    var steps: [Step] = []

    init(_ text: String) throws(Problem) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard let verb = words.first, !verb.hasPrefix("#") else { continue }
            let rest = words.count > 1 ? words[1] : ""
            func fail(_ reason: Text) -> Problem {
                Problem(line: index + 1, reason: reason)
            }
            guard !rest.isEmpty else { throw fail(.scriptNeedsWord(verb: excerpt(verb))) }
            switch verb {
            case "wait": steps.append(.wait(rest))
            case "dump": steps.append(.dump(rest))
            case "svg": steps.append(.draw(rest))
            case "film": steps.append(.film(rest))
            case "paste": steps.append(.send(.paste(rest)))
            case "type": steps += rest.map { .send(.key(Key(.character($0)))) }
            case "pause":
                guard let seconds = Double(decimal: rest), seconds >= 0, seconds <= 3600 else {
                    throw fail(.scriptPause)
                }
                steps.append(.pause(seconds))
            case "size":
                let numbers = rest.split(separator: "x").compactMap { Int($0) }
                guard numbers.count == 2, numbers.allSatisfy({ (0...1000).contains($0) }) else {
                    throw fail(.scriptSize)
                }
                steps.append(.send(.resized(width: numbers[0], height: numbers[1])))
            case "key":
                for name in rest.split(separator: " ") {
                    guard let key = Self.key(String(name)) else {
                        throw fail(.scriptNoKey(key: excerpt(String(name))))
                    }
                    steps.append(.send(.key(key)))
                }
            default: throw fail(.scriptNoStep(verb: excerpt(verb), verbs: Self.verbs))
            }
        }
    }

    /// Returns a key by name; only character keys are case-sensitive.
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
