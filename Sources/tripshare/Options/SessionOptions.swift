public import ArgumentParser
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

/// Options for following trips, regardless of their source.
struct SessionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Output format (default: tui on a terminal, otherwise plain).", valueName: "form"))
    var output: OutputForm?

    @Option(\.interval) var interval: Double?

    @Option(\.thresholds, transform: Threshold.init(parsing:)) var threshold: [Threshold] = []

    @Flag(help: "Poll each trip once, print the result, and exit.")
    var once = false

    @Option(help: ArgumentHelp("Exit with 0 once every trip has reached this status.", valueName: "status"))
    var until: JourneyStatus?

    @Option(
        help: ArgumentHelp(
            """
            Timeout in seconds of real time; exits with the code of the failure that lasts then, or with 69 if a trip has \
            not reached --until.
            """,
            valueName: "seconds"
        )
    )
    var timeout: Double?

    @Option(help: ArgumentHelp("Record the session in a new file; see tripshare replay.", valueName: "file"))
    var record: String?

    @Option(help: .share)
    var share: String?

    func validate() throws {
        try SettingRows.all.interval.check(interval)
        try require(timeout.isNilOrIn(Double.leastNonzeroMagnitude..<1e9), .usageTimeout)
        try require(!once || output != .tui, .usageOnceScreen)
        try require(!once || until == nil, .usageOnceUntil)
    }

    /// Throws a usage error for options of the screen if the session has none.
    func check(_ display: DisplayOptions) throws {
        try display.check(isOnScreen: !once && (output ?? .tui) == .tui, output: output)
    }

    /// What the session waits for.
    var goal: CompletionTracker.Goal {
        if once { return .once }
        return until.map(CompletionTracker.Goal.status) ?? .end
    }
}

extension ArgumentHelp {
    /// The help of `--share`.
    static let share = ArgumentHelp(
        "Write a page of the ride to this new file at the end: HTML for any browser, without a token.",
        valueName: "file"
    )
}

extension JourneyStatus: ExpressibleByArgument {
    /// Creates a status from its API name, case-insensitively.
    public init?(argument: String) {
        self.init(known: argument.uppercased())
    }

    /// The accepted statuses in two groups, because the parser writes one to a line.
    public static var allValueStrings: [String] {
        [TripStatus.known.map(\.name), ShipmentStatus.known.map(\.name)].map { $0.joined(separator: ", ") }
    }

    /// The accepted statuses for completion.
    public static var defaultCompletionKind: CompletionKind { .list(known.map(\.name)) }
}
