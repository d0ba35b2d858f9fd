import FleetEngineProtos
import SwiftProtobuf
import TripModel

/// The fields of a trip, without its name.
extension TripFieldRow {
    /// The rows, in the order in which the fields are read and count towards the limits of an answer.
    static let all: [TripFieldRow] = ordered + observed + way

    /// The rule of a field each of whose changes is one of the plan.
    private static let anyChange: @Sendable (Journey, Journey) -> Bool = { _, _ in true }

    /// The status, the vehicle, and what was ordered.
    private static let ordered: [TripFieldRow] = [
        TripFieldRow(
            read: { $2.status = TripStatus(name: EnumNames.tripStatus.name($0.tripStatus, $1.unknown)) },
            write: { $2.tripStatus = EnumNames.tripStatus.value($0.status.name, &$1.unknown) }
        )
        .reported(as: .tripStatus, \.status),
        TripFieldRow(
            read: { $2.type = EnumNames.tripType.nameIfSet($0.tripType, $1.unknown).map(TripType.init(name:)) },
            write: { $2.tripType = EnumNames.tripType.value($0.type?.name, &$1.unknown) }
        )
        .reported(as: .tripType, \.type, plan: { $0.type != nil && $1.type != nil })
        .compared { ($0.type?.name, []) },
        TripFieldRow(
            // An invalid ID counts as unknown.
            read: { $2.vehicleID = $0.vehicleID.nonEmpty.flatMap { try? VehicleID($0) } },
            write: { $2.vehicleID = $0.vehicleID?.rawValue ?? "" }
        )
        .reported(as: .vehicleId, \.vehicleID, plan: { before, _ in before.vehicleID != nil })
        .compared { ($0.vehicleID?.rawValue, []) },
        TripFieldRow(
            read: { $2.passengers = $0.numberOfPassengers == 0 ? nil : Int($0.numberOfPassengers) },
            write: { $2.numberOfPassengers = Int32(clamping: $0.passengers ?? 0) }
        )
        .reported(as: .numberOfPassengers, \.passengers, plan: anyChange)
        .compared { ($0.passengers.map { "\($0)" }, []) },
        .part(\.pickup, \.pickupPoint, \.hasPickupPoint)
            .reported(as: .pickupPoint, \.pickup, plan: anyChange).compared { (nil, [$0.pickup]) },
        .part(\.dropoff, \.dropoffPoint, \.hasDropoffPoint)
            .reported(as: .dropoffPoint, \.dropoff, plan: anyChange).compared { (nil, [$0.dropoff]) },
        .list(\.intermediateDestinations, \.intermediateDestinations, .stops)
            .reported(as: .intermediateDestinations, \.intermediateDestinations, plan: anyChange)
            .compared { (nil, $0.intermediateDestinations) },
        TripFieldRow(
            read: { $2.intermediateDestinationIndex = Int(max(0, $0.intermediateDestinationIndex)) },
            write: { $2.intermediateDestinationIndex = Int32(clamping: $0.intermediateDestinationIndex) }
        )
        .reported(as: .intermediateDestinationIndex, \.intermediateDestinationIndex)
        .compared { ($0.intermediateDestinations.isEmpty ? nil : "\($0.intermediateDestinationIndex)", []) },
        .part(
            \.intermediateDestinationsVersion,
            \.intermediateDestinationsVersion,
            \.hasIntermediateDestinationsVersion
        ),
        .list(\.attributes, \.attributes, .attributes)
            .reported(as: .attributes, \.attributes, inFirst: { !$0.attributes.isEmpty })
            .compared { ($0.attributes.map { "\($0.key)=\($0.value.text)" }.sorted().joined(separator: " "), []) },
        // Shipments only.
        TripFieldRow()
            .reported(
                as: .targetTimeWindow,
                \.shipment?.targetTimeWindow,
                inFirst: { $0.shipment != nil },
                plan: { before, _ in before.shipment?.targetTimeWindow != nil }
            ),
    ]

    /// The times and places of the stops, expected or actual, and the position.
    private static let observed: [TripFieldRow] = [
        .part(\.pickupTime, \.pickupTime, \.hasPickupTime).reported(as: .pickupTime, \.pickupTime),
        .part(\.dropoffTime, \.dropoffTime, \.hasDropoffTime).reported(as: .dropoffTime, \.dropoffTime),
        .part(\.actualPickup, \.actualPickupPoint, \.hasActualPickupPoint)
            .reported(as: .actualPickupPoint, \.actualPickup).compared { (nil, [$0.actualPickup?.coordinate]) },
        .part(\.actualDropoff, \.actualDropoffPoint, \.hasActualDropoffPoint)
            .reported(as: .actualDropoffPoint, \.actualDropoff).compared { (nil, [$0.actualDropoff?.coordinate]) },
        .part(\.actualPickupArrival, \.actualPickupArrivalPoint, \.hasActualPickupArrivalPoint),
        .list(\.actualStopArrivals, \.actualIntermediateDestinationArrivalPoints, .stops),
        .list(\.actualStops, \.actualIntermediateDestinations, .stops),
        TripFieldRow(
            read: { if $0.hasLastLocation { $2.lastLocation = $1.location($0.lastLocation) } },
            write: { if let location = $0.lastLocation { $2.lastLocation = $1.location(location) } },
            shift: { $0.lastLocation = $0.lastLocation?.shifted(by: $1) }
        )
        .reported(as: .lastLocation, \.lastLocation),
        TripFieldRow(
            read: { $2.lastLocationSnappable = $0.lastLocationSnappable },
            write: { $2.lastLocationSnappable = $0.lastLocationSnappable }
        ),
        TripFieldRow(
            read: { $2.view = EnumNames.view.nameIfSet($0.view, $1.unknown) },
            write: { $2.view = EnumNames.view.value($0.view, &$1.unknown) }
        ),
    ]

