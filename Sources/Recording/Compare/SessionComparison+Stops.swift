import TripFeed

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
