import ArgumentParser
import TripText

/// The options that check what happens to the followed trips.
struct ExpectationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Check the expectations in this YAML file; exits with 1 if one of them fails.",
            valueName: "file"
        )
    )
    var expect: String?

    @Option(
        help: ArgumentHelp(
            "Write the results of --expect to this file, as JUnit XML (.xml) or JSON (.json).",
            valueName: "file"
        )
    )
    var report: String?

    func validate() throws {
        guard let report else { return }
        try require(expect != nil, .usageReportAlone)
        let name = report.lowercased()
        try require(name.hasSuffix(".xml") || name.hasSuffix(".json"), .usageReport)
    }
}
