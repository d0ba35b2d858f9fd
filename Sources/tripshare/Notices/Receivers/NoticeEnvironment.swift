import Runtime

/// The environment of the commands of `--on`.
///
/// Secrets of other programs are often in the environment: keys of clouds, access tokens, passwords. A command gets only what
/// programs need to run and to reach the desktop, and what the user names.
enum NoticeEnvironment {
    /// The variables that every command gets.
    static let names: Set<String> = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "PWD", "TMPDIR", "TZ", "LANG", "LANGUAGE", "TERM", "COLORTERM",
        "NO_COLOR",
        "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "SSH_CONNECTION", "TMUX", "TMUX_PANE",
    ]
    /// The beginnings of the names of further variables: locales, and the folders of the desktop.
    static let prefixes = ["LC_", "XDG_"]

    /// Returns whether a text can be the name of a variable.
    ///
    /// POSIX excludes only the equals sign (Base Definitions, section 8.1). White space and control characters are excluded
    /// here, because they are mistakes of quoting.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { $0 != "=" && !$0.properties.isWhitespace && $0.value >= 0x20 }
    }

    /// Returns the variables that a command gets; one of `more` is passed whatever it contains.
    static func variables(of environment: [String: String], more: [String]) -> [String: String] {
        environment.filter { name, value in
            if more.contains(name) { return true }
            guard names.contains(name) || prefixes.contains(where: name.hasPrefix) else { return false }
            return value.withoutTokens == value
        }
    }
}
