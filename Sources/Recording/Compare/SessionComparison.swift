package import TripModel

/// Compares two sessions.
///
/// Trips with the same ID belong together; the others are matched in order of their appearance, because a repeated run usually
/// has new trips. Times are equal if they differ by at most ``tolerance``. Counts of polls may differ by one, because a session
/// may end shortly before or after a poll. The path of a route and its traffic are not compared.
/// Logs have neither polls nor findings, so these are compared only if both have them.
package struct SessionComparison: Sendable {
    /// The maximum difference of equal times in seconds.
    package let tolerance: Double
    /// The differences by trip.
    package private(set) var differences: [SessionDifference] = []
    /// The fields that were compared: those that a trip of both sessions, or of one of them, has.
    package private(set) var fields: Set<TripField> = []
    /// Whether polls, errors and findings were compared.
    package let hasPolls: Bool

    /// Compares two sessions.
    ///
    /// - Parameters:
    ///   - a: The first session.
    ///   - b: The second session.
    ///   - tolerance: The maximum difference of equal times in seconds. By default the longest poll interval, because a change
    ///     is seen with the next poll; at least 1 s.
    package init(_ a: SessionSummary, _ b: SessionSummary, tolerance: Double? = nil) {
        self.tolerance = tolerance ?? max(1, a.interval, b.interval)
        hasPolls = a.hasPolls && b.hasPolls
        for (one, other) in Self.pairs(a.trips, b.trips) {
            switch (one, other) {
            case (let one?, let other?): compare(one, other)
            case (let trip?, nil), (nil, let trip?):
                let kind = SessionDifference.Kind.missingTrip(inA: one == nil, inB: other == nil)
                differences.append(SessionDifference(journey: trip.id, kind: kind))
            case (nil, nil): break
            }
        }
    }

    private typealias TripSummary = SessionSummary.TripSummary

    private static func pairs(_ a: [TripSummary], _ b: [TripSummary]) -> [(TripSummary?, TripSummary?)] {
        var others: [JourneyID: TripSummary] = [:]
        for trip in b { others[trip.id] = trip }
        let known = Set(a.map(\.id))
        var rest = b.filter { !known.contains($0.id) }[...]
        var pairs: [(TripSummary?, TripSummary?)] = a.map { ($0, others[$0.id] ?? rest.popFirst()) }
        pairs += rest.map { (nil, $0) }
        return pairs
    }

    private mutating func compare(_ a: TripSummary, _ b: TripSummary) {
        func add(_ kind: SessionDifference.Kind) {
            differences.append(SessionDifference(journey: a.id, otherTrip: a.id == b.id ? nil : b.id, kind: kind))
        }
        let statuses =
            a.statuses.map(\.status)
            + b.statuses.map(\.status).filter { status in
                !a.statuses.contains { $0.status == status }
            }
        for status in statuses {
            let times = [a, b].map { $0.statuses.first { $0.status == status }?.time }
            if let one = times[0], let other = times[1], abs(one - other) <= tolerance { continue }
            add(.status(status, a: times[0], b: times[1]))
        }
        let orders = [a, b].map { $0.statuses.map(\.status) }
        if orders[0] != orders[1], Set(orders[0]) == Set(orders[1]) { add(.order(a: orders[0], b: orders[1])) }
        if !a.statuses.isEmpty || !b.statuses.isEmpty { fields.insert(.tripStatus) }
        for place in SessionDifference.Place.allCases where place != .stop {
            let (one, other) = (a.arrivals[place] ?? [], b.arrivals[place] ?? [])
            if !one.isEmpty || !other.isEmpty { fields.insert(place.field) }
            if one.isEmpty != other.isEmpty {
                add(.missingArrival(place, inA: one.isEmpty, inB: other.isEmpty))
            } else if let greatest = greatestDifference(one, other) {
                add(.arrival(place, at: greatest.time, a: greatest.a, b: greatest.b))
            }
        }
        compareStops(a, b, add)
        fields.formUnion(a.values.fields.union(b.values.fields))
        for kind in a.values.differences(to: b.values, tolerance: tolerance) { add(kind) }
        guard hasPolls else { return }
        if abs(a.polls - b.polls) > 1 { add(.polls(a: a.polls, b: b.polls)) }
        for (code, counts) in Self.counts(a.errors, b.errors) { add(.errors(code: code, a: counts.a, b: counts.b)) }
        for (rule, counts) in Self.counts(a.findings, b.findings) {
            add(.findings(rule: rule, a: counts.a, b: counts.b))
        }
    }

    /// Returns the keys whose counts differ, in alphabetical order.
    private static func counts(_ a: [String: Int], _ b: [String: Int]) -> [(String, (a: Int, b: Int))] {
        Set(a.keys).union(b.keys).sorted().compactMap { key in
            let counts = (a: a[key] ?? 0, b: b[key] ?? 0)
            return counts.a == counts.b ? nil : (key, counts)
        }
    }

    // MARK: Predictions

    typealias Estimate = SessionSummary.Estimate

    /// The maximum number of predictions that are compared with one of the other session.
    private static let widest = 100

    /// Returns the greatest difference beyond the tolerance of predictions that were valid at the same time.
    ///
    /// A prediction is compared with all of the other session that were valid within the tolerance, and the nearest counts.
    /// Otherwise, a jump that is received a moment later would be a difference.
    func greatestDifference(_ a: [Estimate], _ b: [Estimate]) -> (time: Double, a: Double, b: Double)? {
        var greatest: (time: Double, a: Double, b: Double)?
        func compare(_ estimates: [Estimate], with others: [Estimate], areSwapped: Bool) {
            for estimate in estimates {
                guard let arrival = estimate.arrival,
                    let other = nearest(to: arrival, at: estimate.received, in: others),
                    abs(other - arrival) > max(tolerance, greatest.map { abs($0.a - $0.b) } ?? 0)
                else { continue }
                greatest =
                    areSwapped
                    ? (estimate.received, other, arrival) : (estimate.received, arrival, other)
            }
        }
        compare(a, with: b, areSwapped: false)
        compare(b, with: a, areSwapped: true)
        return greatest
    }

    private func nearest(to arrival: Double, at time: Double, in estimates: [Estimate]) -> Double? {
        // The first estimate that was received within the tolerance, and the estimate before it, which was valid until then.
        var low = 0
        var high = estimates.count
        while low < high {
            let middle = (low + high) / 2
            if estimates[middle].received < time - tolerance { low = middle + 1 } else { high = middle }
        }
        let candidates = estimates[max(0, low - 1)...].prefix(Self.widest).prefix { $0.received <= time + tolerance }
        return candidates.compactMap(\.arrival).min { abs($0 - arrival) < abs($1 - arrival) }
    }
}

