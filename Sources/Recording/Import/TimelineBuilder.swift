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
        var journey: Journey
        var vehicleID: VehicleID?
        var snapshots: [RecordedTrips.Snapshot] = []
    }

    let provider: ProviderID
    /// Whether all states are stored, not only the last states.
    private let storesHistory: Bool
    private var tracks: [Track] = []
    private var indices: [JourneyID: Int] = [:]
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
    init(provider: ProviderID, storesHistory: Bool = true) {
        self.provider = provider
        self.storesHistory = storesHistory
        deliveries = DeliveryLog(provider: provider)
    }

    /// The trips in order of their first appearance.
    var timelines: [RecordedTrips.Timeline] {
        tracks.map { RecordedTrips.Timeline(id: $0.journey.id, vehicleID: $0.vehicleID, snapshots: $0.snapshots) }
    }

    /// The last state of a trip or a shipment; `nil` if it is unknown.
    func journey(_ id: JourneyID) -> Journey? { indices[id].map { tracks[$0].journey } }

    /// The last state of a trip; `nil` if it is unknown.
    func trip(_ id: TripID) -> Trip? { journey(.trip(id))?.trip }

    /// The number of trips.
    var count: Int { tracks.count }

    /// The active trips of a vehicle.
    func trips(of vehicle: VehicleID) -> [TripID] {
        open[vehicle, default: []].compactMap { tracks[$0].journey.id.trip }
    }

    /// Adds a trip that a vehicle serves, unless the log has an entry with the trip's vehicle.
    mutating func add(_ id: TripID, of vehicle: VehicleID, at time: Date) throws(RecordingError) {
        var trip = self.trip(id) ?? Trip(id: id, provider: provider, status: .unrecognized("UNKNOWN_TRIP_STATUS"))
        guard trip.vehicleID == nil, !trip.status.isTerminal else { return }
        trip.vehicleID = vehicle
        try note(.trip(trip), at: time)
    }

    /// Forgets the trips that have ended.
    mutating func removeEnded() {
        deliveries.removeEnded()
        tracks.removeAll { $0.journey.hasEnded }
        endedCount = 0
        indices = Dictionary(uniqueKeysWithValues: tracks.enumerated().map { ($1.journey.id, $0) })
        open = [:]
        for (index, track) in tracks.enumerated() {
            if let vehicle = track.journey.server { open[vehicle, default: []].append(index) }
        }
    }

    /// Forgets the decoded paths, whose number is limited.
    mutating func forgetPaths() { paths = PathDecoder() }

    /// Processes an entry; an entry without an answer changes nothing.
    mutating func handle(_ entry: LogEntry) throws(RecordingError) {
        switch entry.answer {
        case .trip(let answer):
            guard let id = entry.tripID else { return }
            let known = trip(id)
            let others =
                known?.vehicleID.flatMap { open[$0] }?.suffix(Self.mostOthers).compactMap { tracks[$0].journey.trip }
                ?? []
            var trip = Trip(answer, id, in: provider, known: known, others: others, paths: &paths)
            if entry.call == .getTrip, let known, !trip.status.isTerminal {
                // The request may have contained known versions, so that the answer omits those parts.
                trip.route = trip.route ?? known.route
                trip.traffic = trip.traffic ?? known.traffic
                trip.remainingWaypoints =
                    trip.remainingWaypoints.isEmpty ? known.remainingWaypoints : trip.remainingWaypoints
            }
            try note(.trip(trip), at: entry.time)
        case .vehicle:
            guard let vehicle = entry.vehicleID, let served = open[vehicle],
                let answer = VehicleAnswer(entry, vehicle, in: provider, paths: &paths)
            else { return }
            let trips = served.compactMap { tracks[$0].journey.trip }
            for trip in trips {
                guard let updated = answer.applied(to: trip, others: trips) else { continue }
                try note(.trip(updated), at: entry.time)
            }
        case .tasks, .deliveryVehicle, .shipment: try handleDelivery(entry)
        case nil: return
        }
    }

    /// Processes an entry of a delivery call; returns the shipments that it changes.
    @discardableResult
    mutating func handleDelivery(_ entry: LogEntry) throws(RecordingError) -> [JourneyID] {
        let changed = deliveries.handle(entry)
        for shipment in changed { try note(.shipment(shipment), at: entry.time) }
        return changed.map { .shipment($0.trackingID) }
    }

    /// Stores a state of a trip with versions for the parts that have changed, or a state of a shipment, which has no versions.
    private mutating func note(_ journey: Journey, at time: Date) throws(RecordingError) {
        if storesHistory { snapshots += 1 }
        guard snapshots <= Self.maximumSnapshots else { throw .tooManySnapshots(limit: Self.maximumSnapshots) }
        let index = indices[journey.id] ?? tracks.count
        let before = index < tracks.count ? tracks[index].journey : nil
        endedCount += (journey.hasEnded ? 1 : 0) - (before?.hasEnded == true ? 1 : 0)
        var stamped = journey
        if case .trip(let trip) = journey { stamped = .trip(trip.stamped(after: before?.trip, at: time)) }
        if before == nil {
            tracks.append(Track(journey: stamped))
            indices[journey.id] = index
        }
        tracks[index].journey = stamped
        tracks[index].vehicleID = stamped.vehicleID ?? tracks[index].vehicleID
        if storesHistory { tracks[index].snapshots.append(RecordedTrips.Snapshot(time: time, journey: stamped)) }

        guard before?.server != stamped.server else { return }
        if let vehicle = before?.server { open[vehicle]?.removeAll { $0 == index } }
        if let vehicle = stamped.server { open[vehicle, default: []].append(index) }
    }
}

