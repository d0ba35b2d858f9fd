import ArgumentParser
import Failures
import Recording
import TripText

/// `tripshare compare`: what differs between two recordings.
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare what riders saw in two recordings, the polls and the errors.",
        discussion: """
            Times count from the start of each recording. Trips with different IDs are compared in \
            order of appearance. Exits with 0 if the recordings are equal, otherwise with 1.
            """
    )

    @Argument(help: ArgumentHelp("The first recording or log.", valueName: "a"))
    var first: String

    @Argument(help: ArgumentHelp("The second recording or log.", valueName: "b"))
    var second: String

    @Option(
        help: ArgumentHelp(
            "Times count as equal if they differ by at most this (default: the poll interval).",
            valueName: "seconds"
        )
    )
    var tolerance: Double?

    @Option(help: ArgumentHelp("The output format.", valueName: "format"))
    var output: ReportForm = .plain

    func validate() throws {
        try require(tolerance.isNilOrIn(0...86_400), .usageTolerance)
    }

    func run() throws {
        let summaries = try [first, second].map { path in
            let session = try SessionFile.read(path)
            let summary = SessionSummary(session)
            if session.hasPolls {
                SessionFile.warn(ofSkipped: summary.skipped, in: path)
            } else {
                SessionFile.warn(ofSkippedIn: session.skippedInLog, path)
            }
            return summary
        }
        let comparison = SessionComparison(summaries[0], summaries[1], tolerance: tolerance)
        let code: ExitStatus = comparison.differences.isEmpty ? .done : .expectationFailed
        switch output {
        case .plain:
            let localizer = output.localizer
            if code != .done {
                let names = [first, second].map { excerpt(path: $0) }
                Printing.out(localizer(.compareFiles(a: names[0], b: names[1])), ifUnread: code)
            }
            for difference in comparison.differences { Printing.out(difference.text(localizer), ifUnread: code) }
            if code == .done {
                Printing.out(
                    localizer(
                        .compareEqual(
                            fields: comparison.names.joined(separator: localizer(.listComma)),
                            tolerance: localizer.span(.seconds(comparison.tolerance))
                        )
                    )
                )
            }
        case .json:
            for difference in comparison.differences { Printing.json(DifferenceLine(difference), ifUnread: code) }
            Printing.json(ComparisonLine(comparison), ifUnread: code)
        }
        if code != .done { throw CommandFailure.silent(code) }
    }
}