    /// The remaining waypoints, the route, and the traffic.
    private static let way: [TripFieldRow] = [
        .part(\.etaToFirstWaypoint, \.etaToFirstWaypoint, \.hasEtaToFirstWaypoint)
            .reported(as: .etaToFirstWaypoint, \.etaToFirstWaypoint),
        .part(\.remainingTime, \.remainingTimeToFirstWaypoint, \.hasRemainingTimeToFirstWaypoint),
        .part(\.remainingDistance, \.remainingDistanceMeters, \.hasRemainingDistanceMeters)
            .reported(as: .remainingDistanceMeters, \.remainingDistance),
        TripFieldRow(
            read: { $2.remainingWaypoints = $1.waypoints($0.remainingWaypoints) },
            write: { $2.remainingWaypoints = $1.waypoints($0.remainingWaypoints) },
            shift: { trip, delta in trip.remainingWaypoints = trip.remainingWaypoints.map { $0.shifted(by: delta) } }
        )
        .reported(as: .remainingWaypoints, { $0.remainingWaypoints.map(\.withoutWay) })
        .compared(\.comparedWaypoints),
        TripFieldRow(
            read: { $2.vehicleWaypoints = $1.waypoints($0.vehicleWaypoints) },
            write: { $2.vehicleWaypoints = $1.waypoints($0.vehicleWaypoints) }
        ),
        .part(\.remainingWaypointsVersion, \.remainingWaypointsVersion, \.hasRemainingWaypointsVersion),
        .part(
            \.remainingWaypointsRouteVersion,
            \.remainingWaypointsRouteVersion,
            \.hasRemainingWaypointsRouteVersion
        )
        .reported(as: .waypointRoutes, \.trip?.remainingWaypointsRouteVersion),
        TripFieldRow(
            read: { $2.route = $1.route($0.route, encoded: $0.currentRouteSegment) },
            write: { trip, writer, message in
                switch writer.format {
                case .points: message.route = trip.route?.points.map(LatLngMessage.init) ?? []
                case .encoded: message.currentRouteSegment = trip.route.map { S2Polyline.encode($0.points) } ?? ""
                }
            }
        )
        .reported(as: .route, { Versioned(version: $0.routeVersion, value: $0.route) }),
        .part(\.routeVersion, \.currentRouteSegmentVersion, \.hasCurrentRouteSegmentVersion),
        TripFieldRow(
            read: {
                if $0.hasCurrentRouteSegmentEndPoint { $2.routeEnd = $1.waypoint($0.currentRouteSegmentEndPoint) }
            },
            write: { if let end = $0.routeEnd { $2.currentRouteSegmentEndPoint = $1.waypoint(end) } },
            shift: { $0.routeEnd = $0.routeEnd?.shifted(by: $1) }
        ),
        TripFieldRow(
            read: { if $0.hasCurrentRouteSegmentTraffic { $2.traffic = $1.traffic($0.currentRouteSegmentTraffic) } },
            write: { if let traffic = $0.traffic { $2.currentRouteSegmentTraffic = $1.traffic(traffic) } }
        )
        .reported(as: .traffic, { Versioned(version: $0.trip?.trafficVersion, value: $0.traffic) }),
        .part(\.trafficVersion, \.currentRouteSegmentTrafficVersion, \.hasCurrentRouteSegmentTrafficVersion),
    ]
}

/// A part of a trip with its version; both are compared, because an answer may lack one of them.
private struct Versioned<Value: Equatable>: Equatable {
    let version: TripModel.Version?
    let value: Value?
}

extension Waypoint {
    /// Returns the waypoint with its time shifted by a number of seconds.
    fileprivate func shifted(by delta: Double) -> Waypoint {
        var waypoint = self
        waypoint.eta = eta?.shifted(by: delta)
        return waypoint
    }

    /// The waypoint without the way to it, which changes with each answer.
    fileprivate var withoutWay: Waypoint { Waypoint(coordinate: coordinate, tripID: tripID, kind: kind) }
}

extension Journey {
    /// The kinds and places of the waypoints; the number of stops of a shipment, whose places are hidden.
    fileprivate var comparedWaypoints: TripFieldRow.Content {
        if let stops = shipment?.remainingStopCount { return ("\(stops)", []) }
        // The IDs of other trips differ in each run.
        let kinds = remainingWaypoints.map { "\($0.belongs(to: id.trip) ? "" : "other ")\($0.kind.name)" }
        return (kinds.joined(separator: " "), remainingWaypoints.map(\.coordinate))
    }
}
