import ArgumentParser
import Failures
import Foundation
import Runtime
import TripText

/// `tripshare notices discard`: removes notices that are not to be delivered any more.
struct NoticesDiscardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Discard notices that wait.",
        discussion: """
            On a terminal it asks first. With several of --receiver, --trip and --older, a notice must fit all of them. A session \
            that is running delivers its own notices nevertheless.
            """
    )

    @Option(help: ArgumentHelp("Only notices for this receiver, by its name in the list.", valueName: "name"))
    var receiver: String?

    @Option(help: ArgumentHelp("Only notices about the trip or the shipment with this ID.", valueName: "id"))
    var trip: String?

    @Option(
        help: ArgumentHelp(
            "Only notices that are older: a number with s, min, h or d, such as 30min or 2d.",
            valueName: "duration"
        )
    )
    var older: String?

    @Flag(help: "All notices.")
    var all = false

    @Flag(help: "Do not ask.")
    var yes = false

    func validate() throws {
        try require(all || receiver != nil || trip != nil || older != nil, .usageNoticesDiscard)
        try require(!all || receiver == nil && trip == nil && older == nil, .usageNoticesAll)
        try require(older.map { Self.duration($0) != nil } ?? true, .usageNoticesOlder)
    }

    func run() throws {
        let localizer = Localizer.ofProcess
        let now = Date()
        let store = try NoticeStores.open()
        let waiting = try NoticeStores.waiting(in: store)
        let count = waiting.count { isWanted($0, now) }
        guard count > 0 else { return Printing.out(NoticeStores.nothing(of: waiting.count, localizer)) }
        if !yes, try !confirms(count, localizer) { return Printing.out(localizer(.noticesKept)) }
        let discarded = try NoticeStores.discard(in: store) { isWanted($0, now) }
        Printing.out(localizer(.noticesDiscarded(count: discarded)))
    }

    /// Asks whether notices are to be discarded; throws a ``CommandFailure`` without a terminal to ask on.
    private func confirms(_ count: Int, _ localizer: Localizer) throws(CommandFailure) -> Bool {
        let context = ProcessContext.current
        guard context.input != nil || context.isTerminal(STDIN_FILENO) else {
            throw CommandFailure(.usage, .failureNoticesYes)
        }
        Printing.error(localizer(.noticesDiscardQuestion(count: count)))
        let answer = context.input.map { String(decoding: $0, as: UTF8.self) } ?? readLine() ?? ""
        return answer.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() == "y"
    }

    private func isWanted(_ waiting: WaitingNotice, _ now: Date) -> Bool {
        let age = now.timeIntervalSince(waiting.notice.created)
        return (receiver == nil || waiting.receiverName == receiver) && (trip.map(waiting.isAbout) ?? true)
            && (older.flatMap(Self.duration).map { age > $0.seconds } ?? true)
    }

    /// Reads a number with a unit; at most ten years.
    static func duration(_ text: String) -> Duration? {
        let units = ["min": 60.0, "s": 1, "h": 3600, "d": 86_400]
        let unit = text.drop { $0.isNumber || $0 == "." }
        guard let factor = units[String(unit)], let number = Double(decimal: String(text.dropLast(unit.count))),
            (0...3650 * 86_400).contains(number * factor)
        else { return nil }
        return .seconds(number * factor)
    }
}
