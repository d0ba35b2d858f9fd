import FleetTokens
import Foundation
import TripFeed
import TripModel
import TripText

/// Writes events as sentences, one per line.
struct PlainOutput: SessionOutput {
    private(set) var lines: PlainLines
    private let write: @Sendable (String) -> Void
    /// What happened on each trip.
    private var receipts = ReceiptBook()

    /// Creates an output that passes each line to a closure.
    init(_ lines: PlainLines, write: @escaping @Sendable (String) -> Void) {
        self.lines = lines
        self.write = write
    }

    /// Creates an output to standard output, and reports on standard error if the wanted language can't be written.
    init(_ configuration: SessionConfiguration, _ localizer: Localizer) {
        if let text = localizer.fallback { Printing.error(text) }
        let lines = PlainLines(
            host: configuration.endpoint.displayName,
            zone: configuration.output.zone(at: configuration.clock.now().wall),
            localizer: localizer,
            namesTrips: configuration.trips.count > 1 || configuration.isOpen,
            pollsOnce: configuration.isSummary
        )
        self.init(lines) { Printing.out($0) }
    }

    mutating func update(_ event: FeedEvent, at now: Moment) {
        receipts.take(event)
        for line in lines.lines(for: event, now: now) { write(line) }
    }

    mutating func update(_ event: TokenEvent, at now: Moment) {
        receipts.take(event)
        for line in lines.lines(for: event) { write(line) }
    }

    mutating func update(_ remark: SessionRemark, at now: Moment) {
        write(lines.line(for: remark, faultName: TestFault.name(of:_:)))
    }

    mutating func tripEnded(_ trip: TripID, outcome: String, at now: Moment) {
        guard let receipt = receipts.finished(trip) else { return }
        for line in lines.lines(for: receipt, now: now) { write(line) }
    }

    mutating func update(_ results: [ExpectationResult], changed: [Int], at now: Moment) {
        for index in changed where results[index].outcome != .pending {
            write(lines.line(for: results[index], now: now))
        }
    }
}
