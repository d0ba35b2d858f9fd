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
    /// The last line without its time, which is not said again for a listener.
    private var lastSaid: Substring?

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
        if configuration.isSummaryOfReplay || log != nil || configuration.tour != nil { receipts = nil }
    }

    /// Writes a line, unless it says for a listener what the line before has said.
    private mutating func say(_ line: String) {
        if positions != nil {
            let words = line.firstRange(of: "  ").map { line[$0.upperBound...] } ?? line[...]
            guard words != lastSaid else { return }
            lastSaid = words
        }
        write(line)
    }

    /// Writes the answer to a question, which a listener may ask again.
    mutating func answer(_ sentences: [String]) {
        for sentence in sentences { write(lines.sentence(sentence)) }
        lastSaid = nil
    }

    /// Writes a typed line, which the terminal has not echoed.
    func repeatQuestion(_ line: String) { write(Reporter.sanitized(line, limit: 100)) }

    /// Returns the name of the street at the position of a state; `nil` without one.
    mutating func street(of state: TripState?) -> String? { positions?.street(of: state) }

    /// Records that the position of a state was told.
    mutating func told(_ state: TripState, _ words: String, at now: Moment) { positions?.told(state, words, at: now) }

    mutating func update(_ event: FeedEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment) {
        if isSummaryOfLog { return }
        receipts?.handle(changes, table)
        // The sentences about a trip in a log are the sentences about its sides.
        if log == nil || event.journey.kind == .shipment {
            for line in lines.lines(for: changes, table) { say(line) }
        } else if positions != nil {
            for line in lines.lines(for: changes.filter(\.isEstimate), table) { say(line) }
        }
        if let words = positions?.words(for: event, at: now) {
            say(lines.line(words, of: event.journey, at: now))
        }
    }

    mutating func update(_ event: TokenEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment) {
        receipts?.handle(changes, table)
        for line in lines.lines(for: changes, table) { say(line) }
    }

    mutating func update(_ remark: SessionRemark, at now: Moment) {
        say(lines.line(for: remark, faultName: TestFault.name(of:_:)))
    }

    mutating func update(_ step: LiveLog.Step, at now: Moment) {
        guard let log, !isSummaryOfLog, step.sides.id.kind == .trip || step.isRefused else { return }
        for line in log.lines(of: step) { say(line) }
    }

    mutating func tripEnded(_ journey: JourneyID, outcome: String, at now: Moment) {
        if let log, isSummaryOfLog { for line in log.lastLines(of: journey, lines, now: now) { say(line) } }
        guard let receipt = receipts?.finished(journey) else { return }
        for line in lines.lines(for: receipt, now: now) { say(line) }
    }

    mutating func update(_ results: [ExpectationResult], changed: [Int], at now: Moment) {
        for index in changed where results[index].outcome != .pending {
            // What the end of a log decides has the time of its last event.
            let wall = log == nil ? now.wall : results[index].time ?? now.wall
            say(lines.line(for: results[index], now: Moment(wall: wall, steady: now.steady)))
        }
    }
}

extension JourneyChange {
    /// Whether it is about the estimate of an arrival.
    fileprivate var isEstimate: Bool { if case .estimate = kind { true } else { false } }
}
