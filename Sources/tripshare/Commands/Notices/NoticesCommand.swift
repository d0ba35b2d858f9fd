import ArgumentParser
import Failures
import Foundation
import Runtime
import TripText

/// `tripshare notices`: the notices that earlier sessions could not deliver.
struct NoticesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notices",
        abstract: "List, send or discard the notices that wait for their receivers.",
        discussion: """
            A session stores each notice of --on and --webhook before it sends it. What it could not deliver waits for the next \
            session with the same receivers, or for this command.
            """,
        subcommands: [NoticesListCommand.self, NoticesSendCommand.self, NoticesDiscardCommand.self],
        defaultSubcommand: NoticesListCommand.self
    )
}

extension WaitingNotice {
    /// The columns of a table: age, receiver, event, trip, attempts, and the time until the next one if a session delivers it.
    func cells(now: Date, _ localizer: Localizer) -> [String] {
        let wait = max(0, notice.due.timeIntervalSince(now))
        return [
            localizer.age(.seconds(max(0, now.timeIntervalSince(notice.created)))), receiverName.sanitized(limit: 64),
            notice.event.sanitized(limit: 64), notice.journey.sanitized(limit: 80), "\(notice.attempts)",
            isLeft ? "–" : localizer.countdown(.seconds(wait)),
        ]
    }

    /// Returns whether it is about a trip or a shipment with this ID.
    func isAbout(_ id: String) -> Bool { notice.journey == id || notice.journey.hasSuffix("/" + id) }
}
