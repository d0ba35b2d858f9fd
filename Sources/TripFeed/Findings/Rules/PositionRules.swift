import Failures
import Foundation
import Runtime
import TripModel

/// The vehicle's position.
extension FindingRule {
    // The columns of a row stay together.
    // swift-format-ignore
    static let positions: [FindingRule] = [
        .answer(
            "impossibleSpeed", .findingImpossibleSpeed, .findingImpossibleSpeedWhat,
            .event,
            .error,
            ["speed", "distance", "within"],
            limits: [.speed, .noise],
            impossibleSpeed
        ),
        .answer("positionGap", .findingPositionGap, .findingPositionGapWhat, .event, .warning, ["gap"], limits: [.gap], advice: .adviceDevice, positionGap),
        .answer(
            "positionStale", .findingPositionStale, .findingPositionStaleWhat,
            .lasting,
            .warning,
            ["age"],
            limits: [.measuredAge],
            advice: .adviceDevice,
            isLogged: false,
            positionStale
        ),
        .answer("offRoute", .findingOffRoute, .findingOffRouteWhat, .lasting, .warning, ["distance"], limits: [.offRoute], offRoute),
        .answer(
            "deviceClockAhead", .findingDeviceClockAhead, .findingDeviceClockAheadWhat,
            .lasting,
            .warning,
            ["ahead"],
            limits: [.deviceClock],
            advice: .adviceDeviceClock,
            isLogged: false,
            deviceClockAhead
        ),
        .answer(
            "positionLate", .findingPositionLate, .findingPositionLateWhat,
            .lasting,
            .warning,
            ["delay"],
            limits: [.lateness],
            advice: .adviceDevice,
            isLogged: false,
            positionLate
        ),
        .answer("reportsRare", .findingReportsRare, .findingReportsRareWhat, .lasting, .warning, ["interval", "reports"], limits: [.rareReports], advice: .adviceDevice, reportsRare),
        .answer("reportsFrequent", .findingReportsFrequent, .findingReportsFrequentWhat, .lasting, .info, ["interval", "reports"], limits: [.frequentReports], reportsFrequent),
    ]

    /// The distance between two positions is impossible in the time between them, even between the nearest points of
    /// their circles of accuracy.
    ///
    /// Uses the device's time, because positions that were sent late would cause false jumps in the service's time.
    private static func impossibleSpeed(_ step: AnswerStep) -> Detection? {
        guard let position = step.position, let previous = step.previousPosition, let from = previous.coordinate,
            let to = position.coordinate, let before = previous.measuredTime, let now = position.measuredTime
        else { return nil }
        let (meters, seconds) = (from.distance(to: to).meters, now.timeIntervalSince(before))
        let certain = meters - max(0, previous.accuracy ?? 0) - max(0, position.accuracy ?? 0)
        guard seconds > 0, certain > step.limits[.noise], certain / seconds > step.limits[.speed] else { return nil }
        return Detection(.metersPerSecond(meters / seconds), .meters(meters), .seconds(seconds))
    }

    /// No new position arrived for a while.
    ///
    /// Reports only the certain gap: positions that were replaced between two polls are unknown.
    private static func positionGap(_ step: AnswerStep) -> Detection? {
        // Newer positions may be behind the cache: ``answerCached`` reports it.
        guard step.after.cache == nil, let before = step.before, let last = step.previousPosition?.serverTime,
            let now = step.position?.serverTime, now > last, let lastAnswer = before.lastAnswer
        else { return nil }
        let certain = min(before.serviceTime(lastAnswer), now).timeIntervalSince(last)
        return certain > step.limits[.gap] ? Detection(.seconds(now.timeIntervalSince(last))) : nil
    }

    /// The position is old although the vehicle is en route.
    private static func positionStale(_ step: AnswerStep) -> Detection? {
        guard step.isUnderWay, step.after.cache == nil,
            let measured = step.position?.measuredTime ?? step.position?.serverTime
        else {
            return nil
        }
        let age = step.time.timeIntervalSince(measured)
        return age > step.limits[.measuredAge] ? Detection(.seconds(age)) : nil
    }

    /// The vehicle is not on its route.
    private static func offRoute(_ step: AnswerStep) -> Detection? {
        guard step.isUnderWay, let position = step.position, let offRoute = step.journey.offRoute else { return nil }
        let distance = offRoute - max(0, position.accuracy ?? 0)
        return distance > step.limits[.offRoute] ? Detection(.meters(offRoute)) : nil
    }

    /// The device's timestamp of the position is in the future.
    private static func deviceClockAhead(_ step: AnswerStep) -> Detection? {
        guard let delay = step.positionDelay, -delay > step.limits[.deviceClock] else { return nil }
        // A service whose clock is behind receives each position before its measurement.
        if case .service(let offset) = step.clocks, -delay + offset.seconds <= step.limits[.deviceClock] { return nil }
        return Detection(.seconds(-delay))
    }

    /// The position arrived long after its measurement.
    private static func positionLate(_ step: AnswerStep) -> Detection? {
        guard let delay = step.positionDelay, delay > step.limits[.lateness] else { return nil }
        return Detection(.seconds(delay))
    }

    /// Most of the last reports came too long after the previous report.
    private static func reportsRare(_ step: AnswerStep) -> Detection? {
        guard let interval = step.durations.reports.longMedian, interval > step.limits[.rareReports] else { return nil }
        return Detection(.seconds(interval), .count(ReportRate.count))
    }

    /// Most of the last reports came too soon after the previous report; only polls that are as frequent show this.
    private static func reportsFrequent(_ step: AnswerStep) -> Detection? {
        guard let interval = step.durations.reports.shortMedian, interval < step.limits[.frequentReports] else {
            return nil
        }
        return Detection(.seconds(interval), .count(ReportRate.count))
    }
}

extension FindingLimit {
    /// A speed that is impossible for a car; the limit of Google's Fleet Debugger.
    static let speed = metersPerSecond("speed", 68, "two positions could only be reached by a faster vehicle")
    /// The time without a new position: three reports of a device that reports every 10 s.
    static let gap = seconds("gap", 30, "no new position for longer than this")
    static let measuredAge = seconds("measuredAge", 60, "the position of a vehicle under way is older than this")
    /// The distance between a vehicle and its route, minus the accuracy of its position.
    package static let offRoute = meters("offRoute", 50, "the vehicle is further than this from the route")
    static let deviceClock = seconds("deviceClock", 5, "a position was measured further than this in the future")
    /// Twice the interval of a vehicle without a trip; a vehicle with a trip reports every 5 s.
    package static let rareReports = seconds(
        "rareReports",
        20,
        "the driver reports less often than this: the median of the last reports"
    )
    /// The Driver SDK reports every 5 s at most.
    package static let frequentReports = seconds(
        "frequentReports",
        2,
        "the driver reports more often than this: the median of the last reports"
    )
    static let lateness = seconds("lateness", 30, "a position took longer than this from the device to the service")
}

extension AnswerStep {
    /// The time from the measurement of the position to its receipt by the service, in seconds.
    fileprivate var positionDelay: Double? {
        guard let measured = position?.measuredTime, let received = position?.serverTime else { return nil }
        return received.timeIntervalSince(measured)
    }
}
