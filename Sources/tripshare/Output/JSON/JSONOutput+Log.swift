import Recording
import Runtime
import TripFeed
import TripModel

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
