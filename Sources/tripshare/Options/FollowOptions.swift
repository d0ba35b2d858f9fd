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
    @Option(help: ArgumentHelp("The form of the output; the screen on a terminal, else plain.", valueName: "form"))
    var output: OutputForm?

    @Option(
        help: ArgumentHelp(
            "Seconds between two polls of a trip, at least 5 for Google's service and 1 elsewhere (default: 5).",
            valueName: "seconds"
        )
    )
    var interval: Double?

    @Option(
        help: ArgumentHelp(
            "From where on something is a finding, such as offRoute=80; may be given several times.",
            valueName: "name=number"
        ),
        transform: Threshold.init(parsing:)
    )
    var threshold: [Threshold] = []

    @Flag(help: "Poll each trip once, print what came, and end.")
    var once = false

    @Option(help: ArgumentHelp("End well once every trip has reached this status.", valueName: "status"))
    var until: TripStatus?

    @Option(
        help: ArgumentHelp(
            "End after so many real seconds; with 69 if a trip never answered, or is not where --until wants it.",
            valueName: "seconds"
        )
    )
    var timeout: Double?

    @Option(help: ArgumentHelp("When to use colours.", valueName: "when"))
    var color: ColorChoice = .auto

    @Flag(help: "Draw with ASCII characters alone.")
    var ascii = false

    @Option(help: ArgumentHelp("The language of the texts (default: what the locale says).", valueName: "language"))
    var lang: Language?

    @Option(help: ArgumentHelp("What ways and speeds are told in (default: what the locale says).", valueName: "units"))
    var units: Wording.Units?

    @Option(help: ArgumentHelp("The colours of the screen (default: what suits the terminal).", valueName: "name"))
    var theme: Theme.Name?

    @Flag(help: "Large words and the map, without IDs and diagnostics.")
    var presenter = false

    @Option(help: ArgumentHelp("Draw the streets of a GeoJSON file below the map.", valueName: "file"))
    var basemap: String?

    @Option(
        help: ArgumentHelp(
            "How high a cell of the terminal is for its width, 1 to 4: maps are true to it.",
            valueName: "number"
        )
    )
    var cellAspect = 2.0

    @Option(help: ArgumentHelp("Play keys from a file on the screen, and save pictures of it.", valueName: "file"))
    var script: String?

    @Flag(help: "Take the mouse: clicks, wheel, drag (Shift selects text then).")
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
