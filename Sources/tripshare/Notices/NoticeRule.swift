import Failures
import Runtime
import TripText

/// What is done on which events: a command is run, or an event is posted to an address.
struct NoticeRule: Sendable, Equatable {
    /// What is done.
    enum Action: Sendable, Equatable {
        /// Run these words as a command, without a shell.
        case command([String])
        /// Post to this URL.
        case webhook(String)
    }

    /// Why a text is not a rule, in the language of the process.
    struct Problem: Error, CustomStringConvertible {
        let description: String

        init(_ text: Text) { description = Localizer.ofProcess(text) }

        init(_ failure: CommandFailure) { description = failure.message(.ofProcess) }

        init(_ problem: NoticeTrigger.Problem) {
            switch problem {
            case .unknown(let name):
                self.init(.noticeUnknown(name: excerpt(value: name), names: NoticeRule.names))
            case .needsMinutes(let kind): self.init(.noticeNeedsMinutes(event: kind.rawValue))
            case .takesNone(let kind): self.init(.noticeTakesNone(event: kind.rawValue))
            }
        }
    }

    /// The events.
    let triggers: [NoticeTrigger]
    /// What is done.
    let action: Action
}

extension NoticeRule {
    /// Parses `EVENT=COMMAND`.
    init(parsing text: String) throws(Problem) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw Problem(.noticeForm(names: Self.names)) }
        triggers = try Self.triggers(parts[0])
        do throws(CommandFailure) {
            action = .command(try TokenOrigin.words(parts[1], of: "--on"))
        } catch {
            throw Problem(error)
        }
    }

    /// Parses events that are separated by commas.
    static func triggers(_ text: String) throws(Problem) -> [NoticeTrigger] {
        var triggers: [NoticeTrigger] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            do throws(NoticeTrigger.Problem) {
                triggers.append(try NoticeTrigger(parsing: String(name)))
            } catch {
                throw Problem(error)
            }
        }
        return triggers
    }

    /// Returns a URL to which events may be posted: with https, or with http on this machine.
    static func webhook(_ url: String) throws(Problem) -> String {
        guard let origin = URLOrigin(url), origin.isSecure || origin.isLoopback else {
            throw Problem(.noticeURL(url: excerpt(url.asShownURL)))
        }
        return url
    }

    /// The events of `--webhook` without `--webhook-events`: all that need no number.
    ///
    /// A kind that needs a number has no trigger without one.
    static let standard = Notice.Kind.allCases.compactMap { try? NoticeTrigger(parsing: $0.rawValue) }

    /// The names of all events.
    static let names = Notice.Kind.allCases.map { $0.takesMinutes ? "\($0.rawValue):MINUTES" : $0.rawValue }
        .joined(separator: ", ")

    /// The command without its arguments, or the host: what a message may show.
    var shownAction: String {
        switch action {
        case .command(let words): excerpt(path: words.first ?? "")
        case .webhook(let url): URLOrigin(url)?.host ?? excerpt(url.asShownURL)
        }
    }
}

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
