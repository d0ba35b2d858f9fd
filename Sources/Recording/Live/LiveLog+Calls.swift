import Failures
import FleetWire
import Foundation
import Runtime
import TripFeed
import TripModel

/// What a call changes, by the party that usually makes it.
extension LiveLog {
    /// Processes a call of a server or a driver about deliveries; its shipments have no sides.
    mutating func handleDelivery(_ entry: LogEntry, _ builder: inout TimelineBuilder, at now: Moment) -> [Item] {
        // Without the history there is no limit that it could exceed.
        let changed = (try? builder.handleDelivery(entry)) ?? []
        let side: TripSide = entry.call == .delivery(.vehicle) ? .driver : .server
        return changed.flatMap { id in
            hasRoom(for: id, builder) ? step(id, side, at: now, builder, isAnswer: true) { _ in } : []
        }
    }

    /// Processes a call of a rider or a recipient.
    mutating func handleRead(
        _ entry: LogEntry,
        of id: JourneyID,
        _ builder: inout TimelineBuilder,
        at now: Moment
    ) -> [Item] {
        let call: [Item] = isWanted(id) ? [.riderCall(id, refused: entry.error, at: now)] : []
        guard hasRoom(for: id, builder) else { return call }
        if let error = entry.error { return call + refusal(error, of: entry, id, .rider, builder, at: now) }
        guard entry.response != nil, isNewest(entry, id, .rider) else { return call }
        // A rider's answer is the state only while nothing else is known. Else it shows that the state still holds.
        let isOnlySource = id.kind == .trip && tracks[id]?.sides.reports[.server]?.statusCall == nil
        // For a shipment, the builder knows whether the answer is the only source.
        if isOnlySource || id.kind == .shipment { update(&builder, entry) }
        let isCurrent = isOnlySource || tracks[id]?.isCurrent(entry.time) ?? true
        let report =
            id.trip.map { SideReport(rider: entry, of: $0, in: builder.provider) } ?? SideReport(entry.sideCall)
        return call + step(id, .rider, at: now, builder, isAnswer: isCurrent) { $0.add(report, of: .rider) }
    }

    /// Processes a call of a server about a trip.
    mutating func handleTrip(_ entry: LogEntry, _ builder: inout TimelineBuilder, at now: Moment) -> [Item] {
        guard let tripID = entry.tripID else { return [] }
        let id = JourneyID.trip(tripID)
        guard hasRoom(for: id, builder) else { return [] }
        if let error = entry.error { return refusal(error, of: entry, id, .server, builder, at: now) }
        guard entry.response != nil, isNewest(entry, id, .server) else { return [] }
        update(&builder, entry)
        guard let trip = builder.trip(tripID) else { return [] }
        let driver = trip.vehicleID.flatMap { drivers[$0] }
        return step(id, .server, at: now, builder, isAnswer: true) { sides in
            sides.add(SideReport(server: trip, entry: entry, after: sides.reports[.server]), of: .server)
            if sides.reports[.driver] == nil, let driver, !trip.status.isTerminal {
                sides.add(driver, of: .driver, isCall: false)
            }
        }
    }

    /// Returns the effect of a refused call.
    private mutating func refusal(
        _ error: ServiceAnswer,
        of entry: LogEntry,
        _ id: JourneyID,
        _ side: TripSide,
        _ builder: TimelineBuilder,
        at now: Moment
    ) -> [Item] {
        step(id, side, at: now, builder) {
            $0.add(SideError(entry.sideCall, error: error), of: side)
        }
    }

    /// Returns whether an entry is not older than the last one of its side; counts one that is.
    ///
    /// The buffer of `gcloud beta logging tail` is short, so a late entry may follow a newer one.
    private mutating func isNewest(_ entry: LogEntry, _ id: JourneyID, _ side: TripSide) -> Bool {
        let isNewest = tracks[id]?.sides.reports[side].map { $0.time <= entry.time } ?? true
        if !isNewest { lateEntries += 1 }
        return isNewest
    }

    /// Processes a call of a driver about a vehicle.
    mutating func handleVehicle(_ entry: LogEntry, _ builder: inout TimelineBuilder, at now: Moment) -> [Item] {
        guard let vehicle = entry.vehicleID else { return [] }
        if let error = entry.error {
            return builder.trips(of: vehicle).flatMap {
                refusal(error, of: entry, .trip($0), .driver, builder, at: now)
            }
        }
        let last = drivers[vehicle]
        let isNewest = last.map { $0.time <= entry.time } ?? true
        if !isNewest { lateEntries += 1 }
        guard case .vehicle(let answer, _)? = entry.answer, isNewest else { return [] }
        for id in answer.currentTrips.prefix(Self.maximumServed) where hasRoom(for: .trip(id), builder) {
            // Without the history there is no limit that it could exceed.
            try? builder.add(id, of: vehicle, at: entry.time)
        }
        update(&builder, entry)
        if drivers.count >= Self.maximumVehicles, last == nil { drivers = [:] }
        let report = SideReport(driver: entry, vehicle: vehicle, in: builder.provider, after: last)
        drivers[vehicle] = report
        return builder.trips(of: vehicle).flatMap { id in
            guard let trip = builder.trip(id) else { return [Item]() }
            return step(.trip(id), .driver, at: now, builder, isAnswer: true) { sides in
                sides.add(report, of: .driver)
                let server = SideReport(server: trip, entry: entry, after: sides.reports[.server])
                sides.add(server, of: .server, isCall: false)
            }
        }
    }

    private func update(_ builder: inout TimelineBuilder, _ entry: LogEntry) {
        // Without the history there is no limit that it could exceed.
        try? builder.handle(entry)
    }

    /// Applies a change to the sides of a trip; returns it if the trip is followed.
    private mutating func step(
        _ id: JourneyID,
        _ side: TripSide,
        at now: Moment,
        _ builder: TimelineBuilder,
        isAnswer: Bool = false,
        _ change: (inout TripSides) -> Void
    ) -> [Item] {
        guard var track = tracks[id] ?? track(of: id, builder) else { return [] }
        let held = track.confirm(at: now)
        change(&track.sides)
        let before = Set(track.differences.map(\.kind))
        track.differences = track.sides.differences
        let after = Set(track.differences.map(\.kind))
        var step = Step(moment: now, side: side, sides: track.sides, isRefused: track.sides.errors[side] != nil)
        step.began = track.differences.filter { !before.contains($0.kind) }
        step.ended = SideDifference.Kind.allCases.filter { before.contains($0) && !after.contains($0) }
        if isAnswer, let journey = builder.journey(id) { step.events = track.record(journey, by: side, at: now) }
        tracks[id] = track
        guard isWanted(id) else { return [] }
        return (held.isEmpty ? [] : [.found(id, held, at: now)]) + [.step(step)]
    }
}
