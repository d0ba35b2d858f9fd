import Failures
import TripModel

/// Values of answers that cannot be read or cannot be true.
extension FindingRule {
    // The columns of a row stay together.
    // swift-format-ignore
    static let values: [FindingRule] = [
        .answer("valueUnreadable", .findingValueUnreadable, .findingValueUnreadableWhat, .lasting, .warning, [], advice: .adviceBackend, valueUnreadable),
        .answer("valueImplausible", .findingValueImplausible, .findingValueImplausibleWhat, .lasting, .warning, [], limits: [.speed], advice: .adviceBackend, valueImplausible),
        .answer("coordinatesSwapped", .findingCoordinatesSwapped, .findingCoordinatesSwappedWhat, .event, .warning, [], limits: [.placeDistance], advice: .adviceBackend, coordinatesSwapped),
    ]

    /// A value has a form that its field cannot have, such as a time without a zone, so it counts as missing.
    private static func valueUnreadable(_ step: AnswerStep) -> Detection? {
        let unreadable = step.answer.unreadable
        return unreadable.isEmpty ? nil : Detection(named: unreadable.map { Evidence($0.name, .text($0.text)) })
    }

    /// A negative distance, or a speed that is impossible for a car.
    private static func valueImplausible(_ step: AnswerStep) -> Detection? {
        let journey = step.answer
        var evidence: [Evidence] = []
        if let speed = journey.lastLocation?.speed, !(slowest...step.limits[.speed]).contains(speed) {
            evidence.append(Evidence("lastLocation.speed", .text("\(speed) m/s")))
        }
        let waypoints = journey.remainingWaypoints.enumerated().map { index, waypoint in
            ("remainingWaypoints[\(index)].distanceMeters", waypoint.distance)
        }
        for (path, distance) in [("remainingDistanceMeters", journey.remainingDistance)] + waypoints {
            guard let meters = distance?.meters, meters < 0, evidence.count < maximumValues else { continue }
            evidence.append(Evidence(path, .text("\(meters) m")))
        }
        return evidence.isEmpty ? nil : Detection(named: evidence)
    }

    /// A place is far from the rest of the trip, and near it with latitude and longitude exchanged.
    private static func coordinatesSwapped(_ step: AnswerStep) -> Detection? {
        let found = step.durations.swapped.found.prefix(maximumValues)
        guard !found.isEmpty else { return nil }
        return Detection(
            named: found.map { Evidence($0.field, .text("\($0.coordinate.latitude), \($0.coordinate.longitude)")) }
        )
    }

    /// The lowest plausible speed in meters per second: phones of stationary vehicles report small negative speeds.
    private static let slowest = -5.0

    /// The maximum number of values that are named.
    private static let maximumValues = 8
}

extension FindingLimit {
    /// Further than most drives, and than places where latitude and longitude are nearly equal lie from their exchanged ones.
    static let placeDistance = meters(
        "placeDistance",
        300_000,
        "a place is further than this from the rest of the trip, and near it with latitude and longitude exchanged"
    )
}
