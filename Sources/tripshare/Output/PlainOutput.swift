import FleetTokens
import Foundation
import Recording
import Runtime
import TripFeed
import TripModel
import TripScreen
import TripText

/// Writes events as sentences, one per line.
struct PlainOutput: SessionOutput {
    private(set) var lines: PlainLines
    private let write: @Sendable (String) -> Void
    /// The words for positions; `nil` if they are not wanted.
    private var positions: SpokenPositions?
    /// What happened on each trip; `nil` if only its last state is written.
    private var receipts: ReceiptBook? = ReceiptBook()
    /// The sentences about the entries of a log; `nil` for another source.
    private var log: PlainLogLines?
    /// Whether only the last state of each trip of a log is written, at the end.
    private var isSummaryOfLog = false

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
        log = configuration.source.log.map {
            PlainLogLines(
                zone: configuration.output.zone(at: configuration.clock.now().wall),
                localizer: localizer,
                namesTrips: configuration.trips.count != 1,
                source: $0
            )
        }
        isSummaryOfLog = log != nil && configuration.isSummary
        if configuration.isSummaryOfReplay || log != nil { receipts = nil }
    }

    mutating func update(_ event: FeedEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment) {
        if isSummaryOfLog { return }
        receipts?.handle(changes, table)
        // The sentences about a trip in a log are the sentences about its sides.
        if log == nil || event.journey.kind == .shipment {
            for line in lines.lines(for: changes, table) { write(line) }
        }
        if let words = positions?.words(for: event, at: now) {
            write(lines.line(words, of: event.journey, at: now))
        }
    }

    mutating func update(_ event: TokenEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment) {
        receipts?.handle(changes, table)
        for line in lines.lines(for: changes, table) { write(line) }
    }

    mutating func update(_ remark: SessionRemark, at now: Moment) {
        write(lines.line(for: remark, faultName: TestFault.name(of:_:)))
    }

    mutating func update(_ step: LiveLog.Step, at now: Moment) {
        guard let log, !isSummaryOfLog, step.sides.id.kind == .trip || step.isRefused else { return }
        for line in log.lines(of: step) { write(line) }
    }

    mutating func tripEnded(_ journey: JourneyID, outcome: String, at now: Moment) {
        if let log, isSummaryOfLog { for line in log.lastLines(of: journey, lines, now: now) { write(line) } }
        guard let receipt = receipts?.finished(journey) else { return }
        for line in lines.lines(for: receipt, now: now) { write(line) }
    }

    mutating func update(_ results: [ExpectationResult], changed: [Int], at now: Moment) {
        for index in changed where results[index].outcome != .pending {
            // What the end of a log decides has the time of its last event.
            let wall = log == nil ? now.wall : results[index].time ?? now.wall
            write(lines.line(for: results[index], now: Moment(wall: wall, steady: now.steady)))
        }
    }
}
