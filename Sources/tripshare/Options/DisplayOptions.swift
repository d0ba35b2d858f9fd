import ArgumentParser
import Terminal
import TripText

/// When to use colors.
enum ColorChoice: String, Sendable, CaseIterable, ExpressibleByArgument {
    case auto, always, never

    /// The corresponding option of the terminal.
    var terminalColor: TerminalOptions.Color {
        switch self {
        case .auto: .auto
        case .always: .truecolor
        case .never: .never
        }
    }
}

/// When to report the progress of a ride to the terminal.
enum ProgressChoice: String, Sendable, CaseIterable {
    /// If the terminal is known to read it.
    case auto
    case always, never
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

extension Localizer.Units: ExpressibleByArgument {}

/// Options for the appearance of trips.
struct DisplayOptions: ParsableArguments {
    @Option(help: ArgumentHelp("When to use colors.", valueName: "when"))
    var color: ColorChoice = .auto

    @Flag(help: "Draw with ASCII characters only.")
    var ascii = false

    @Option(\.lang) var lang: Language?

    @Option(\.units) var units: Localizer.Units?

    @Option(\.theme) var theme: Theme.Name?

    @Flag(help: "Presenter view: large text and the map, without IDs and diagnostics.")
    var presenter = false

    @Option(
        help: ArgumentHelp(
            "Draw streets below the trip from a map file: GeoJSON, PMTiles or MBTiles.",
            valueName: "file"
        )
    )
    var basemap: String?

    @Option(
        help: ArgumentHelp(
            "Height of a terminal cell divided by its width, 1 to 4, so that maps keep their proportions.",
            valueName: "number"
        )
    )
    var cellAspect = 2.0

    @Option(help: ArgumentHelp("Play the keys and save the screenshots of a script file.", valueName: "file"))
    var script: String?

    @Flag(help: "Enable the mouse: click, wheel, drag (hold Shift to select text).")
    var mouse = false

    @Flag(\.bell) var bell = false

    @Flag(\.accessible) var accessible = false

    @Flag(\.calm) var calm = false

    func validate() throws {
        try require((1...4).contains(cellAspect), .usageCellAspect)
    }

    /// The given options that only the screen uses, in the order of the help.
    var ofScreen: [String] {
        let given = [
            ("--theme", theme != nil), ("--presenter", presenter), ("--basemap", basemap != nil && !accessible),
            ("--cell-aspect", cellAspect != 2.0), ("--mouse", mouse), ("--calm", calm),
        ]
        return given.filter(\.1).map(\.0)
    }

    /// Throws a usage error for options of the screen if there is none.
    func check(isOnScreen: Bool, output: OutputForm? = nil) throws {
        try require(!accessible || script == nil && (output ?? .plain) == .plain, .usageAccessible)
        try require(script == nil || isOnScreen, .usageScript)
        try require(!bell || isOnScreen, .usageBell)
    }
}
