import ArgumentParser
import Foundation
import Terminal
import TripFeed
import TripModel
import TripText

/// The output format for followed trips.
enum OutputForm: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// Full-screen terminal UI.
    case tui
    /// One sentence per event.
    case plain
    /// One JSON object per event.
    case json
}

/// When to use colors.
enum ColorChoice: String, Sendable, CaseIterable, ExpressibleByArgument {
    case auto, always, never
}

extension Theme.Name: ExpressibleByArgument {}

extension Language: ExpressibleByArgument {
    /// Creates a language from its name or a locale, such as `de` or `zh_TW`.
    package init?(argument: String) {
        self.init(named: argument)
    }

    /// The supported languages.
    package static var allValueStrings: [String] { allCases.map(\.rawValue) }
}

extension Wording.Units: ExpressibleByArgument {}

/// Options for following trips, regardless of their source.
struct FollowOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Output format (default: tui on a terminal, otherwise plain).", valueName: "form"))
    var output: OutputForm?

    @Option(
        help: ArgumentHelp(
            "Seconds between polls of a trip, at least 5 for Google's service and 1 otherwise (default: 5).",
            valueName: "seconds"
        )
    )
    var interval: Double?

    @Option(
        help: ArgumentHelp(
            "The threshold above which a finding is reported, such as offRoute=80; can be repeated.",
            valueName: "name=number"
        ),
        transform: Threshold.init(parsing:)
    )
    var threshold: [Threshold] = []

    @Flag(help: "Poll each trip once, print the result, and exit.")
    var once = false

    @Option(help: ArgumentHelp("Exit with 0 once every trip has reached this status.", valueName: "status"))
    var until: TripStatus?

    @Option(
        help: ArgumentHelp(
            "Timeout in seconds of real time; exits with 69 if a trip never answered or has not reached --until.",
            valueName: "seconds"
        )
    )
    var timeout: Double?

    @Option(help: ArgumentHelp("When to use colors.", valueName: "when"))
    var color: ColorChoice = .auto

    @Flag(help: "Draw with ASCII characters only.")
    var ascii = false

    @Option(help: ArgumentHelp("The language (default: from the locale).", valueName: "language"))
    var lang: Language?

    @Option(help: ArgumentHelp("Units of distances and speeds (default: from the locale).", valueName: "units"))
    var units: Wording.Units?

    @Option(help: ArgumentHelp("The color theme (default: one that suits the terminal).", valueName: "name"))
    var theme: Theme.Name?

    @Flag(help: "Presenter view: large text and the map, without IDs and diagnostics.")
    var presenter = false

    @Option(help: ArgumentHelp("Draw the streets of a GeoJSON file on the map.", valueName: "file"))
    var basemap: String?

    @Option(
        help: ArgumentHelp(
            "Height of a terminal cell divided by its width, 1 to 4, so that maps keep their proportions.",
            valueName: "number"
        )
    )
    var cellAspect = 2.0

    @Option(help: ArgumentHelp("Run keys and screenshots from a script file.", valueName: "file"))
    var script: String?

    @Flag(help: "Enable the mouse: click, wheel, drag (hold Shift to select text).")
    var mouse = false

    @Flag(help: "Ring the terminal's bell at arrivals, drop-off, cancellation and loss of tracking.")
    var bell = false

    func validate() throws {
        if let interval, !(interval > 0 && interval <= 86_400) {
            throw ValidationError("--interval takes a number of seconds above 0, at most a day.")
        }
        if let timeout, !(timeout > 0 && timeout < 1e9) {
            throw ValidationError("--timeout takes a number of seconds above 0.")
        }
        guard (1...4).contains(cellAspect) else {
            throw ValidationError("--cell-aspect takes a number from 1 to 4.")
        }
        if once, output == .tui {
            throw ValidationError("--once has nothing to show on a screen: use --output plain or json.")
        }
        if script != nil, once || (output ?? .tui) != .tui {
            throw ValidationError("--script plays on the screen: leave out --once and --output.")
        }
        if bell, once || (output ?? .tui) != .tui {
            throw ValidationError("--bell rings on the screen: leave out --once and --output.")
        }
        if once, until != nil {
            throw ValidationError("--once ends after one poll, so --until has nothing to wait for.")
        }
    }

    /// Returns the wording for a locale; `isASCII` restricts it to ASCII.
    func wording(_ locale: LocaleNames, isASCII: Bool) -> Wording {
        Wording(lang ?? locale.language, units: units ?? locale.units, isASCII: isASCII)
    }

    /// Returns the thresholds above which findings are reported: from the flags, else the settings, else the defaults.
    func limits(_ settings: Settings) -> FindingLimits { FindingLimits(settings.thresholds + threshold) }

    /// What the session waits for.
    var goal: CompletionTracker.Goal {
        if once { return .once }
        return until.map(CompletionTracker.Goal.status) ?? .end
    }

    /// The output format; the default depends on the type of standard output.
    var form: OutputForm {
        if script != nil { return .tui }
        return output ?? (isatty(STDOUT_FILENO) == 1 && !once ? .tui : .plain)
    }

    /// Returns these options with the settings filled in where no flag was given.
    func completed(by settings: Settings) -> FollowOptions {
        var options = self
        options.theme = theme ?? settings.theme
        options.lang = lang ?? settings.lang
        options.units = units ?? settings.units
        options.bell = bell || settings.bell
        return options
    }
}

extension TripStatus: ExpressibleByArgument {
    /// Creates a status from its API name, case-insensitively.
    public init?(argument: String) {
        let status = TripStatus(name: argument.uppercased())
        guard TripStatus.known.contains(status) else { return nil }
        self = status
    }

    /// The accepted statuses.
    public static var allValueStrings: [String] { known.map(\.name) }
}

/// Option for the speed of the clock.
struct SpeedOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Virtual seconds per real second, 0.1 to 600.", valueName: "factor"))
    var speed = 1.0

    func validate() throws {
        guard ScaledClock.speeds.contains(speed) else {
            throw ValidationError("--speed takes a number from 0.1 to 600.")
        }
    }
}

/// How the emulator's token endpoint expresses an expiry; the names match the client's flag.
enum ExpirationUnit: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// Milliseconds since 1970.
    case milliseconds = "ms"
    /// Seconds since 1970.
    case seconds = "s"
    /// Seconds from now.
    case relative = "relative"
}
