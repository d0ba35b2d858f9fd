import FleetWire
import Foundation
import Runtime
import TripModel

/// A file of Google's Fleet Debugger: log entries.
///
/// The entries of a log are passed through in their spelling; only secrets and control characters are removed. The entries of a
/// recording have the spelling of Cloud Logging's newer exports: each observation becomes a `GetTrip` entry with what the rider
/// received. Fleet Debugger draws positions from `UpdateVehicle` entries only, so each new position becomes one, too; its
/// label `tripshare` is `reconstructed`, because the driver's real request is not known. A position without a time becomes no
/// such entry: the service copies it from the trip when the trip completes.
package struct FleetDebuggerExport: RecordingExporter {
    private let provider: String
    /// Whether the entries come from a log, so that none is made.
    private let isLog: Bool
    /// Whether the entries are calls of DeliveryService.
    private var isDelivery = false
    private var entries: [[UInt8]] = []
    private var locations: [TripID: VehicleLocation] = [:]

    /// Creates the export of a session.
    package init(_ session: RecordedSession) {
        provider = ExportText.short(session.provider.rawValue)
        isLog = session.logBytes != nil
        guard let bytes = session.logBytes else { return }
        for original in LogStream.originals(in: bytes) {
            entries.append(ExportText.json(original.value.withExportedTexts))
            if original.entry?.isDelivery == true { isDelivery = true }
        }
    }

    package mutating func handle(_ event: RecordedSession.Event) {
        // Fleet Debugger shows the tasks and the vehicle of deliveries, which a recipient does not see.
        guard !isLog, case .observation(let observation) = event, case .trip(let trip) = observation.journey else {
            return
        }
        if let vehicle = trip.vehicleID, let location = trip.lastLocation, location.measuredTime != nil,
            locations[trip.id] != location
        {
            locations[trip.id] = location
            entries.append(ExportText.json(updateVehicle(vehicle, location, trip, at: observation.time)))
        }
        entries.append(ExportText.json(getTrip(trip, at: observation.time)))
    }

    package func finished() throws(ExportFailure) -> [UInt8] {
        guard !entries.isEmpty else { throw .noTrips }
        let head = Array("{\"solutionType\":\"\(isDelivery ? "LMFS" : "ODRD")\",\"rawLogs\":[\n".utf8)
        return head + entries.joined(separator: ",\n".utf8) + Array("\n]}\n".utf8)
    }

    // MARK: Entries

    private func getTrip(_ trip: Trip, at time: Date) -> JSONValue {
        let name = JSONValue.text(trip.id.rawValue)
        return entry(
            "GetTrip",
            at: time,
            labels: .members(["tripid": name]),
            request: .members(["tripid": name]),
            response: .members([
                "name": .text("providers/\(provider)/trips/\(trip.id.rawValue)"),
                "status": .text("TRIP_STATUS_\(trip.status.name)"),
                "triptype": trip.type.map { .text("\($0.name)_TRIP") },
                "vehicleid": trip.vehicleID.map { .text($0.rawValue) },
                "numberofpassengers": trip.passengers.map(JSONValue.integer), "pickuppoint": Self.stop(trip.pickup),
                "dropoffpoint": Self.stop(trip.dropoff),
                "intermediatedestinations": trip.intermediateDestinations.isEmpty
                    ? nil : .array(trip.intermediateDestinations.compactMap(Self.stop)),
                "intermediatedestinationindex": trip.intermediateDestinations.isEmpty
                    ? nil : .integer(trip.intermediateDestinationIndex),
                "pickuptime": trip.pickupTime.map(JSONValue.time), "dropofftime": trip.dropoffTime.map(JSONValue.time),
                "actualpickuppoint": Self.stop(trip.actualPickup?.coordinate, trip.actualPickup?.time),
                "actualdropoffpoint": Self.stop(trip.actualDropoff?.coordinate, trip.actualDropoff?.time),
                "etatofirstwaypoint": trip.etaToFirstWaypoint.map(JSONValue.time),
                "remainingdistancemeters": trip.remainingDistance.map { .number($0.meters) },
                "remainingwaypoints": Self.waypoints(trip), "currentroutesegment": Self.path(trip.route?.points),
                "currentroutesegmenttraffic": Self.traffic(trip.traffic),
                "currentroutesegmentendpoint": trip.routeEnd.map(Self.waypoint),
                "lastlocation": trip.lastLocation.map(Self.location),
            ]),
            // Sorts after the entry of the vehicle with the same time.
            order: "2"
        )
    }

    private func updateVehicle(
        _ vehicle: VehicleID,
        _ location: VehicleLocation,
        _ trip: Trip,
        at time: Date
    ) -> JSONValue {
        let name = JSONValue.text(vehicle.rawValue)
        let position = Self.location(location)
        let route = Self.path(trip.route?.points)
        return entry(
            "UpdateVehicle",
            at: time,
            labels: .members(["vehicleid": name, "tripshare": .string("reconstructed")]),
            request: .members([
                "vehicleid": name,
                "vehicle": .members(["lastlocation": position, "currentroutesegment": route]),
            ]),
            response: .members([
                "name": .text("providers/\(provider)/vehicles/\(vehicle.rawValue)"),
                "currenttrips": .array(trip.status.isTerminal ? [] : [.text(trip.id.rawValue)]),
                "lastlocation": position, "waypoints": Self.waypoints(trip),
                "etatofirstwaypoint": trip.etaToFirstWaypoint.map(JSONValue.time),
                "remainingdistancemeters": trip.remainingDistance.map { .number($0.meters) },
                "currentroutesegment": route, "currentroutesegmentendpoint": trip.routeEnd.map(Self.waypoint),
            ]),
            order: "1"
        )
    }

    private func entry(
        _ call: String,
        at time: Date,
        labels: JSONValue,
        request: JSONValue,
        response: JSONValue,
        order: String
    ) -> JSONValue {
        let log = call == "GetTrip" ? "get_trip" : "update_vehicle"
        let number = String(entries.count)
        return .members([
            "insertid": .string(
                "tripshare-\(order)-\(String(repeating: "0", count: max(0, 9 - number.count)))\(number)"
            ),
            "timestamp": .time(time), "receivetimestamp": .time(time),
            "logname": .string("projects/\(provider)/logs/fleetengine.googleapis.com%2F\(log)"), "labels": labels,
            "resource": .members([
                "type": .string("fleetengine.googleapis.com/Fleet"),
                "labels": .members([
                    "location": .string("global"), "resourcecontainer": .string("projects/\(provider)"),
                ]),
            ]),
            "jsonpayload": .members([
                "@type": .string("type.googleapis.com/maps.fleetengine.v1.\(call)Log"), "request": request,
                "response": response,
            ]),
        ])
    }

    // MARK: Parts

    private static func waypoints(_ trip: Trip) -> JSONValue? {
        trip.remainingWaypoints.isEmpty ? nil : .array(trip.remainingWaypoints.map(waypoint))
    }

    private static func waypoint(_ waypoint: Waypoint) -> JSONValue {
        .members([
            "location": stop(waypoint.coordinate),
            "tripid": waypoint.tripID.map { .text($0.rawValue) },
            "type": .text("WAYPOINT_TYPE_" + waypoint.kind.name.replacing("_WAYPOINT_TYPE", with: "")),
            "encodedpathtowaypoint": path(waypoint.path),
            "distancemeters": waypoint.distance.map { .number($0.meters) },
            "eta": waypoint.eta.map(JSONValue.time),
            "duration": waypoint.duration.map { .string(DurationText.text($0)) },
            "traffictowaypoint": traffic(waypoint.traffic),
        ])
    }

    private static func stop(_ coordinate: Coordinate?) -> JSONValue? { stop(coordinate, nil) }

    private static func stop(_ coordinate: Coordinate?, _ time: Date?) -> JSONValue? {
        coordinate.map { .members(["point": point($0), "timestamp": time.map(JSONValue.time)]) }
    }

    private static func point(_ coordinate: Coordinate) -> JSONValue {
        .members(["latitude": .number(coordinate.latitude), "longitude": .number(coordinate.longitude)])
    }

    private static func path(_ points: [Coordinate]?) -> JSONValue? {
        points.flatMap { $0.isEmpty ? nil : .string(S2Polyline.encode($0)) }
    }

    private static func traffic(_ traffic: Traffic?) -> JSONValue? {
        traffic.map {
            .members([
                "speedreadinginterval": .array(
                    $0.intervals.map {
                        .members([
                            "startpolylinepointindex": .integer($0.start), "endpolylinepointindex": .integer($0.end),
                            "speed": .text($0.speed.name),
                        ])
                    }
                ), "encodedpathtowaypoint": path($0.path),
            ])
        }
    }

    private static func location(_ location: VehicleLocation) -> JSONValue {
        .members([
            "location": location.coordinate.map(point),
            "rawlocation": location.rawCoordinate.map(point), "rawlocationtime": location.rawTime.map(JSONValue.time),
            "updatetime": location.updateTime.map(JSONValue.time),
            "servertime": location.serverTime.map(JSONValue.time),
            "heading": location.heading.map(JSONValue.integer), "speed": location.speed.map(JSONValue.number),
            "latlngaccuracy": location.accuracy.map(JSONValue.number),
            "locsensor": location.sensor.map { .text("LOCATION_SENSOR_\($0)") },
            "isroadsnapped": location.isRoadSnapped.map(JSONValue.bool),
        ])
    }
}
