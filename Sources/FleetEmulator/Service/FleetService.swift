package import FleetWire
package import Foundation
package import Recording
import Synchronization
package import TripModel

/// The service behind any transport: takes a call, asks whether it is permitted, and carries it out in the world.
package final class FleetService: Sendable {
    /// What the service serves.
    package enum Source: Sendable {
        /// A world that calls change.
        case world(World)
        /// A recording, as it was; times are those of the recording's own shift.
        case recording(RecordedTrips)
    }

    private let source: Mutex<Source>
    /// The project that owns everything in it.
    package let provider: ProviderID

    /// A service of some source.
    package init(_ source: Source) {
        switch source {
        case .world(let world): provider = world.provider
        case .recording(let recording): provider = recording.provider
        }
        self.source = Mutex(source)
    }

    /// Carries out a call of a caller at a time.
    ///
    /// What is permitted is decided before what exists (section 4.3). Throws the ``ServiceError`` that the caller gets.
    package func call(
        _ request: FleetRequest,
        by caller: Caller,
        at now: Date
    ) throws(ServiceError) -> FleetResponse {
        try caller.checkPermission(for: request)
        let result: Result<FleetResponse, ServiceError> = source.withLock { source in
            Result { () throws(ServiceError) in
                switch source {
                case .world(var world):
                    let response = try Self.perform(request, in: &world, at: now)
                    source = .world(world)
                    return response
                case .recording(let recording): return try Self.replay(request, from: recording, at: now)
                }
            }
        }
        return try result.get()
    }

    private static func perform(
        _ request: FleetRequest,
        in world: inout World,
        at now: Date
    ) throws(ServiceError) -> FleetResponse {
        switch request {
        case .createTrip(let id, let body): .trip(try world.createTrip(id, body, at: now), .points)
        case .getTrip(let id, let conditions):
            .trip(conditions.applied(to: try world.trip(id, at: now)), conditions.format)
        case .updateTrip(let id, let mask, let body):
            .trip(try world.updateTrip(id, mask: mask, body, at: now), .points)
        case .createVehicle(let id, let body): .vehicle(try world.createVehicle(id, body, at: now))
        case .getVehicle(let id): .vehicle(try world.vehicle(id))
        case .updateVehicle(let id, let mask, let body):
            .vehicle(try world.updateVehicle(id, mask: mask, body, at: now))
        }
    }

    private static func replay(
        _ request: FleetRequest,
        from recording: RecordedTrips,
        at now: Date
    ) throws(ServiceError) -> FleetResponse {
        guard case .getTrip(let id, let conditions) = request else {
            throw .failedPrecondition("This service plays a recording: only GetTrip can be called.")
        }
        guard let timeline = recording.timelines.first(where: { $0.id == id }),
            var trip = timeline.snapshot(at: now)?.trip
        else { throw .notFound(id.rawValue) }
        trip.remainingTime = trip.etaToFirstWaypoint.map { .seconds($0.timeIntervalSince(now)) }
        return .trip(conditions.applied(to: trip), conditions.format)
    }
}
