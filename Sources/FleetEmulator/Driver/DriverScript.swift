package import TripModel

/// What a driver does, from going ONLINE to going OFFLINE, step by step.
///
/// Pure data; times are seconds of the ride's clock.
package struct DriverScript: Sendable {
    /// One thing after the other.
    package enum Step: Sendable {
        /// Stands for so long, and goes on reporting.
        case wait(Double)
        /// Stands for so long and reports nothing.
        case silent(Double)
        /// The operator creates a trip.
        case create(TripPlan)
        /// The operator gives a trip to the vehicle; for shared rides with the order of all that is to be visited.
        case assign(TripID, order: [Stop])
        /// The navigation finds the way of a drive that is to come.
        case announce(Drive)
        /// Drives to a stop of a trip, which is moved to the statuses that belong to it.
        case drive(Drive)
        /// Drives along a way, for nobody.
        case cruise(RidePlan.Leg)
        /// The operator moves a trip to a status.
        case status(TripID, TripStatus)
        /// Goes ONLINE or OFFLINE.
        case state(Vehicle.State)
        /// Says what is to be seen now; takes no time.
        case caption(SceneCaption)
    }

    /// A place where somebody gets in or out.
    package struct Stop: Sendable, Equatable {
        package var trip: TripID
        package var kind: Waypoint.Kind
        /// Which of the trip's intermediate destinations, from 0.
        package var index = 0
        package var place: Coordinate

        package init(trip: TripID, kind: Waypoint.Kind, index: Int = 0, place: Coordinate) {
            (self.trip, self.kind, self.index, self.place) = (trip, kind, index, place)
        }
    }

    /// A drive to a stop.
    package struct Drive: Sendable {
        /// The way, and how fast.
        package var leg: RidePlan.Leg
        /// Where to.
        package var stop: Stop
        /// What is unusual about it.
        package var manner = DriveManner()
        /// Whether the route was sent before.
        var isAnnounced = false

        /// The drive as the navigation foresees it: along the planned route, where that is another one than is driven.
        var forecast: RidePlan.Leg {
            manner.plannedRoute.count < 2
                ? leg : RidePlan.Leg(manner.plannedRoute, slow: nil, pace: leg.pace, redLightAt: nil)
        }
    }

    /// A trip that is to be created.
    package struct TripPlan: Sendable, Equatable {
        package var id: TripID
        package var type = TripType.exclusive
        package var pickup: Coordinate
        package var stops: [Coordinate] = []
        package var dropoff: Coordinate?
        package var passengers = 1

        package init(id: TripID, pickup: Coordinate, dropoff: Coordinate?) {
            (self.id, self.pickup, self.dropoff) = (id, pickup, dropoff)
        }
    }

    package var vehicle: VehicleID
    package var capacity = 4
    package var types: [TripType] = [.exclusive]
    package var category = "AUTO"
    package var backToBackEnabled = false
    /// Where the vehicle waits at first.
    package var start: Coordinate?
    /// The trips that are there from the beginning.
    package var trips: [TripPlan] = []
    package var steps: [Step] = []

    /// A vehicle that does nothing yet.
    package init(vehicle: VehicleID) {
        self.vehicle = vehicle
    }

    /// The script of a plain ride.
    package init(_ plan: RidePlan, trip: TripID, vehicle: VehicleID) {
        self.init(vehicle: vehicle)
        start = plan.start
        guard let pickup = plan.pickup, let dropoff = plan.dropoff else { return }
        trips = [TripPlan(id: trip, pickup: pickup, dropoff: dropoff)]
        var approach = Drive(leg: plan.approach, stop: Stop(trip: trip, kind: .pickup, place: pickup))
        approach.isAnnounced = true
        steps = [
            .caption(RideCaption.requested.caption(.init(.new))), .wait(plan.assignedAfter),
            .assign(trip, order: []),
            .announce(approach),
            .caption(RideCaption.assigned.caption(.init(.new))),
            .wait(plan.startsAfter - plan.assignedAfter),
            .caption(RideCaption.toPickup.caption(.init(.enrouteToPickup))),
            .drive(approach),
            .caption(RideCaption.atPickup.caption(.init(.arrivedAtPickup))), .wait(plan.waits),
            .caption(RideCaption.toDropoff.caption(.init(.enrouteToDropoff))),
            .drive(Drive(leg: plan.ride, stop: Stop(trip: trip, kind: .dropoff, place: dropoff))),
            .caption(RideCaption.complete.caption(.init(.complete))),
        ]
    }
}

/// What may be unusual about a drive; shares are of its duration, 0 to 1.
package struct DriveManner: Sendable, Equatable {
    /// Nothing is reported here.
    package var silent: ClosedRange<Double>?
    /// No satellites here: fixes jump, and are known to be poor.
    package var tunnel: ClosedRange<Double>?
    /// The forecast is not renewed, so that the ETA stays as it is and passes.
    package var keepsForecast = false
    /// The way that the navigation shows at first, where it is another than the one that is driven.
    package var plannedRoute: [Coordinate] = []
    /// From here on the vehicle is seen to be off that way; some seconds later it gets a new one.
    package var leavesRouteAt = 0.0
}
