import TripModel

extension DriverScript {
    /// Creates the script of a vehicle that follows a path and may serve a trip on it.
    ///
    /// The path is split at the trip's stops within 500 m of it. To stops farther away the vehicle takes the streets of the
    /// demo town, or drives straight where there are none.
    package init(along way: StreetPath, vehicle: DrivenVehicle, serving trip: TripPlan?, pace: Double) {
        self.init(vehicle)
        start = way.points.first
        guard let trip else {
            steps = [.cruise(RidePlan.Leg(way, slow: nil, pace: pace, redLightAt: nil))]
            return
        }
        steps = [.assign(trip.id, order: [])]
        var rest = way.points
        for stop in trip.visits {
            let way: StreetPath
            let route = Route(rest)
            if rest.count > 1, let entry = route.nearest(to: stop.place), entry.offRoute <= Self.nearby {
                let (driven, remaining) = (route.split(at: entry).driven, route.split(at: entry).remaining)
                way = StreetPath(driven + [stop.place])
                rest = [stop.place] + remaining.dropFirst()
            } else {
                way = Town.demo.way(through: [rest[0], stop.place])
                rest = [stop.place]
            }
            let leg = RidePlan.Leg(way, slow: nil, pace: pace, redLightAt: nil)
            steps.append(.drive(Drive(leg: leg, target: .trip(stop))))
            if stop.kind != .dropoff { steps.append(.wait(15)) }
        }
    }

    /// A stop that is farther from a recorded track than ``nearby``.
    package struct StopOffTrack: Error, Equatable {
        /// The stop.
        package var stop: Stop
    }

    /// The distance from a path in meters up to which a stop is on it.
    private static let nearby = 500.0

    /// Creates the script of a vehicle that follows a track at its recorded times and may serve a trip on it.
    ///
    /// The vehicle arrives at a stop of the trip when the track passes it, and waits there as long as it did in the recording.
    ///
    /// - Parameters:
    ///   - track: The track, at least two points.
    ///   - vehicle: The vehicle.
    ///   - trip: The trip; `nil` for none.
    ///   - pace: The factor of the recorded speeds.
    /// - Throws: ``StopOffTrack`` if the rest of the track does not pass a stop.
    package init(
        recorded track: RecordedTrack,
        vehicle: DrivenVehicle,
        serving trip: TripPlan?,
        pace: Double
    ) throws(StopOffTrack) {
        self.init(vehicle)
        start = track.route.points.first
        guard let trip else {
            steps = [.cruise(RidePlan.Leg(track, pace: pace))]
            return
        }
        steps = [.assign(trip.id, order: [])]
        var rest = track
        for stop in trip.visits {
            guard let entry = rest.route.nearest(to: stop.place), entry.offRoute <= Self.nearby else {
                throw StopOffTrack(stop: stop)
            }
            let (driven, remaining) = rest.split(at: entry)
            steps.append(.drive(Drive(leg: RidePlan.Leg(driven, pace: pace), target: .trip(stop))))
            let departure = remaining.departure
            if stop.kind != .dropoff { steps.append(.wait(departure.wait / pace)) }
            rest = departure.rest
        }
    }
}

extension DriverScript.TripPlan {
    /// The stops in the order of their visits.
    fileprivate var visits: [DriverScript.Stop] {
        var visits = [DriverScript.Stop(trip: id, kind: .pickup, place: pickup)]
        visits += stops.enumerated().map {
            DriverScript.Stop(trip: id, kind: .intermediateDestination, index: $0, place: $1)
        }
        if let dropoff { visits.append(DriverScript.Stop(trip: id, kind: .dropoff, place: dropoff)) }
        return visits
    }
}
