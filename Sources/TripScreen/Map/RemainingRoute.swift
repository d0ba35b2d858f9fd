import TripModel

/// The path of the vehicle as lines: driven, ahead, its traffic, and the legs after the next own stop.
///
/// The cost is linear in points plus traffic intervals; at most `maximumPoints` points are processed in detail. Stops of other
/// riders are private, so no line begins, ends or changes at one.
struct RemainingRoute {
    /// The lines in driving order; the legs after the next own stop come first.
    private(set) var lines: [(path: MapPicture.Path, points: [Coordinate])] = []
    /// The route to the next waypoint; a long one is thinned.
    private(set) var route: Route?
    /// The position on it that is closest to the vehicle.
    private(set) var position: Route.Position?

    init(of journey: Journey, from vehicle: Coordinate?, maximumPoints: Int) {
        let waypoints = journey.remainingWaypoints
        let legs = waypoints.dropFirst().reduce(0) { $0 + ($1.path?.count ?? 0) }
        let total = (journey.route?.points.count ?? 0) + (journey.traffic?.path?.count ?? 0) + legs
        let thinning = Thinning(step: max(1, (total + maximumPoints - 1) / maximumPoints))

        let own = waypoints.indices.filter { waypoints[$0].belongs(to: journey.id.trip) }
        for (before, after) in zip(own, own.dropFirst()) {
            if let leg = Self.leg(waypoints[(before + 1)...after], thinning) { lines.append((.later, leg)) }
        }
        guard let known = journey.route else { return }
        let route = thinning.step == 1 ? known : Route(thinning.points(known.points))
        self.route = route
        position = vehicle.flatMap(route.nearest)
        // Without the following legs, the line would end at another rider's stop and reveal its position.
        let isOwn = (waypoints.first ?? journey.routeEnd)?.belongs(to: journey.id.trip) ?? true
        let rest = isOwn ? [] : own.first.flatMap { Self.leg(waypoints[1...$0], thinning) }
        let (driven, remaining) = position.map(route.split) ?? ([], route.points)
        lines.append((.driven, driven))
        if let rest { lines.append((.remaining, remaining + rest)) }
        if rest != nil, let traffic = journey.traffic { addTraffic(traffic, from: vehicle, thinning) }
    }

    /// Returns the joined legs to a stop; `nil` if the path of one is unknown.
    private static func leg(_ waypoints: ArraySlice<Waypoint>, _ thinning: Thinning) -> [Coordinate]? {
        let paths = waypoints.compactMap(\.path)
        return paths.count == waypoints.count ? paths.flatMap(thinning.points) : nil
    }

    /// Adds the slow and jammed parts ahead of the vehicle.
    private mutating func addTraffic(_ traffic: Traffic, from vehicle: Coordinate?, _ thinning: Thinning) {
        guard let route else { return }
        let path = traffic.path.map { Route(thinning.points($0)) } ?? route
        let start = traffic.path == nil ? position : vehicle.flatMap(path.nearest)
        let last = path.points.count - 1
        for stretch in Self.stretches(traffic.intervals.map(thinning.interval), segments: last) {
            var points = path.points[stretch.first...stretch.last]
            if let start, start.offset > path.offsets[stretch.first] {
                // Traffic behind the vehicle is irrelevant.
                guard start.offset < path.offsets[stretch.last], start.segment < stretch.last else { continue }
                points = [start.coordinate] + path.points[(start.segment + 1)...stretch.last]
            }
            lines.append((stretch.path, Array(points)))
        }
    }

    /// Consecutive segments of a path with the same traffic.
    struct Stretch: Equatable {
        var path: MapPicture.Path
        var first: Int
        var last: Int
    }

    /// Returns the slow and jammed stretches of a path with a number of segments.
    ///
    /// Intervals may overlap; a jam takes precedence. Each interval is processed once.
    static func stretches(_ intervals: [Traffic.Interval], segments: Int) -> [Stretch] {
        guard segments > 0 else { return [] }
        // The number of starting minus ending intervals at each point.
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

    /// Removes points of lines that are too long.
    struct Thinning {
        /// Every `step`-th point and the last one are retained.
        var step: Int

        func points(_ points: [Coordinate]) -> [Coordinate] {
            guard step > 1, let last = points.last else { return points }
            return stride(from: 0, to: points.count - 1, by: step).map { points[$0] } + [last]
        }

        /// Returns the interval with the indices of the thinned points; an end after the last point stays after it.
        func interval(_ interval: Traffic.Interval) -> Traffic.Interval {
            guard step > 1 else { return interval }
            var thinned = interval
            thinned.start = interval.start / step
            thinned.end = interval.end / step + (interval.end % step == 0 ? 0 : 1)
            return thinned
        }
    }
}

extension Journey {
    /// Whether the vehicle is driving to one of the trip's stops.
    var isUnderWay: Bool {
        switch status {
        case .trip(let status): status.isUnderWay
        case .shipment(let status): status == .open && lastLocation != nil
        }
    }
}
