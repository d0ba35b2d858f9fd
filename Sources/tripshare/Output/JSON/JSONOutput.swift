import FleetTokens
import Recording
import Runtime
import TripFeed
import TripModel
import TripText

/// Writes events as newline-delimited JSON, one object per line.
///
/// Times are RFC 3339 in UTC. Keys with unknown values are absent. Tokens are never written. `time` is when the line was
/// written, in a replay when its event happened, and `started` is when a poll began, both by the program's clock. Other times
/// are the service's.
struct JSONOutput: SessionOutput {
    /// The host of the service.
    private let host: String
    private let provider: ProviderID
    /// Whether each trip is polled once, so that no retry is promised, or only its last state in a log is written.
    let isSummary: Bool
    /// The log that is followed; `nil` for another source.
    private let log: LogSource?
    private let write: @Sendable (String) -> Void
    /// The content last written about a token; an event that repeats it is not written.
    private var lastTokenState: TokenLine?
    /// What happened on each trip; `nil` if only its last state is written.
    private var receipts: ReceiptBook? = ReceiptBook()

    /// Creates an output that passes each line to a closure.
    init(
        host: String,
        provider: ProviderID,
        isSummary: Bool = false,
        log: LogSource? = nil,
        write: @escaping @Sendable (String) -> Void
    ) {
        (self.host, self.provider, self.isSummary, self.log) = (host, provider, isSummary, log)
        self.write = write
    }

    /// Creates an output to standard output.
    init(_ configuration: SessionConfiguration) {
        self.init(
            host: configuration.endpoint.displayName,
            provider: configuration.provider,
            isSummary: configuration.isSummary,
            log: configuration.source.log
        ) {
            Printing.json(line: $0)
        }
        if configuration.isSummaryOfReplay || log != nil { receipts = nil }
    }

    mutating func update(_ event: FeedEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment) {
        // A summary of a log has only the last state of each trip.
        if log != nil, isSummary { return }
        if log != nil, case .polled(let report, _, _) = event { write(ClaimsLine(report, table)) }
        // The other lines about a trip in a log are the lines about its sides.
        if log != nil, event.journey.kind == .trip { return }
        receipts?.handle(changes, table)
        let number = table.lastEvent
        switch event {
        case .polling, .scheduled, .driver, .ended: break
        case .omitted(let trip, let omission):
            write(OmittedLine(.journey(trip), of: "poll", omission, event: number, now: now))
        case .found(_, let findings):
            for finding in findings { write(FindingLine(finding, event: number, now: now)) }
        case .polled(let report, let state, let schedule):
            if log == nil {
                write(
                    PollLine(
                        report,
                        state: state,
                        schedule: schedule,
                        table: table,
                        host: host,
                        isLast: isSummary,
                        now: now
                    )
                )
            }
            if case .success = report.outcome, let trip = state.journey {
                write(TripLine(trip, state: state, event: number, now: now))
            }
        }
    }

    mutating func update(_ event: TokenEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment) {
        receipts?.handle(changes, table)
        let line = TokenLine(event, number: table.lastEvent, isLast: isSummary, now: now)
        let state = line.withoutEvent
        if event.kind.isOutcome || state != lastTokenState {
            if case .omitted(let omission) = event.kind {
                write(OmittedLine(event.context, of: "token", omission, event: table.lastEvent, now: now))
            } else {
                write(line)
            }
        }
        lastTokenState = state
    }

    mutating func update(_ results: [ExpectationResult], changed: [Int], at now: Moment) {
        for index in changed where results[index].outcome != .pending {
            write(ExpectationLine(results[index], host: host, now: now))
        }
    }

    mutating func update(_ search: SearchEvent, at now: Moment) {
        if let line = SearchLine(search, in: provider, host: host, now: now) { write(line) }
    }

    mutating func update(_ remark: SessionRemark, at now: Moment) { write(RemarkLine(remark)) }

    mutating func tripEnded(_ journey: JourneyID, outcome: String, at now: Moment) {
        if let log { return writeEnd(of: journey, in: log, outcome: outcome, at: now) }
        if let receipt = receipts?.finished(journey) { write(ReceiptLine(receipt, now: now)) }
        write(EndLine(time: Timestamp.text(now.wall), trip: journey.name, outcome: outcome))
    }

    func show(_ summary: NoticeSummary, at now: Moment) { write(NoticesLine(summary, at: now.wall)) }

    func write(_ line: some Encodable) { write(SanitizedJSON.line(line)) }
}

/// The lines of a log.
///
/// The calls about a shipment have no sides: its lines show what its recipient could see after each call, and the
/// recipient's refused calls.
extension JSONOutput {
    mutating func update(_ step: LiveLog.Step, at now: Moment) {
        guard !isSummary, step.sides.id.kind == .trip || step.isRefused else { return }
        let (sides, time) = (step.sides, Timestamp.text(step.time))
        if step.isRefused, let refused = sides.errors[step.side] {
            write(SideLine(time: time, journey: sides.id, side: step.side, refused: refused))
        } else if let report = sides.reports[step.side] {
            write(SideLine(time: time, journey: sides.id, side: step.side, report: report))
        }
        for difference in step.began { write(SideDifferenceLine(time: time, journey: sides.id, difference)) }
        for kind in step.ended {
            write(AgreementLine(time: time, trip: sides.id.name, difference: kind.rawValue))
        }
    }

    /// Writes the end of a trip of a log, in a summary after its last state.
    func writeEnd(of journey: JourneyID, in source: LogSource, outcome: String, at now: Moment) {
        let time = Timestamp.text(now.wall)
        if isSummary, let sides = source.sides(of: journey) {
            if journey.kind == .trip || !sides.errors.isEmpty { write(SidesLine(time: time, sides)) }
            if journey.kind == .shipment, let state = source.state(of: journey), let shipment = state.journey {
                write(TripLine(shipment, state: state, now: now))
            }
        }
        // A log that has ended is no time-out.
        let word = outcome == "timed_out" && source.hasEnded ? "log_ended" : outcome
        write(EndLine(time: time, trip: journey.name, outcome: word))
    }
}