extension Journey {
    /// Whether a trip has ended, or the task of a shipment was closed.
    fileprivate var hasEnded: Bool { status.isTerminal || shipment?.state == .closed }

    /// The vehicle that serves the trip now; `nil` after its end.
    fileprivate var server: VehicleID? { status.isTerminal ? nil : vehicleID }
}

extension Trip {
    /// Returns the trip with versions: a new one for each changed part, none for a missing part.
    fileprivate func stamped(after before: Trip?, at time: Date) -> Trip {
        func version(isThere: Bool, isSame: Bool, _ known: Version?) -> Version? {
            isThere ? (isSame ? known : nil) ?? Version(time) : nil
        }
        func places(_ waypoints: [Waypoint]) -> [Waypoint] {
            waypoints.map { Waypoint(coordinate: $0.coordinate, tripID: $0.tripID, kind: $0.kind) }
        }
        let known = before?.remainingWaypoints ?? []
        func paths(_ waypoints: [Waypoint]) -> Bool {
            waypoints.map(\.path) == known.map(\.path)
                && waypoints.map(\.traffic) == known.map(\.traffic)
        }
        var trip = self
        trip.routeVersion = version(isThere: route != nil, isSame: route == before?.route, before?.routeVersion)
        trip.trafficVersion = version(
            isThere: traffic != nil,
            isSame: traffic == before?.traffic,
            before?.trafficVersion
        )
        let isThere = !remainingWaypoints.isEmpty
        let isSamePlaces = places(remainingWaypoints) == places(known)
        trip.remainingWaypointsVersion = version(
            isThere: isThere,
            isSame: isSamePlaces,
            before?.remainingWaypointsVersion
        )
        trip.remainingWaypointsRouteVersion = version(
            isThere: isThere,
            isSame: isSamePlaces && paths(remainingWaypoints),
            before?.remainingWaypointsRouteVersion
        )
        trip.intermediateDestinationsVersion = version(
            isThere: !intermediateDestinations.isEmpty,
            isSame: intermediateDestinations == before?.intermediateDestinations,
            before?.intermediateDestinationsVersion
        )
        return trip
    }
}
