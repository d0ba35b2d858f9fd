package import TripModel

/// The steps of a driver from going ONLINE to going OFFLINE.
///
/// Pure data; times are in seconds of the ride's clock.
package struct DriverScript: Sendable {
    /// One step; steps run in sequence.
    package enum Step: Sendable {
        /// Waits for this many seconds and continues to report.
        case wait(Double)
        /// Waits for this many seconds without reporting.
        case silent(Double)
        /// The operator creates a trip.
        case create(TripPlan)
        /// The operator assigns a trip to the vehicle.
        ///
        /// For shared rides, `order` lists all remaining stops in the order of their visits.
        case assign(TripID, order: [Stop])
        /// Sends the route of a future drive.
        case announce(Drive)
        /// Drives to a stop of a trip and sets the trip's statuses on the way and on arrival.
        case drive(Drive)
        /// Drives along a path without a trip.
        case cruise(RidePlan.Leg)
        /// The operator sets the status of a trip.
        case status(TripID, TripStatus)
        /// The backend creates tasks.
        case createTasks([TaskPlan])
        /// The backend sets the remaining stops of the delivery vehicle; the service closes the tasks of all other stops.
        case assignStops([DeliveryStop])
        /// The backend closes a task that is in no stop.
        case closeTask(TaskID)
        /// The driver drives to a stop, does its tasks there and removes it; earlier stops are skipped.
        case visit(DeliveryVisit)
        /// Goes ONLINE or OFFLINE.
        case state(Vehicle.State)
        /// Shows a caption; takes no time.
        case caption(SceneCaption)
    }

    /// A stop where a rider gets in or out.
    package struct Stop: Sendable, Equatable {
        package var trip: TripID
        package var kind: Waypoint.Kind
        /// The index of the intermediate destination, starting at 0.
        package var index = 0
        package var place: Coordinate
    }

    /// The destination of a drive.
    package enum Target: Sendable, Equatable {
        /// A stop of a trip.
        case trip(Stop)
        /// A stop of a delivery vehicle.
        case delivery(Coordinate)

        /// The position.
        package var place: Coordinate {
            switch self {
            case .trip(let stop): stop.place
            case .delivery(let place): place
            }
        }

        /// The trip; `nil` for a stop of a delivery vehicle.
        var trip: TripID? {
            if case .trip(let stop) = self { stop.trip } else { nil }
        }
    }

    /// A drive to a stop.
    package struct Drive: Sendable {
        /// The path and the speed.
        package var leg: RidePlan.Leg
        /// The destination.
        package var target: Target
        /// Deviations from a normal drive.
        package var manner = DriveManner()
        /// Whether the route was sent before.
        var isAnnounced = false

        /// The drive as the navigation predicts it: along the planned route, if that differs from the path that is driven.
        var forecast: RidePlan.Leg {
            manner.planned.map { RidePlan.Leg($0, slow: nil, pace: leg.pace, redLightAt: nil) } ?? leg
        }
    }

    /// A trip to create.
    package struct TripPlan: Sendable, Equatable {
        package var id: TripID
        package var type = TripType.exclusive
        package var pickup: Coordinate
        package var stops: [Coordinate] = []
        package var dropoff: Coordinate?
        package var passengers = 1
    }

    package var vehicle: DrivenVehicle
    package var capacity = 4
    package var types: [TripType] = [.exclusive]
    /// The category of a vehicle of trips, or the type of a delivery vehicle.
    package var category = "AUTO"
    package var backToBackEnabled = false
    /// The initial position of the vehicle.
    package var start: Coordinate?
    /// The trips that exist from the start.
    package var trips: [TripPlan] = []
    /// The tasks that exist from the start.
    package var tasks: [TaskPlan] = []
    /// The stops that a delivery vehicle has at the start, in order.
    package var stops: [DeliveryStop] = []
    package var steps: [Step] = []
    /// The seconds that have passed when it begins; what happens in them is done at once.
    package var passed = 0.0

    /// Creates a vehicle without steps.
    package init(_ vehicle: DrivenVehicle) {
        self.vehicle = vehicle
    }

    /// Creates the script of a plain ride.
    package init(_ plan: RidePlan, trip: TripID, vehicle: VehicleID) {
        self.init(.ofTrips(vehicle))
        start = plan.start
        guard let pickup = plan.pickup, let dropoff = plan.dropoff else { return }
        trips = [TripPlan(id: trip, pickup: pickup, dropoff: dropoff)]
        var approach = Drive(
            leg: plan.approach,
            target: .trip(Stop(trip: trip, kind: .pickup, place: pickup))
        )
        approach.isAnnounced = true
        steps = [
            .caption(RideCaption.requested.caption(.new)), .wait(plan.assignedAfter),
            .assign(trip, order: []),
            .announce(approach),
            .caption(RideCaption.assigned.caption(.new)),
            .wait(plan.startsAfter - plan.assignedAfter),
            .caption(RideCaption.toPickup.caption(.enrouteToPickup)),
            .drive(approach),
            .caption(RideCaption.atPickup.caption(.arrivedAtPickup)), .wait(plan.waits),
            .caption(RideCaption.toDropoff.caption(.enrouteToDropoff)),
            .drive(Drive(leg: plan.ride, target: .trip(Stop(trip: trip, kind: .dropoff, place: dropoff)))),
            .caption(RideCaption.complete.caption(.complete)),
        ]
    }
}

/// Deviations of a drive from a normal one; ranges are fractions of its duration, 0 to 1.
package struct DriveManner: Sendable, Equatable {
    /// No reports are sent in this range.
    package var silent: ClosedRange<Double>?
    /// No satellite reception in this range: fixes jump and report a poor accuracy.
    package var tunnel: ClosedRange<Double>?
    /// Whether the forecast is frozen, so that the ETA passes.
    package var retainsForecast = false
    /// The route that the navigation shows at first, if it differs from the path that is driven.
    package var planned: StreetPath?
    /// The fraction at which the vehicle leaves the planned route; it gets a new route some seconds later.
    package var leavesRouteAt = 0.0
    /// The fraction at which the vehicle stops and does not go on; `nil` if it arrives.
    package var stopsAt: Double?
}
