import TripFeed
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
                return Self.difference(
                    field,
                    (positions, other.positions),
                    (tolerance, meters),
                    description: { Value(places: [$0]).description },
                    apart: { $0.distance(to: $1).meters }
                )
            case .remainingDistanceMeters:
                return Self.difference(
                    field,
                    (distances, other.distances),
                    (tolerance, meters),
                    description: { "\($0.rounded())" },
                    apart: { abs($0 - $1) }
                )
            default:
                let (a, b) = (values[field] ?? [], other.values[field] ?? [])
                guard a.count != b.count || !zip(a, b).allSatisfy({ $0.isSame(as: $1) }) else { return [] }
                return [.values(field, a: a.map(\.description), b: b.map(\.description))]
            }
        }
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
