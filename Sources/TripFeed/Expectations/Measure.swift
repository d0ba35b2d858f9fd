import FleetTokens
import FleetWire
import Foundation
import Runtime
import TripModel

/// The values of the measures whose forms are ``MeasureForm/all``.
enum Measure {
    /// Returns the value of a measure for an argument at a time; `nil` if it is unknown.
    typealias Value = @Sendable (TripObservation, String, Moment) -> MeasuredValue?

    /// The IDs of all measures.
    static var ids: Set<String> { Set(values.keys) }

    private static func number(_ value: @escaping @Sendable (TripObservation, Moment) -> Double?) -> Value {
        { observation, _, now in value(observation, now).map { .number($0) } }
    }

    /// The values by the IDs of the measures.
    static let values: [String: Value] = [
        "overdue": number { seen, _ in seen.state?.overdue?.seconds },
        "delay": number { seen, _ in seen.state?.dropoffDelay },
        "pickup-delay": number { seen, _ in seen.state?.pickupDelay },
        "eta-slip": number { seen, _ in seen.slip },
        "remaining-time": number { seen, now in
            guard let state = seen.state, let arrival = state.journey?.firstArrival else { return nil }
            return arrival.timeIntervalSince(state.serviceTime(now))
        },
        "remaining-distance": number { seen, _ in seen.state?.journey?.remainingDistance?.meters },
        "position-age": number { $0.state?.receivedAge(at: $1)?.seconds },
        "accuracy": number { seen, _ in seen.state?.journey?.lastLocation?.accuracy },
        "route-distance": number { seen, _ in seen.state?.journey?.offRoute },
        "speed": number { seen, _ in seen.state?.speed },
        "vehicle": { seen, _, _ in (seen.state?.journey?.vehicleID).map { .text($0.rawValue) } },
        "passengers": number { seen, _ in (seen.state?.journey?.passengers).map(Double.init) },
        "waypoints": number { seen, _ in (seen.state?.journey?.remainingWaypoints.count).map(Double.init) },
        "others-ahead": number { seen, _ in (seen.state?.foreignWaypointsAhead).map(Double.init) },
        "polls": number { seen, _ in (seen.calls?.total).map(Double.init) },
        "failures": { seen, argument, _ in
            guard let calls = seen.calls else { return nil }
            if argument.isEmpty { return .number(Double(calls.failureCount)) }
            let count = Int(argument).map { calls.statuses[$0] ?? 0 } ?? calls.failures[argument] ?? 0
            return .number(Double(count))
        },
        "latency": number { seen, _ in seen.latencies.last },
        "latency.max": number { seen, _ in seen.latencies.largest },
        "latency.p50": number { seen, _ in seen.latencies.percentile(0.5) },
        "latency.p95": number { seen, _ in seen.latencies.percentile(0.95) },
        "bytes": number { seen, _ in seen.bytes.map(Double.init) },
        "token.fetches": number { seen, _ in (seen.token?.fetches).map(Double.init) },
        "token.number": number { seen, _ in (seen.token?.generation).map(Double.init) },
        "token.failures": number { seen, _ in (seen.token?.failures).map(Double.init) },
        "token.lifetime": number { seen, _ in
            guard let token = seen.token, let issued = token.issuedAt, let expires = token.expiresAt else { return nil }
            return expires.timeIntervalSince(issued)
        },
        "token.left": number { seen, now in
            guard let expires = seen.token?.expiresAt else { return nil }
            return expires.timeIntervalSince(seen.state?.serviceTime(now) ?? now.wall)
        },
        "attribute": { seen, argument, _ in
            (seen.state?.journey?.attributes.first { $0.key == argument }?.value.text).map { .text($0) }
        },
        "trip": { seen, argument, _ in
            seen.fields.flatMap { fields in FieldPath(argument)?.value(in: fields) }
        },
    ]
}

extension Journey {
    /// The distance of the vehicle's position from the route in meters; `nil` without a position or a route.
    package var offRoute: Double? {
        guard let coordinate = lastLocation?.coordinate, let route, route.points.count > 1 else { return nil }
        return route.nearest(to: coordinate)?.offRoute
    }
}
