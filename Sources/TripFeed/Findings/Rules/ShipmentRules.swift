import Failures
import Foundation
import TripModel

/// Shipments: their time window, their outcome, and what the sender shows.
extension FindingRule {
    // The columns of a row stay together.
    // swift-format-ignore
    static let shipments: [FindingRule] = [
        .answer(
            "arrivalAfterWindow", .findingArrivalAfterWindow, .findingArrivalAfterWindowWhat,
            .lasting,
            .warning,
            ["late", "end"],
            limits: [.windowDelay],
            arrivalAfterWindow
        ),
        .answer("windowPassed", .findingWindowPassed, .findingWindowPassedWhat, .lasting, .warning, ["late", "end"], limits: [.windowDelay], windowPassed),
        .answer(
            "outcomeNotClosed", .findingOutcomeNotClosed, .findingOutcomeNotClosedWhat,
            .lasting,
            .info,
            ["outcome", "since"],
            limits: [.openAfterOutcome],
            outcomeNotClosed
        ),
        .answer("stopsGrew", .findingStopsGrew, .findingStopsGrewWhat, .event, .warning, ["from", "to"], stopsGrew),
        .answer("valueHidden", .findingValueHidden, .findingValueHiddenWhat, .event, .info, ["hidden"], valueHidden),
    ]

    /// The vehicle is expected after the promised time, which has not passed yet.
    private static func arrivalAfterWindow(_ step: AnswerStep) -> Detection? {
        guard let end = step.openWindow?.end, step.time <= end, let arrival = step.journey.etaToFirstWaypoint else {
            return nil
        }
        let late = arrival.timeIntervalSince(end)
        return late > step.limits[.windowDelay] ? Detection(.seconds(late), .time(end)) : nil
    }

    /// The promised time has passed without an outcome.
    private static func windowPassed(_ step: AnswerStep) -> Detection? {
        guard let end = step.openWindow?.end else { return nil }
        let late = step.time.timeIntervalSince(end)
        return late > step.limits[.windowDelay] ? Detection(.seconds(late), .time(end)) : nil
    }

    /// The task has an outcome, but the vehicle has not left its stop for a long time.
    private static func outcomeNotClosed(_ step: AnswerStep) -> Detection? {
        guard let shipment = step.journey.shipment, shipment.state == .open, let outcome = shipment.outcome,
            let time = shipment.outcomeTime
        else { return nil }
        let since = step.time.timeIntervalSince(time)
        return since > step.limits[.openAfterOutcome] ? Detection(.text(outcome.name), .seconds(since)) : nil
    }

    /// There are more stops before the shipment's stop than before.
    private static func stopsGrew(_ step: AnswerStep) -> Detection? {
        guard let old = step.comparable?.shipment?.remainingStopCount,
            let now = step.journey.shipment?.remainingStopCount, now > old
        else { return nil }
        return Detection(.count(old), .count(now))
    }

    /// Values that the service showed are hidden although the shipment is open.
    private static func valueHidden(_ step: AnswerStep) -> Detection? {
        guard let old = step.old, old.status == .shipment(.open), step.journey.status == .shipment(.open) else {
            return nil
        }
        let hidden = step.journey.hidden.subtracting(old.hidden)
        guard !hidden.isEmpty else { return nil }
        let names = HiddenValue.allCases.filter(hidden.contains).map(\.rawValue)
        return Detection(.text(names.joined(separator: ",")))
    }
}

extension FindingLimit {
    static let windowDelay = seconds(
        "windowDelay",
        60,
        "the arrival of a shipment, or its outcome, is later than its time window by more than this"
    )
    static let openAfterOutcome = seconds(
        "openAfterOutcome",
        600,
        "a shipment is still open longer than this after its outcome"
    )
}

extension AnswerStep {
    /// The promise of a shipment that has no outcome and is open.
    fileprivate var openWindow: TimeWindow? {
        journey.status == .shipment(.open) ? journey.shipment?.targetTimeWindow : nil
    }
}
