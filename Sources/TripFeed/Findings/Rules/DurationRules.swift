import Failures
import Foundation
import Runtime
import TripModel

/// Conditions that last over many answers.
extension FindingRule {
    // The columns of a row stay together.
    // swift-format-ignore
    static let durations: [FindingRule] = [
        .answer("standsStill", .findingStandsStill, .findingStandsStillWhat, .lasting, .warning, ["for"], limits: [.standstill, .noise], standsStill),
        .answer("arrivalSlides", .findingArrivalSlides, .findingArrivalSlidesWhat, .lasting, .info, ["for", "shift"], limits: [.arrivalSlide], arrivalSlides),
        .answer(
            "trackingMissing", .findingTrackingMissing, .findingTrackingMissingWhat,
            .lasting,
            .warning,
            ["for", "missing"],
            limits: [.gap],
            advice: .adviceBackend,
            trackingMissing
        ),
    ]

    /// The vehicle has not moved for a while although it is en route.
    private static func standsStill(_ step: AnswerStep) -> Detection? {
        guard let duration = step.durations.stationary, duration > step.limits[.standstill] else { return nil }
        return Detection(.seconds(duration))
    }

    /// The ETA advances as fast as the clock: the vehicle gets no closer.
    private static func arrivalSlides(_ step: AnswerStep) -> Detection? {
        step.durations.slide.longest(atLeast: step.limits[.arrivalSlide])
            .map { Detection(.seconds($0.time), .seconds($0.shift)) }
    }

    /// A trip in progress has had no position, route or ETA for a while.
    private static func trackingMissing(_ step: AnswerStep) -> Detection? {
        let missing = TripDurations.requiredFields.compactMap { field, name -> (name: String, seconds: Double)? in
            step.durations.missing[field].map { (name, step.time.timeIntervalSince($0)) }
        }.filter { $0.seconds > step.limits[.gap] }
        guard let longest = missing.map(\.seconds).max() else { return nil }
        return Detection(.seconds(longest), .text(missing.map(\.name).joined(separator: ",")))
    }
}

extension FindingLimit {
    static let standstill = seconds("standstill", 180, "the vehicle has not moved for longer than this while under way")
    /// Movements below this are position noise of a stationary device.
    static let noise = meters("noise", 10, "smaller movements count as none")
    static let arrivalSlide = seconds(
        "arrivalSlide",
        40,
        "the predicted arrival moves on with the clock for longer than this"
    )
}
