import Canvas
import Terminal
import Testing
import TripTestSupport

@Suite("Capabilities", .ends(within: .quickTest))
struct CapabilitiesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var environment: [String: String]
        var isUTF8 = true
        var colors = 256
        var level = GlyphSet.Level.braille
        var depth = ColorDepth.indexed
        var isSynchronized = true
        var hasMouse = true

        var testDescription: String {
            environment.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " ")
        }
    }

    @Test(arguments: [
        Case(environment: ["TERM": "xterm-256color"]),
        Case(environment: ["TERM": "xterm-256color", "COLORTERM": "truecolor"], colors: 1 << 24, depth: .truecolor),
        Case(environment: ["TERM": "tmux-256color", "COLORTERM": "24bit"], colors: 1 << 24, depth: .truecolor),
        Case(environment: ["TERM": "xterm-direct"], colors: 1 << 24, depth: .truecolor),
        Case(environment: ["TERM": "xterm"], colors: 8, depth: .sixteen),
        Case(environment: ["TERM": "xterm-256color", "NO_COLOR": "1"], depth: .mono),
        Case(environment: ["TERM": "xterm-256color", "NO_COLOR": ""]),
        Case(environment: ["TERM": "xterm-256color"], isUTF8: false, level: .ascii),
        Case(
            environment: ["TERM": "linux"],
            colors: 8,
            level: .blocks,
            depth: .sixteen,
            isSynchronized: false,
            hasMouse: false
        ),
        Case(
            environment: ["TERM": "vt100"],
            colors: 0,
            level: .ascii,
            depth: .mono,
            isSynchronized: false,
            hasMouse: false
        ),
        Case(
            environment: ["TERM": "vt220", "COLORTERM": "truecolor"],
            colors: 0,
            level: .ascii,
            depth: .mono,
            isSynchronized: false,
            hasMouse: false
        ),
    ])
    func `capabilities come from the environment, the locale and the terminal description`(_ example: Case) {
        var found = Capabilities(options: TerminalOptions(environment: example.environment), isUTF8: example.isUTF8)
        found.limit(toColors: example.colors)
        #expect(found.glyphs.level == example.level)
        #expect(found.depth == example.depth)
        #expect(found.isSynchronized == example.isSynchronized)
        #expect(found.hasMouse == example.hasMouse)
    }

    @Test func `options of the user limit the capabilities`() {
        let environment = ["TERM": "xterm-256color", "COLORTERM": "truecolor"]
        let plain = TerminalOptions(color: .never, ascii: true, theme: .contrast, environment: environment)
        let found = Capabilities(options: plain, isUTF8: true)
        #expect(found.depth == .mono)
        #expect(found.glyphs.level == .ascii)
        #expect(found.theme == .contrast)
    }

    @Test func `the theme follows the background colour in COLORFGBG`() {
        func theme(_ value: String?) -> Theme.Name {
            var environment = ["TERM": "xterm"]
            environment["COLORFGBG"] = value
            return Capabilities(options: TerminalOptions(environment: environment), isUTF8: true).theme
        }
        #expect(theme(nil) == .dark)
        #expect(theme("15;0") == .dark)
        #expect(theme("0;15") == .light)
        #expect(theme("0;default;15") == .light)
        #expect(theme("nonsense") == .dark)
    }

    @Test func `the escape delay is longer over SSH`() {
        func delay(_ more: [String: String]) -> Int {
            Capabilities(options: TerminalOptions(environment: more), isUTF8: true).escapeDelay
        }
        #expect(delay([:]) == 25)
        #expect(delay(["SSH_CONNECTION": "a b c d"]) == 100)
        #expect(delay(["ESCDELAY": "50", "SSH_CONNECTION": "a"]) == 50)
        #expect(delay(["ESCDELAY": "-7"]) == 1)
    }

    @Test func `the background is asked for if the user has chosen no theme and the terminal has colours`() {
        func asks(_ theme: Theme.Name?, _ terminal: String, _ more: [String: String] = [:]) -> Bool {
            let options = TerminalOptions(theme: theme, environment: more.merging(["TERM": terminal]) { $1 })
            return Capabilities(options: options, isUTF8: true).features.contains(.background)
        }
        #expect(asks(nil, "xterm-256color") && asks(nil, "tmux-256color"))
        #expect(!asks(.dark, "xterm-256color") && !asks(nil, "xterm-256color", ["NO_COLOR": "1"]))
        #expect(!asks(nil, "vt100") && !asks(nil, "linux"))
    }

    @Test func `only terminals that are known to read a progress get one`() {
        func reads(_ environment: [String: String], _ terminal: String = "xterm-256color") -> Bool {
            let options = TerminalOptions(environment: environment.merging(["TERM": terminal]) { $1 })
            return Capabilities(options: options, isUTF8: true).features.contains(.progress)
        }
        #expect(!reads([:]) && !reads([:], "foot") && reads([:], "xterm-ghostty"))
        #expect(reads(["WT_SESSION": "1"]) && !reads(["WT_SESSION": "1", "TMUX": "/tmp/tmux"], "tmux-256color"))
        #expect(reads(["VTE_VERSION": "8000"]) && !reads(["VTE_VERSION": "7006"]) && !reads(["VTE_VERSION": "x"]))
        func program(_ name: String, _ version: String) -> Bool {
            reads(["TERM_PROGRAM": name, "TERM_PROGRAM_VERSION": version])
        }
        #expect(program("iTerm.app", "3.6.6") && program("iTerm.app", "3.10") && !program("iTerm.app", "3.5.14"))
        #expect(program("WezTerm", "20250302-123") && !program("WezTerm", "20240203-110809-5046fc22"))
        #expect(!program("Apple_Terminal", "455") && !program("", ""))
    }
}
