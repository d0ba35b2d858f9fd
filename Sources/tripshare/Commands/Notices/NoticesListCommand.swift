import ArgumentParser
import Canvas
import Foundation
import Runtime
import TripText

/// `tripshare notices list`: the notices that wait, one to a line.
struct NoticesListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the notices that wait.",
        discussion: """
            Each line has the age of the notice, its receiver (the command without its arguments, or the host), the event, the \
            trip, the number of attempts, and when it is tried again. Those of sessions that are running are part of the list.
            """
    )

    @Option(help: ArgumentHelp("The output format.", valueName: "format"))
    var output: ReportForm = .plain

    func run() throws {
        let waiting = try NoticeStores.waiting(in: NoticeStores.open())
        switch output {
        case .json: for notice in waiting { Printing.json(WaitingNoticeLine(notice)) }
        case .plain:
            let localizer = output.localizer
            guard !waiting.isEmpty else { return Printing.out(localizer(.noticesNone)) }
            let headings = [
                Text.columnAge, .noticesReceiver, .noticesEvent, .viewTrip, .noticesAttempts, .noticesNext,
            ].map { localizer($0) }
            let now = Date()
            let rows = [headings] + waiting.map { $0.cells(now: now, localizer) }
            let widths = headings.indices.map { column in rows.map { TextWidth.of($0[column]) }.max() ?? 0 }
            for row in rows {
                let line = zip(row, widths).map { cell, width in
                    cell + String(repeating: " ", count: max(0, width - TextWidth.of(cell)))
                }
                Printing.out(line.joined(separator: "  ").trimmingSuffix { $0 == " " })
            }
            let left = waiting.count(where: \.isLeft)
            if left > 0 { Printing.out(localizer(.noticesLeft(count: left))) }
        }
    }
}

/// A notice of the list, as JSON.
struct WaitingNoticeLine: Encodable {
    var type = "waitingNotice"
    /// When it was noticed.
    var time: String
    var id: String
    var sequence: Int
    /// The command without its arguments, or the host with a port of its own.
    var receiver: String
    var event: String
    var trip: String
    var attempts: Int
    /// When it may be sent again.
    var nextAttempt: String
    /// Whether a session that is running delivers it.
    var hasSession: Bool

    init(_ waiting: WaitingNotice) {
        let notice = waiting.notice
        time = Timestamp.text(notice.created)
        (id, sequence) = (notice.id.text, notice.sequence)
        (receiver, event, trip) = (waiting.receiverName, notice.event, notice.journey)
        attempts = notice.attempts
        nextAttempt = Timestamp.text(notice.due)
        hasSession = !waiting.isLeft
    }
}
