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
            Each line has the time, whom the program called or who else called, the call, the status, the size, the duration, \
            the token by its number or its fingerprint, what was sent, and why it failed. Tokens are never part of it. Exits \
            with 0 also if calls failed.
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
        let isLogged = session.header == nil
        let shown = calls(of: session).filter { isWanted($0.call, isLogged: isLogged) }
        let host = session.header?.configuration.host ?? ""
        switch output {
        case .json: for call in shown { Printing.json(CallLine(call, host: host), ifUnread: .done) }
        case .plain:
            guard !shown.isEmpty else { return Printing.out(output.localizer(.callsNone), ifUnread: .done) }
            let table = CallTable(shown, host: host, output.localizer)
            for line in [table.heading] + shown.flatMap(table.lines) { Printing.out(line, ifUnread: .done) }
        }
    }

    /// Returns the calls of a recording or a log, and warns of lines that were skipped.
    private func calls(of session: RecordedSession) -> [ListedCall] {
        if let calls = session.loggedCalls {
            SessionFile.warn(ofSkippedIn: session.skippedInLog, recording)
            return calls.map { ListedCall($0) }
        }
        let (calls, skipped) = session.calls()
        SessionFile.warn(ofSkipped: skipped, in: recording)
        return calls
    }

    private func isWanted(_ call: Call, isLogged: Bool) -> Bool {
        // All calls of a log are answered by the service.
        let isOfParty = party == nil || call.party == party || isLogged && call.answerer == party
        return (!failed || call.failure != nil) && isOfParty && (trip == nil || call.subject == trip)
            && CallFilter(filter ?? "").matches(call)
    }
}
