import FleetTokens
import Foundation
import Recording
import Runtime
import TripFeed
import TripModel
import TripText

/// Writes the entries of a log as sentences, one per line.
///
/// The calls about a shipment have no sides: its sentences are about what its recipient could see after each of them.
struct LogPlainOutput: SessionOutput {
    private let zone: Zone
    private let localizer: Localizer
    private let namesTrips: Bool
    /// Whether only the last state of each trip is written, at the end.
    private let isSummary: Bool
    private let source: LogSource
    private let write: @Sendable (String) -> Void
    /// What was said about the shipments.
    private var shipments: PlainLines

    /// Creates an output that passes each line to a closure.
    init(
        _ configuration: SessionConfiguration,
        _ source: LogSource,
        _ localizer: Localizer,
        write: @escaping @Sendable (String) -> Void = { Printing.out($0) }
    ) {
        if let text = localizer.fallback { Printing.error(text) }
        zone = configuration.output.zone(at: configuration.clock.now().wall)
        self.localizer = localizer
        namesTrips = source.trips.count != 1
        isSummary = configuration.isSummary
        shipments = PlainLines(
            host: configuration.endpoint.displayName,
            zone: zone,
            localizer: localizer,
            namesTrips: namesTrips
        )
        self.source = source
        self.write = write
    }

    mutating func update(_ event: FeedEvent, at now: Moment) {}
    mutating func update(_ event: TokenEvent, at now: Moment) {}

    mutating func update(_ step: LiveLog.Step, at now: Moment) {
        guard !isSummary else { return }
        if step.sides.id.kind == .shipment {
            for line in step.events.flatMap({ shipments.lines(for: $0, now: step.moment) }) { self.write(line) }
            return
        }
        let trip = namesTrips ? "\(Reporter.sanitized(step.sides.id.rawValue, limit: 64))  " : ""
        func write(_ text: String) { self.write("\(zone.clock(step.time))  \(trip)\(text)") }
        if step.isRefused, let refused = step.sides.errors[step.side] {
            let message = UserMessage(refused, side: step.side, trip: step.sides.id, localizer: localizer)
            write(
                message.remedy.map { localizer(.sentenceAndAdvice, ["sentence": message.what, "advice": $0]) }
                    ?? message.what
                    + localizer(.fullStop)
            )
        } else if let report = step.sides.reports[step.side] {
            write(localizer.line(of: report, side: step.side, zone: zone))
        }
        for difference in step.began { write(localizer.sentence(of: difference) + localizer(.fullStop)) }
        if !step.ended.isEmpty, step.sides.differences.isEmpty { write(localizer(.sideNoDifference)) }
    }

    mutating func update(_ results: [ExpectationResult], changed: [Int], at now: Moment) {
        for index in changed where results[index].outcome != .pending {
            let result = results[index]
            let sentence = localizer.sentence(about: result, in: zone) + localizer(.fullStop)
            write("\(zone.clock(result.time ?? now.wall))  \(sentence)")
        }
    }

    mutating func tripEnded(_ trip: TripID, outcome: String, at now: Moment) {
        guard isSummary, let sides = source.sides(of: trip) else { return }
        write(Reporter.sanitized(trip.rawValue, limit: 64))
        if trip.kind == .shipment, let state = source.state(of: trip), state.trip != nil {
            write("  " + shipments.summary(of: state, now: now) + localizer(.fullStop))
        }
        for side in TripSide.allCases {
            if let report = sides.reports[side] {
                let age = localizer(
                    .positionOld,
                    ["age": localizer.age(.seconds(now.wall.timeIntervalSince(report.time)))]
                )
                write("  \(localizer.line(of: report, side: side, zone: zone)) (\(age))")
            }
            if let refused = sides.errors[side] {
                let message = UserMessage(refused, side: side, trip: trip, localizer: localizer)
                write(
                    "  "
                        + (message.remedy.map {
                            localizer(.sentenceAndAdvice, ["sentence": message.what, "advice": $0])
                        } ?? message.what)
                )
            }
        }
        for difference in sides.differences { write("  " + localizer.sentence(of: difference) + localizer(.fullStop)) }
    }
}
