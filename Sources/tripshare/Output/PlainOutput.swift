import Basemap
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// Writes events as sentences, one per line.
struct PlainOutput: SessionOutput {
    private(set) var lines: PlainLines
    private let write: @Sendable (String) -> Void
    /// The words for positions; `nil` if they are not wanted.
    private var positions: SpokenPositions?
    /// What happened on each trip; `nil` if only its last state is written.
    private var receipts: ReceiptBook? = ReceiptBook()

    /// Creates an output that passes each line to a closure.
    init(
        _ lines: PlainLines,
        positions: SpokenPositions? = nil,
        write: @escaping @Sendable (String) -> Void
    ) {
        (self.lines, self.positions) = (lines, positions)
        self.write = write
    }

    /// Creates an output to standard output, and reports on standard error if the wanted language can't be written.
    ///
    /// `map` has the names of the streets for positions in words.
    init(_ configuration: SessionConfiguration, _ localizer: Localizer, map: Basemap? = nil) {
        if let text = localizer.fallback { Printing.error(text) }
        let lines = PlainLines(
            host: configuration.endpoint.displayName,
            zone: configuration.output.zone(at: configuration.clock.now().wall),
            localizer: localizer,
            namesTrips: configuration.trips.count > 1 || configuration.isOpen,
            pollsOnce: configuration.isSummary
        )
        let options = configuration.output.options
        let positions = options.accessible ? SpokenPositions(localizer, map: map) : nil
        self.init(lines, positions: positions) { Printing.out($0) }
        if configuration.isSummaryOfReplay { receipts = nil }
    }

    mutating func update(_ event: FeedEvent, at now: Moment) {
        receipts?.handle(event)
        for line in lines.lines(for: event, now: now) { write(line) }
        if let words = positions?.words(for: event, at: now) {
            write(lines.line(words, of: event.trip, at: now))
        }
    }

    mutating func update(_ event: TokenEvent, at now: Moment) {
        receipts?.handle(event)
        for line in lines.lines(for: event) { write(line) }
    }

    mutating func update(_ remark: SessionRemark, at now: Moment) {
        write(lines.line(for: remark, faultName: TestFault.name(of:_:)))
    }

    mutating func tripEnded(_ trip: TripID, outcome: String, at now: Moment) {
        guard let receipt = receipts?.finished(trip) else { return }
        for line in lines.lines(for: receipt, now: now) { write(line) }
    }

    mutating func update(_ results: [ExpectationResult], changed: [Int], at now: Moment) {
        for index in changed where results[index].outcome != .pending {
            write(lines.line(for: results[index], now: now))
        }
    }
}
