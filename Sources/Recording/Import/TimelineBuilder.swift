import FleetWire
import Foundation
import TripModel

/// Reconstructs the states of trips and shipments from log entries in order of time.
struct TimelineBuilder {
    /// The maximum number of other trips of the vehicle with which a trip's waypoints are compared: the latest ones.
    ///
    /// No vehicle serves more at a time, and a log in which one does would take a time that grows with the square.
    private static let mostOthers = 100

    /// The maximum number of snapshots of all trips: 11 days of one trip with an update every 5 s.
    static let maximumSnapshots = 200_000

    /// A trip so far.
    private struct Track {
        var trip: Trip
        var vehicleID: VehicleID?
        var snapshots: [RecordedTrips.Snapshot] = []
    }

    private let provider: ProviderID
    /// Whether all states are kept, not only the last ones.
    private let keepsHistory: Bool
    private var tracks: [Track] = []
    private var indices: [TripID: Int] = [:]
    /// The active trips of each vehicle.
    private var open: [VehicleID: [Int]] = [:]
    private var deliveries: DeliveryLog
    private var paths = PathDecoder()
    private var snapshots = 0
    /// The number of trips that have ended.
    private(set) var endedCount = 0

    /// Creates a builder without trips.
    ///
    /// Without the history, the number of states is not limited.
    init(provider: ProviderID, keepsHistory: Bool = true) {
        self.provider = provider
        self.keepsHistory = keepsHistory
        deliveries = DeliveryLog(provider: provider)
    }

    /// The trips in order of their first appearance.
    var timelines: [RecordedTrips.Timeline] {
        tracks.map { RecordedTrips.Timeline(id: $0.trip.id, vehicleID: $0.vehicleID, snapshots: $0.snapshots) }
    }

    /// The last state of a trip; `nil` if it is unknown.
    func trip(_ id: TripID) -> Trip? { indices[id].map { tracks[$0].trip } }

    /// The number of trips.
    var count: Int { tracks.count }

    /// The active trips of a vehicle.
    func trips(of vehicle: VehicleID) -> [TripID] { open[vehicle, default: []].map { tracks[$0].trip.id } }

    /// Adds a trip that a vehicle serves, unless the log has an entry with the trip's vehicle.
    mutating func add(_ id: TripID, of vehicle: VehicleID, at time: Date) throws(RecordingError) {
        var trip = self.trip(id) ?? Trip(id: id, provider: provider, status: .unrecognized("UNKNOWN_TRIP_STATUS"))
        guard trip.vehicleID == nil, !trip.status.isTerminal else { return }
        trip.vehicleID = vehicle
        try note(trip, at: time)
    }

    /// Forgets the trips that have ended.
    mutating func removeEnded() {
        deliveries.removeEnded()
        tracks.removeAll { $0.trip.hasEnded }
        endedCount = 0
        indices = Dictionary(uniqueKeysWithValues: tracks.enumerated().map { ($1.trip.id, $0) })
        open = [:]
        for (index, track) in tracks.enumerated() {
            if let vehicle = track.trip.server { open[vehicle, default: []].append(index) }
        }
    }

    /// Forgets the decoded paths, whose number is limited.
    mutating func forgetPaths() { paths = PathDecoder() }

    /// Processes an entry; one without an answer changes nothing.
    mutating func handle(_ entry: LogEntry) throws(RecordingError) {
        guard let response = entry.response else { return }
        switch entry.call {
        case .createTrip, .updateTrip, .getTrip:
            guard let id = entry.tripID else { return }
            let known = indices[id].map { tracks[$0].trip }
            let others = known?.vehicleID.flatMap { open[$0] }?.suffix(Self.mostOthers).map { tracks[$0].trip } ?? []
            let head = Trip(id: id, provider: provider, status: LogFields.status(response))
            var trip = TripAnswer(response).trip(head, known: known, others: others, paths: &paths)
            if entry.call == .getTrip, let known, !trip.status.isTerminal {
                // The request may have contained known versions, so that the answer omits those parts.
                trip.route = trip.route ?? known.route
                trip.traffic = trip.traffic ?? known.traffic
                trip.remainingWaypoints =
                    trip.remainingWaypoints.isEmpty ? known.remainingWaypoints : trip.remainingWaypoints
            }
            try note(trip, at: entry.time)
        case .vehicle:
            guard let vehicle = entry.vehicleID, let served = open[vehicle] else { return }
            let answer = VehicleAnswer(request: entry.request, response: response)
            let trips = served.map { tracks[$0].trip }
            for trip in trips {
                guard let updated = answer.applied(to: trip, others: trips, paths: &paths) else { continue }
                try note(updated, at: entry.time)
            }
        case .delivery: try handleDelivery(entry)
        case .other: return
        }
    }

