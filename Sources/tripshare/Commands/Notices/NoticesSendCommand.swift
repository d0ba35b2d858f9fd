import ArgumentParser
import Failures
import Foundation
import Runtime
import Terminal
import TransportLive
import TripText

/// `tripshare notices send`: delivers what earlier sessions could not deliver.
struct NoticesSendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send the notices that wait for these receivers.",
        discussion: """
            Name the receivers as in the session that left the notices; the events do not matter. Each notice is tried at once, \
            and again for as long as --notice-wait says. Notices of a session that is running are left to it. Exits with 0 if all were delivered, with 75 \
            if some still wait, and with 1 if the others were refused.
            """
    )

    @OptionGroup var notices: NoticeOptions

    @Option(help: ArgumentHelp("The output format.", valueName: "format"))
    var output: ReportForm = .plain

    func validate() throws { try require(notices.hasReceivers, .usageNoticesSend) }

    /// For how long a notice is repeated: who sends it by hand wants it to be delivered, however old it is.
    private static let time = Duration.seconds(3650 * 86_400)

    func run() async throws {
        let receivers = try notices.receivers()
        let store = try NoticeStores.open()
        let (summary, interruption) = try await SignalWatch.withSignals { signals in
            try await withLiveHTTPTransport { transport in
                let sender = NoticeSender(
                    receivers,
                    provider: "",
                    host: "",
                    store: store,
                    time: Self.time,
                    atOnce: true,
                    seed: .random(in: .min ... .max),
                    delivery: .live(transport, environment: notices.environment),
                    reported: {}
                )
                // Cancelled below.
                let leaving = Task { () -> Int32? in
                    for await signal in signals {
                        sender.leave()
                        return signal
                    }
                    return nil
                }
                await sender.finish(limit: notices.wait)
                leaving.cancel()
                var messages = NoticeMessages()
                for text in messages.pass(sender.dequeueFailures()) { Printing.error(text) }
                sender.confirmFailures()
                if messages.omitted > 0 { Printing.error(Localizer.ofProcess(.noticesMore(count: messages.omitted))) }
                return (sender.summary, await leaving.value)
            }
        }
        switch output {
        case .json: Printing.json(NoticesLine(summary, at: Date()))
        case .plain:
            let localizer = output.localizer
            guard summary.total == 0 else {
                Printing.out(summary.text(localizer))
                break
            }
            Printing.out(NoticeStores.nothing(of: try NoticeStores.waiting(in: store).count, localizer))
        }
        if let signal = interruption { throw CommandFailure.signal(signal) }
        if summary.waiting > 0 { throw CommandFailure.silent(.stillWaiting) }
        if summary.refused > 0 { throw CommandFailure.silent(.expectationFailed) }
    }
}
