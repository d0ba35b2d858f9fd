import ArgumentParser
import Failures
import Recording
import TripFeed
import TripText

extension CallRecord.Party: ExpressibleByArgument {}

/// `tripshare calls`: the calls of a recorded session, one to a line.
struct CallsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calls",
        abstract: "List the calls of a recording: polls and fetches of tokens.",
        discussion: """
            Each line has the time, whom was called, the status, the size, the duration, the number of the token, and why \
            it failed. Tokens are never part of it. Exits with 0 also if calls failed.
            """
    )

    @Argument(help: ArgumentHelp("The recording.", valueName: "file"))
    var recording: String

    @Flag(help: "Only calls that failed.")
    var failed = false

    @Option(help: ArgumentHelp("Only calls to this party.", valueName: "party"))
    var party: CallRecord.Party?

    @Option(help: ArgumentHelp("Only calls for the trip with this ID.", valueName: "id"))
    var trip: String?

    @Option(help: ArgumentHelp("The output format.", valueName: "format"))
    var output: ReportForm = .plain

    func run() throws {
        let session = try SessionFile.read(recording, advice: .adviceVerify)
        guard session.hasPolls else {
            throw CommandFailure(.badInput) { [recording] in
                $0(.exportNoPolls(file: excerpt(path: recording)))
            }
        }
        let calls = RecordedCalls(of: session)
        SessionFile.warn(ofSkipped: calls.skipped, in: recording)
        let (shown, host) = (calls.calls.filter(isWanted), session.header?.configuration.host ?? "")
        switch output {
        case .json: for call in shown { Printing.json(CallLine(call, host: host), ifUnread: .done) }
        case .plain:
            let table = CallTable(shown, host: host, localizer: output.localizer)
            for line in table.lines { Printing.out(line, ifUnread: .done) }
        }
    }

    private func isWanted(_ call: CallRecord) -> Bool {
        (!failed || call.failure != nil) && (party == nil || call.party == party)
            && (trip == nil || call.subject == trip)
    }
}
