import TripModel

/// The way of the vehicle as lines: driven, ahead, with the traffic on it, and the legs behind the next own stop.
///
/// Costs are linear in points plus traffic intervals, and no more than `maximumPoints` points are looked at closely.
/// Stops of other riders leave no trace: no line begins, ends or changes at one of them.
struct RemainingWay {
    /// The lines in driving order, the legs behind the next own stop first.
    private(set) var lines: [(path: MapPicture.Path, points: [Coordinate])] = []
    /// The route to the next waypoint; a long one has lost some of its points.
    private(set) var route: Route?
    /// The place on it that is nearest to the vehicle.
    private(set) var position: Route.Position?

    init(of trip: Trip, from vehicle: Coordinate?, maximumPoints: Int) {
        let waypoints = trip.remainingWaypoints
        let legs = waypoints.dropFirst().reduce(0) { $0 + ($1.path?.count ?? 0) }
        let total = (trip.route?.points.count ?? 0) + (trip.traffic?.path?.count ?? 0) + legs
        let thinning = Thinning(step: max(1, (total + maximumPoints - 1) / maximumPoints))

        let own = waypoints.indices.filter { waypoints[$0].belongs(to: trip.id) }
        for (before, after) in zip(own, own.dropFirst()) {
            if let leg = Self.leg(waypoints[(before + 1)...after], thinning) { lines.append((.later, leg)) }
        }
        guard let known = trip.route else { return }
        let route = thinning.step == 1 ? known : Route(thinning.points(known.points))
        self.route = route
        position = vehicle.flatMap(route.nearest)
        // Without the legs behind another rider's stop the line would end there, and so give the place away.
        let isOwn = (waypoints.first ?? trip.routeEnd)?.belongs(to: trip.id) ?? true
        let rest = isOwn ? [] : own.first.flatMap { Self.leg(waypoints[1...$0], thinning) }
        let (driven, remaining) = position.map(route.split) ?? ([], route.points)
        lines.append((.driven, driven))
        if let rest { lines.append((.remaining, remaining + rest)) }
        if rest != nil, let traffic = trip.traffic { addTraffic(traffic, from: vehicle, thinning) }
    }

    /// The legs to a stop, one after another; `nil` where the path of one is not known.
    private static func leg(_ waypoints: ArraySlice<Waypoint>, _ thinning: Thinning) -> [Coordinate]? {
        let paths = waypoints.compactMap(\.path)
        return paths.count == waypoints.count ? paths.flatMap(thinning.points) : nil
    }

    /// Adds slow and jammed stretches ahead of the vehicle.
    private mutating func addTraffic(_ traffic: Traffic, from vehicle: Coordinate?, _ thinning: Thinning) {
        guard let route else { return }
        let path = traffic.path.map { Route(thinning.points($0)) } ?? route
        let start = traffic.path == nil ? position : vehicle.flatMap(path.nearest)
        let last = path.points.count - 1
        for stretch in Self.stretches(traffic.intervals.map(thinning.interval), segments: last) {
            var points = path.points[stretch.first...stretch.last]
            if let start, start.offset > path.offsets[stretch.first] {
                // Behind the vehicle the traffic does not matter any more.
                guard start.offset < path.offsets[stretch.last], start.segment < stretch.last else { continue }
                points = [start.coordinate] + path.points[(start.segment + 1)...stretch.last]
            }
            lines.append((stretch.path, Array(points)))
        }
    }

    /// Consecutive segments of a path with the same traffic, from one of its points to another.
    struct Stretch: Equatable {
        var path: MapPicture.Path
        var first: Int
        var last: Int
    }

    /// The stretches of slow and jammed traffic on a path of so many segments.
    ///
    /// Intervals may overlap, as often as the service likes; where they do, a jam counts. Each is looked at once.
    static func stretches(_ intervals: [Traffic.Interval], segments: Int) -> [Stretch] {
        guard segments > 0 else { return [] }
        // How many intervals begin less how many end at each point.
        var slow = [Int](repeating: 0, count: segments + 1)
        var jam = slow
        for interval in intervals {
            let (first, last) = (max(0, interval.start), min(interval.end, segments))
            guard first < last else { continue }
            switch interval.speed {
            case .slow:
                slow[first] += 1
                slow[last] -= 1
            case .jam:
                jam[first] += 1
                jam[last] -= 1
            case .normal, .unrecognized: continue
            }
        }
        var stretches: [Stretch] = []
        var (slowHere, jamHere) = (0, 0)
        for segment in 0..<segments {
            slowHere += slow[segment]
            jamHere += jam[segment]
            guard slowHere > 0 || jamHere > 0 else { continue }
            let path: MapPicture.Path = jamHere > 0 ? .jam : .slow
            if let end = stretches.last, end.last == segment, end.path == path {
                stretches[stretches.count - 1].last = segment + 1
            } else {
                stretches.append(Stretch(path: path, first: segment, last: segment + 1))
            }
        }
        return stretches
    }

    /// Leaves out points of lines that are too long to be drawn with all of them.
    struct Thinning {
        /// Every so many-th point is kept, and the last one.
        var step: Int

        func points(_ points: [Coordinate]) -> [Coordinate] {
            guard step > 1, let last = points.last else { return points }
            return stride(from: 0, to: points.count - 1, by: step).map { points[$0] } + [last]
        }

        /// The interval with the indices that its points have now; an end behind the last point stays behind it.
        func interval(_ interval: Traffic.Interval) -> Traffic.Interval {
            guard step > 1 else { return interval }
            var thinned = interval
            thinned.start = interval.start / step
            thinned.end = interval.end / step + (interval.end % step == 0 ? 0 : 1)
            return thinned
        }
    }
}

extension Trip {
    /// Whether the vehicle drives to one of the trip's stops.
    var isUnderWay: Bool {
        switch status {
        case .enrouteToPickup, .enrouteToIntermediateDestination, .enrouteToDropoff: true
        case .new, .arrivedAtPickup, .arrivedAtIntermediateDestination, .complete, .canceled, .unrecognized: false
        }
    }
}
