import FleetTokens
import Foundation
import Recording
import Runtime
import TripFeed
import TripModel
import TripText

/// Converts the entries of a log to sentences, one per line.
///
/// The calls about a shipment have no sides: its sentences are about what its recipient could see after each of them, and about
/// the recipient's refused calls.
struct PlainLogLines: Sendable {
    let zone: Zone
    let localizer: Localizer
    let namesTrips: Bool
    let source: LogSource

    /// Returns the lines of an entry about a trip.
    func lines(of step: LiveLog.Step) -> [String] {
        var lines: [String] = []
        let trip = namesTrips ? "\(Reporter.sanitized(step.sides.id.rawValue, limit: 64))  " : ""
        func write(_ text: String) { lines.append("\(zone.clock(step.time))  \(trip)\(text)") }
        if step.isRefused, let refused = step.sides.errors[step.side] {
            let message = UserMessage(refused, side: step.side, journey: step.sides.id, localizer: localizer)
            write(
                message.remedy.map { localizer(.sentenceAndAdvice(sentence: message.what, advice: $0)) }
                    ?? message.what
                    + localizer(.fullStop)
            )
        } else if let report = step.sides.reports[step.side] {
            write(localizer.line(of: report, side: step.side, in: step.sides.id.kind, zone: zone))
        }
        for difference in step.began { write(localizer.sentence(of: difference) + localizer(.fullStop)) }
        if !step.ended.isEmpty, step.sides.differences.isEmpty { write(localizer(.sideNoDifference)) }
        return lines
    }

    /// Returns the lines of the last state of a trip or a shipment; `shipments` has the words for shipments.
    func lastLines(of journey: JourneyID, _ shipments: PlainLines, now: Moment) -> [String] {
        guard let sides = source.sides(of: journey) else { return [] }
        var lines: [String] = []
        func write(_ text: String) { lines.append(text) }
        write(Reporter.sanitized(journey.rawValue, limit: 64))
        if journey.kind == .shipment, let state = source.state(of: journey), state.journey != nil {
            write("  " + shipments.summary(of: state, now: now) + localizer(.fullStop))
        }
        for side in TripSide.allCases {
            if let report = sides.reports[side] {
                let age = localizer(
                    .positionOld(age: localizer.age(.seconds(now.wall.timeIntervalSince(report.time))))
                )
                write("  \(localizer.line(of: report, side: side, in: journey.kind, zone: zone)) (\(age))")
            }
            if let refused = sides.errors[side] {
                let message = UserMessage(refused, side: side, journey: journey, localizer: localizer)
                write(
                    "  "
                        + (message.remedy.map {
                            localizer(.sentenceAndAdvice(sentence: message.what, advice: $0))
                        } ?? message.what)
                )
            }
        }
        for difference in sides.differences { write("  " + localizer.sentence(of: difference) + localizer(.fullStop)) }
        return lines
    }
}
