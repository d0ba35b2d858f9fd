import ArgumentParser
import TripText

/// Options that select the ride of an emulator.
struct RideOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Play a scenario by name or from a YAML file; see tripshare scenarios.",
            valueName: "name|file"
        )
    )
    var scenario: String?

    @Option(
        help: ArgumentHelp(
            "Play a log of a real Fleet Engine: a Cloud Logging export or a Fleet Debugger file.",
            valueName: "file"
        )
    )
    var recording: String?

    @Option(help: ArgumentHelp("Virtual seconds per real second, 0.1 to 600.", valueName: "factor"))
    var speed = 1.0

    @Option(help: ArgumentHelp("Random seed; the same seed gives the same ride.", valueName: "number"))
    var seed: UInt64 = 1

    func validate() throws {
        try require(scenario == nil || recording == nil, .usageScenarioOrRecording)
        try require(ScaledClock.speeds.contains(speed), .usageSpeed)
    }

    /// Throws a usage error for a token lifetime, in seconds, that the emulator does not support.
    static func check(tokenLifetime: Double?) throws {
        try require(tokenLifetime.isNilOrIn(10...3600), .usageTokenLifetime)
    }
}