extension SessionComparison {
    /// Compares the ETAs of the remaining waypoints; adds one difference at most, the greatest.
    ///
    /// The ETAs of the pickup, the drop-off and the next stop are usually ETAs of waypoints. Their differences are not
    /// reported twice.
    func compareStops(
        _ a: SessionSummary.TripSummary,
        _ b: SessionSummary.TripSummary,
        _ add: (SessionDifference.Kind) -> Void
    ) {
        var greatest: (time: Double, a: Double, b: Double)?
        for stop in Set(a.stops.keys).union(b.stops.keys).sorted() {
            let (one, other) = (a.stops[stop] ?? [], b.stops[stop] ?? [])
            guard one.isEmpty == other.isEmpty else {
                return add(.missingArrival(.stop, inA: one.isEmpty, inB: other.isEmpty))
            }
            guard let found = greatestDifference(one, other), !isReported(found, of: a, b) else { continue }
            if greatest.map({ abs($0.a - $0.b) < abs(found.a - found.b) }) ?? true { greatest = found }
        }
        if let greatest { add(.arrival(.stop, at: greatest.time, a: greatest.a, b: greatest.b)) }
    }

    /// Returns whether the prediction of another place of these trips differs in the same way.
    private func isReported(
        _ difference: (time: Double, a: Double, b: Double),
        of a: SessionSummary.TripSummary,
        _ b: SessionSummary.TripSummary
    ) -> Bool {
        SessionDifference.Place.allCases.contains { place in
            guard let known = greatestDifference(a.arrivals[place] ?? [], b.arrivals[place] ?? []) else { return false }
            // The service rounds both times to milliseconds.
            return abs(known.a - difference.a) < 1 && abs(known.b - difference.b) < 1
        }
    }
}