    /// Processes an entry of a delivery call; returns the shipments that it changes.
    @discardableResult
    mutating func handleDelivery(_ entry: LogEntry) throws(RecordingError) -> [JourneyID] {
        guard case .delivery(let call) = entry.call, let response = entry.response else { return [] }
        let changed = deliveries.handle(call, response, at: entry.time)
        for shipment in changed { try note(shipment, at: entry.time) }
        return changed.map(\.id)
    }

    /// Stores a state of a trip with versions for the parts that have changed.
    private mutating func note(_ trip: Trip, at time: Date) throws(RecordingError) {
        if keepsHistory { snapshots += 1 }
        guard snapshots <= Self.maximumSnapshots else { throw .tooManySnapshots(limit: Self.maximumSnapshots) }
        let index = indices[trip.id] ?? tracks.count
        let wasEnded = index < tracks.count && tracks[index].trip.hasEnded
        endedCount += (trip.hasEnded ? 1 : 0) - (wasEnded ? 1 : 0)
        if index == tracks.count {
            tracks.append(Track(trip: Trip(id: trip.id, provider: provider, status: trip.status)))
            indices[trip.id] = index
        }
        let before = tracks[index].trip
        let stamped = trip.stamped(after: before, at: time)
        tracks[index].trip = stamped
        tracks[index].vehicleID = stamped.vehicleID ?? tracks[index].vehicleID
        if keepsHistory { tracks[index].snapshots.append(RecordedTrips.Snapshot(time: time, trip: stamped)) }

        guard before.server != stamped.server else { return }
        if let vehicle = before.server { open[vehicle]?.removeAll { $0 == index } }
        if let vehicle = stamped.server { open[vehicle, default: []].append(index) }
    }
}

extension Trip {
    /// Whether a trip has ended, or the task of a shipment was closed.
    fileprivate var hasEnded: Bool { status.isTerminal || shipment?.state == .closed }

    /// The vehicle that serves the trip now; `nil` after its end.
    fileprivate var server: VehicleID? { status.isTerminal ? nil : vehicleID }

    /// Returns the trip with versions: a new one for each changed part, none for a missing part.
    fileprivate func stamped(after before: Trip, at time: Date) -> Trip {
        func version(isThere: Bool, isSame: Bool, _ known: Version?) -> Version? {
            isThere ? (isSame ? known : nil) ?? Version(time) : nil
        }
        func places(_ waypoints: [Waypoint]) -> [Waypoint] {
            waypoints.map { Waypoint(coordinate: $0.coordinate, tripID: $0.tripID, kind: $0.kind) }
        }
        func paths(_ waypoints: [Waypoint]) -> Bool {
            waypoints.map(\.path) == before.remainingWaypoints.map(\.path)
                && waypoints.map(\.traffic) == before.remainingWaypoints.map(\.traffic)
        }
        var trip = self
        trip.routeVersion = version(isThere: route != nil, isSame: route == before.route, before.routeVersion)
        trip.trafficVersion = version(isThere: traffic != nil, isSame: traffic == before.traffic, before.trafficVersion)
        let isThere = !remainingWaypoints.isEmpty
        let isSamePlaces = places(remainingWaypoints) == places(before.remainingWaypoints)
        trip.remainingWaypointsVersion = version(
            isThere: isThere,
            isSame: isSamePlaces,
            before.remainingWaypointsVersion
        )
        trip.remainingWaypointsRouteVersion = version(
            isThere: isThere,
            isSame: isSamePlaces && paths(remainingWaypoints),
            before.remainingWaypointsRouteVersion
        )
        trip.intermediateDestinationsVersion = version(
            isThere: !intermediateDestinations.isEmpty,
            isSame: intermediateDestinations == before.intermediateDestinations,
            before.intermediateDestinationsVersion
        )
        return trip
    }
}
