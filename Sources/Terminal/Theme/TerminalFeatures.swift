/// What a screen uses of its terminal besides the cells; the user may switch off each of them.
package struct TerminalFeatures: OptionSet, Sendable, Hashable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The background is asked for (OSC 11), and its changes are reported (mode 2031).
    package static let background = TerminalFeatures(rawValue: 1)
    /// The title of the window (OSC 2).
    package static let title = TerminalFeatures(rawValue: 2)
    /// The progress in the tab or the task bar (OSC 9;4).
    package static let progress = TerminalFeatures(rawValue: 4)
    /// Texts that open something when they are clicked (OSC 8).
    package static let links = TerminalFeatures(rawValue: 8)

    /// The progress also in terminals that are not known to read it.
    package static let unknownProgress = TerminalFeatures(rawValue: 16)

    package static let all: TerminalFeatures = [.background, .title, .progress, .links]

    /// Returns whether a terminal is known to read a progress.
    ///
    /// Others may take the sequence for a notification (OSC 9) and show its numbers. A multiplexer does not pass it on, but
    /// the programs in it inherit the variables of the terminal around it.
    static func readsProgress(_ environment: [String: String]) -> Bool {
        let terminal = environment["TERM"] ?? ""
        guard environment["TMUX"] == nil, environment["STY"] == nil, !terminal.hasPrefix("tmux"),
            !terminal.hasPrefix("screen")
        else { return false }
        if environment["WT_SESSION"] != nil || environment["ConEmuANSI"] == "ON" || terminal == "xterm-ghostty" {
            return true
        }
        if let version = environment["VTE_VERSION"].flatMap({ Int($0) }), version >= 8000 { return true }
        let version = environment["TERM_PROGRAM_VERSION"] ?? ""
        return switch environment["TERM_PROGRAM"] {
        case "ghostty", "mintty", "vscode": true
        case "iTerm.app": numbers(version).lexicographicallyPrecedes([3, 6, 6]) == false
        // The version is the date of the build.
        case "WezTerm": version.prefix(8).allSatisfy(\.isNumber) && version.prefix(8) >= "20250210"
        default: false
        }
    }

    private static func numbers(_ version: String) -> [Int] {
        version.split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
    }
}
