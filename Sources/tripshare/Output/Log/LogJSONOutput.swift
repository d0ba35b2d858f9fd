import FleetTokens
import FleetWire
import Recording
import Runtime
import TripFeed
import TripModel

/// Writes the entries of a log as newline-delimited JSON, one object per line.
///
/// The calls about a shipment have no sides: its lines are those of what its recipient could see after each of them.
struct LogJSONOutput: SessionOutput {
    /// Whether only the last state of each trip is written, at the end.
    private let isSummary: Bool
    private let source: LogSource
    /// The host of the service.
    private let host: String
    private let write: @Sendable (String) -> Void

    /// Creates an output that passes each line to a closure.
    init(
        _ source: LogSource,
        host: String,
        isSummary: Bool,
        write: @escaping @Sendable (String) -> Void = { Printing.json(line: $0) }
    ) {
        self.isSummary = isSummary
        (self.source, self.host) = (source, host)
        self.write = write
    }

    mutating func update(_ event: FeedEvent, at now: Moment) {}
    mutating func update(_ event: TokenEvent, at now: Moment) {}

    mutating func update(_ step: LiveLog.Step, at now: Moment) {
        guard !isSummary else { return }
        if step.sides.id.kind == .shipment { return writeEvents(of: step) }
        let (sides, time) = (step.sides, Timestamp.text(step.time))
        if step.isRefused, let refused = sides.errors[step.side] {
            write(SideLine(time: time, trip: sides.id, side: step.side, refused: refused))
        } else if let report = sides.reports[step.side] {
            write(SideLine(time: time, trip: sides.id, side: step.side, report: report))
        }
        for difference in step.began { write(SideDifferenceLine(time: time, trip: sides.id, difference)) }
        for kind in step.ended {
            write(AgreementLine(time: time, trip: sides.id.name, difference: kind.rawValue))
        }
    }

    private func writeEvents(of step: LiveLog.Step) {
        for event in step.events {
            switch event {
            case .polled(_, let state, _):
                if let shipment = state.trip { write(TripLine(shipment, state: state, now: step.moment)) }
            case .found(_, let findings): for finding in findings { write(FindingLine(finding, now: step.moment)) }
            case .polling, .scheduled, .omitted, .driver, .ended: break
            }
        }
    }

    mutating func update(_ results: [ExpectationResult], changed: [Int], at now: Moment) {
        for index in changed where results[index].outcome != .pending {
            write(ExpectationLine(results[index], host: host, now: now))
        }
    }

    mutating func tripEnded(_ trip: TripID, outcome: String, at now: Moment) {
        let time = Timestamp.text(now.wall)
        if isSummary, let sides = source.sides(of: trip) {
            if trip.kind == .trip {
                write(SidesLine(time: time, sides))
            } else if let state = source.state(of: trip), let shipment = state.trip {
                write(TripLine(shipment, state: state, now: now))
            }
        }
        // A log that has ended is no time-out.
        let word = outcome == "timed_out" && source.hasEnded ? "log_ended" : outcome
        write(EndLine(time: time, trip: trip.name, outcome: word))
    }

    private func write(_ line: some Encodable) { write(SanitizedJSON.line(line)) }
}
