import FleetWire
import TripModel

/// The values of one trip that a rider sees, in the order in which they appeared.
///
/// A value that an answer lacks stays as it was. Predicted times and statuses are compared separately.
package struct TripValues: Sendable, Equatable {
    /// A value of a field: a name or a number, places, or both.
    struct Value: Sendable, Equatable {
        var text = ""
        var places: [Coordinate] = []

        /// The value in one line; degrees with five decimals, which are about 1 m.
        var description: String {
            let places = places.map { place in
                [place.latitude, place.longitude].map { "\(($0 * 1e5).rounded() / 1e5)" }.joined(separator: ",")
            }
            return ([text] + places).filter { !$0.isEmpty }.joined(separator: " ")
        }

        /// Returns whether two values are the same; places are if they are at most ``sameMeters`` apart.
        func isSame(as other: Value) -> Bool {
            text == other.text && places.count == other.places.count
                && zip(places, other.places).allSatisfy { $0.distance(to: $1).meters <= TripValues.sameMeters }
        }
    }

    /// A position, or a distance in meters, since a time.
    struct Sample<Content: Sendable & Equatable>: Sendable, Equatable {
        /// Seconds since the start of the session.
        var time: Double
        var content: Content
    }

    /// The maximum distance of two places that count as the same, as for findings about a moved place.
    static let sameMeters = 20.0
    /// The maximum number of values of a field.
    static let mostValues = 64
    /// The maximum number of characters of a text.
    private static let longestText = 200

    private(set) var values: [TripField: [Value]] = [:]
    private(set) var positions: [Sample<Coordinate>] = []
    private(set) var distances: [Sample<Double>] = []
    /// The lengths of the ways to the remaining waypoints: 0 is the last one.
    private(set) var ways: [Int: [Sample<Double>]] = [:]
    private(set) var measures: [SessionDifference.Measure: [Sample<Double>]] = [:]

    /// Records an observation at a time in seconds since the start.
    mutating func record(_ journey: Journey, at time: Double) {
        for (field, content) in TripFieldRow.contents(of: journey) { add(field, content.text, places: content.places) }
        if let place = journey.lastLocation?.coordinate, positions.last?.content != place {
            positions.append(Sample(time: time, content: place))
        }
        Self.note(journey.remainingDistance?.meters, at: time, in: &distances)
        for (way, waypoint) in journey.remainingWaypoints.suffix(SessionSummary.mostStops).reversed().enumerated() {
            guard let meters = waypoint.distance?.meters else { continue }
            Self.note(meters, at: time, in: &ways[way, default: []])
        }
        if let location = journey.lastLocation {
            if let speed = location.speed { Self.note(max(0, speed), at: time, in: &measures[.speed, default: []]) }
            if let heading = location.heading {
                Self.note(Double(heading), at: time, in: &measures[.heading, default: []])
            }
        }
    }

    private static func note(_ value: Double?, at time: Double, in samples: inout [Sample<Double>]) {
        guard let value, samples.last?.content != value else { return }
        samples.append(Sample(time: time, content: value))
    }

    private mutating func add(_ field: TripField, _ text: String? = nil, places: [Coordinate?] = []) {
        let value = Value(
            text: text.map { String($0.prefix(Self.longestText)) } ?? "",
            places: places.compactMap(\.self)
        )
        guard !value.text.isEmpty || !value.places.isEmpty else { return }
        let known = values[field, default: []]
        guard known.count < Self.mostValues, known.last.map({ !$0.isSame(as: value) }) ?? true else { return }
        values[field, default: []].append(value)
    }

    /// The fields that have a value.
    var fields: Set<TripField> {
        Set(values.keys).union(positions.isEmpty ? [] : [.lastLocation])
            .union(distances.isEmpty ? [] : [.remainingDistanceMeters])
    }
}
