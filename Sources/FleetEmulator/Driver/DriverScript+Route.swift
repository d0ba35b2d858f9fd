package import TripModel

extension DriverScript {
    /// Creates the script of a vehicle that follows a path and may serve a trip on it.
    ///
    /// The path is split at the trip's stops within 500 m of it. To stops farther away the vehicle takes the streets of the
    /// demo town, or drives straight where there are none.
    package init(along way: StreetPath, vehicle: VehicleID, serving trip: TripPlan?, pace: Double) {
        self.init(vehicle: vehicle)
        start = way.points.first
        guard let trip else {
            steps = [.cruise(RidePlan.Leg(way, slow: nil, pace: pace, redLightAt: nil))]
            return
        }
        var stops = [Stop(trip: trip.id, kind: .pickup, place: trip.pickup)]
        stops += trip.stops.enumerated().map {
            Stop(trip: trip.id, kind: .intermediateDestination, index: $0, place: $1)
        }
        if let dropoff = trip.dropoff { stops.append(Stop(trip: trip.id, kind: .dropoff, place: dropoff)) }
        steps = [.assign(trip.id, order: [])]
        var rest = way.points
        for stop in stops {
            let way: StreetPath
            let route = Route(rest)
            if rest.count > 1, let entry = route.nearest(to: stop.place), entry.offRoute <= 500 {
                let (driven, remaining) = (route.split(at: entry).driven, route.split(at: entry).remaining)
                way = StreetPath(driven + [stop.place])
                rest = [stop.place] + remaining.dropFirst()
            } else {
                way = Town.demo.way(through: [rest[0], stop.place])
                rest = [stop.place]
            }
            let leg = RidePlan.Leg(way, slow: nil, pace: pace, redLightAt: nil)
            steps.append(.drive(Drive(leg: leg, stop: stop)))
            if stop.kind != .dropoff { steps.append(.wait(15)) }
        }
    }
}
