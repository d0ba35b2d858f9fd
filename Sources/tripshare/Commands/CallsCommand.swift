import ArgumentParser
import Failures
import FleetTokens
import FleetWire
import Recording
import TripFeed
import TripText

extension Call.Party: ExpressibleByArgument {}

/// `tripshare calls`: the calls of a recorded session, one to a line.
struct CallsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calls",
        abstract: "List the calls of a recording or a log.",
        discussion: """
            Of a recording, each line has the time, whom was called, the status, the size, the duration, the number of the \
            token, and why it failed; of a log, who asked and for what. Tokens are never part of it. Exits with 0 also if \
            calls failed.
            """
    )

    @Argument(help: ArgumentHelp("The recording or the log.", valueName: "file"))
    var recording: String

    @Flag(help: "Only calls that failed.")
    var failed = false

    @Option(help: ArgumentHelp("Only calls to this party.", valueName: "party"))
    var party: Call.Party?

    @Option(help: ArgumentHelp("Only calls for the trip with this ID.", valueName: "id"))
    var trip: String?

    @Option(help: .callFilter)
    var filter: String?

    @Option(help: ArgumentHelp("The output format.", valueName: "format"))
    var output: ReportForm = .plain

    func run() throws {
        let session = try SessionFile.read(recording)
        if let calls = session.loggedCalls {
            SessionFile.warn(ofSkippedIn: session.skippedInLog, recording)
            return show(calls.filter { isWanted($0, isLogged: true) })
        }
        let (calls, skipped) = session.calls()
        SessionFile.warn(ofSkipped: skipped, in: recording)
        let (shown, host) = (
            calls.filter { isWanted($0.call, isLogged: false) }, session.header?.configuration.host ?? ""
        )
        switch output {
        case .json: for call in shown { Printing.json(CallLine(call, host: host), ifUnread: .done) }
        case .plain:
            let table = CallTable(shown, host: host, localizer: output.localizer)
            for line in table.lines { Printing.out(line, ifUnread: .done) }
        }
    }

    private func show(_ calls: [Call]) {
        switch output {
        case .json: for call in calls { Printing.json(ReceivedCallLine(call), ifUnread: .done) }
        case .plain:
            let localizer = output.localizer
            guard !calls.isEmpty else { return Printing.out(localizer(.callsNone), ifUnread: .done) }
            let table = ReceivedCallTable(calls, localizer)
            for line in [table.heading] + calls.map(table.line) { Printing.out(line, ifUnread: .done) }
        }
    }

    private func isWanted(_ call: Call, isLogged: Bool) -> Bool {
        // All calls of a log are answered by the service.
        let isOfParty = party == nil || call.party == party || isLogged && call.answerer == party
        return (!failed || call.failure != nil) && isOfParty && (trip == nil || call.subject == trip)
            && CallFilter(filter ?? "").matches(call)
    }
}
