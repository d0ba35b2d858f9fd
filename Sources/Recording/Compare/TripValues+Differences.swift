import Runtime
import TripModel

extension TripValues {
    /// The greatest speed in meters per second at which a vehicle moves within the tolerance of times.
    private static let fastest = 40.0
    /// The maximum number of samples that are compared with one of the other session.
    private static let widest = 100

    /// Returns how the values of another session differ from these, in the order of ``TripField``; times are equal if they
    /// differ by at most `tolerance` seconds.
    func differences(to other: TripValues, tolerance: Double) -> [SessionDifference.Kind] {
        let meters = max(Self.sameMeters, Self.fastest * tolerance)
        return TripField.allCases.flatMap { field -> [SessionDifference.Kind] in
            switch field {
            case .lastLocation:
                let place = Self.difference(
                    field,
                    (positions, other.positions),
                    (tolerance, meters),
                    description: { Value(places: [$0]).description },
                    apart: { $0.distance(to: $1).meters }
                )
                return place + SessionDifference.Measure.allCases.compactMap { difference($0, other, tolerance) }
            case .remainingDistanceMeters:
                return Self.difference(
                    field,
                    (distances, other.distances),
                    (tolerance, meters),
                    description: Self.meters,
                    apart: { abs($0 - $1) }
                )
            default:
                let ways = field == .remainingWaypoints ? differenceOfWays(other, (tolerance, meters)) : []
                let (a, b) = (values[field] ?? [], other.values[field] ?? [])
                // Which stop is next says nothing if only one session has stops.
                if field == .intermediateDestinationIndex, a.isEmpty != b.isEmpty { return [] }
                guard a.count != b.count || !zip(a, b).allSatisfy({ $0.isSame(as: $1) }) else { return ways }
                return [.values(field, a: a.map(\.description), b: b.map(\.description))] + ways
            }
        }
    }

    /// Whole meters.
    private static func meters(_ meters: Double) -> String { String(Int(clamped: meters.rounded())) }

    /// Returns the greatest difference of the way to a remaining waypoint; at most one, because the ways follow each other.
    private func differenceOfWays(
        _ other: TripValues,
        _ tolerance: (seconds: Double, meters: Double)
    ) -> [SessionDifference.Kind] {
        var greatest: (kind: SessionDifference.Kind, meters: Double)?
        for way in Set(ways.keys).union(other.ways.keys).sorted() {
            let samples = (ways[way] ?? [], other.ways[way] ?? [])
            let found = Self.difference(
                .remainingWaypoints,
                samples,
                tolerance,
                description: Self.meters,
                apart: { abs($0 - $1) }
            )
            guard let kind = found.first else { continue }
            var apart = 0.0
            if case .distance(_, _, let meters) = kind { apart = meters }
            if greatest.map({ $0.meters < apart }) ?? true { greatest = (kind, apart) }
        }
        return greatest.map { [$0.kind] } ?? []
    }

    /// Returns how a measure of the vehicle differs, if it does.
    private func difference(
        _ measure: SessionDifference.Measure,
        _ other: TripValues,
        _ tolerance: Double
    ) -> SessionDifference.Kind? {
        let samples = [self, other].map { $0.measures[measure] ?? [] }
        guard let lastA = samples[0].last, let lastB = samples[1].last else {
            guard samples[0].isEmpty != samples[1].isEmpty else { return nil }
            return .missingMeasure(measure, inA: samples[0].isEmpty, inB: samples[1].isEmpty)
        }
        let end = min(lastA.time, lastB.time) + tolerance
        var (greatest, found) = (measure.tolerance, SessionDifference.Kind?.none)
        for isSwapped in [false, true] {
            let (one, others) = isSwapped ? (samples[1], samples[0]) : (samples[0], samples[1])
            for sample in one where sample.time <= end {
                let near = Self.nearby(sample.time, in: others, tolerance)
                    .min { measure.apart($0.content, sample.content) < measure.apart($1.content, sample.content) }
                guard let near, measure.apart(near.content, sample.content) > greatest else { continue }
                greatest = measure.apart(near.content, sample.content)
                let (a, b) = isSwapped ? (near.content, sample.content) : (sample.content, near.content)
                found = .measure(measure, at: sample.time, a: a, b: b)
            }
        }
        return found
    }

    /// Returns the greatest difference of samples that were valid at the same time, if it is beyond the tolerance.
    ///
    /// Only times that both sessions have seen are compared, because one of them may end earlier.
    private static func difference<Content>(
        _ field: TripField,
        _ samples: (a: [Sample<Content>], b: [Sample<Content>]),
        _ tolerance: (seconds: Double, meters: Double),
        description: (Content) -> String,
        apart: (Content, Content) -> Double
    ) -> [SessionDifference.Kind] {
        guard let lastA = samples.a.last, let lastB = samples.b.last else {
            let first = [samples.a, samples.b].map { $0.first.map { [description($0.content)] } ?? [] }
            return first[0] == first[1] ? [] : [.values(field, a: first[0], b: first[1])]
        }
        let end = min(lastA.time, lastB.time) + tolerance.seconds
        var greatest = (time: 0.0, meters: tolerance.meters)
        for (one, other) in [(samples.a, samples.b), (samples.b, samples.a)] {
            for sample in one where sample.time <= end {
                let near = nearby(sample.time, in: other, tolerance.seconds)
                guard let meters = near.map({ apart(sample.content, $0.content) }).min(), meters > greatest.meters
                else { continue }
                greatest = (sample.time, meters)
            }
        }
        return greatest.meters > tolerance.meters ? [.distance(field, at: greatest.time, meters: greatest.meters)] : []
    }

    /// Returns the samples that were valid at a time, within the tolerance in seconds.
    private static func nearby<Content>(
        _ time: Double,
        in samples: [Sample<Content>],
        _ tolerance: Double
    ) -> some Sequence<Sample<Content>> {
        var (low, high) = (0, samples.count)
        while low < high {
            let middle = (low + high) / 2
            if samples[middle].time < time - tolerance { low = middle + 1 } else { high = middle }
        }
        return samples[max(0, low - 1)...].prefix(widest).prefix { $0.time <= time + tolerance }
    }
}

extension SessionDifference.Measure {
    /// The maximum difference of equal values: what a vehicle that goes straight on at a constant speed reports.
    fileprivate var tolerance: Double {
        switch self {
        case .speed: 2
        case .heading: 20
        }
    }

    fileprivate func apart(_ a: Double, _ b: Double) -> Double {
        let apart = abs(a - b)
        return self == .heading ? min(apart, 360 - apart) : apart
    }
}
