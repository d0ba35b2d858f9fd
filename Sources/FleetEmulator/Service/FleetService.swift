import FleetEngineProtos
package import FleetWire
package import Foundation
package import Recording
import SwiftProtobuf
import Synchronization
package import TripModel

/// The service without a transport: checks the permission for a call and performs it in the world.
package final class FleetService: Sendable {
    /// The data that the service serves.
    package enum Source: Sendable {
        /// A world that calls can change.
        case world(World)
        /// A read-only recording; times follow the recording's own shift.
        case recording(RecordedTrips)
    }

    private let world: Mutex<World>
    private let recording: Mutex<RecordedTrips?>
    /// The project that owns all resources.
    package let provider: ProviderID

    package init(_ source: Source) {
        switch source {
        case .world(let world):
            provider = world.provider
            self.world = Mutex(world)
            recording = Mutex(nil)
        case .recording(let recording):
            provider = recording.provider
            world = Mutex(World(provider: recording.provider))
            self.recording = Mutex(recording)
        }
    }

    /// Replaces the data by others of the same kind and project.
    package func reset(to source: Source) {
        switch source {
        case .world(let new): world.withLock { $0 = new }
        case .recording(let new): recording.withLock { $0 = new }
        }
    }

    /// Performs a call of a caller at a time.
    ///
    /// Like Fleet Engine, it checks permissions before existence. Throws the ``ServiceError`` that the caller receives.
    package func call(
        _ request: FleetRequest,
        by caller: Caller,
        at now: Date
    ) throws(ServiceError) -> FleetResponse {
        try caller.checkPermission(for: request)
        if let recording = recording.withLock({ $0 }) { return try Self.replay(request, from: recording, at: now) }
        let result: Result<FleetResponse, ServiceError> = world.withLock { world in
            Result { () throws(ServiceError) in try Self.perform(request, in: &world, at: now) }
        }
        return try result.get()
    }

    /// Returns a vehicle with everything that was reported, also what the service's answers do not contain.
    func reportedVehicle(_ id: VehicleID) throws(ServiceError) -> VehicleMessage {
        let result: Result<VehicleMessage, ServiceError> = world.withLock { world in
            Result { () throws(ServiceError) in try world.reportedVehicle(id) }
        }
        return try result.get()
    }

    /// The trips reported by ReportBillableTrip.
    var billableTrips: [BillableTrip] { world.withLock { Array($0.billableTrips) } }

    private static func perform(
        _ request: FleetRequest,
        in world: inout World,
        at now: Date
    ) throws(ServiceError) -> FleetResponse {
        world.forgetOld(at: now)
        switch request {
        case .createTrip(let id, let body): return .trip(try world.createTrip(id, body, at: now), .points)
        case .getTrip(let id, let conditions):
            return .trip(conditions.applied(to: try world.trip(id, at: now)), conditions.format)
        case .updateTrip(let id, let mask, let body):
            return .trip(try world.updateTrip(id, mask: mask, body, at: now), .points)
        case .deleteTrip(let id):
            try world.deleteTrip(id)
            return .empty
        case .searchTrips(let search):
            let page = try world.searchTrips(search, at: now)
            return .trips(page.items, nextPageToken: page.next)
        case .reportBillableTrip(let id, let report):
            world.reportBillable(id, report, at: now)
            return .empty
        case .createVehicle(let id, let body): return .vehicle(try world.createVehicle(id, body, at: now))
        case .getVehicle(let id, let conditions): return .vehicle(conditions.applied(to: try world.vehicle(id)))
        case .updateVehicle(let id, let mask, let body):
            return .vehicle(try world.updateVehicle(id, mask: mask, body, at: now))
        case .deleteVehicle(let id):
            try world.deleteVehicle(id)
            return .empty
        case .updateVehicleAttributes(let id, let attributes):
            return .attributes(try world.updateAttributes(of: id, attributes, at: now))
        case .listVehicles(let list):
            let page = try world.listVehicles(list, at: now)
            return .vehicles(
                .with {
                    ($0.vehicles, $0.nextPageToken, $0.totalSize) = (page.items, page.next ?? "", Int64(page.total))
                }
            )
        case .searchVehicles(let search): return .matches(world.searchVehicles(search, at: now))
        case .delivery(let request): return .delivery(try world.deliveries.perform(request, at: now))
        }
    }

    private static func replay(
        _ request: FleetRequest,
        from recording: RecordedTrips,
        at now: Date
    ) throws(ServiceError) -> FleetResponse {
        if case .searchTrips(let search) = request {
            let page = try recording.search(search, at: now)
            return .trips(page.items, nextPageToken: page.next)
        }
        if case .delivery(.getTaskTrackingInfo(let id)) = request {
            guard
                let info = recording.timelines.first(where: { $0.id == .shipment(id) })?.snapshot(at: now)?
                    .journey.shipment
            else { throw .notFound(id.rawValue) }
            return .delivery(.trackingInfo(info))
        }
        guard case .getTrip(let id, let conditions) = request else {
            throw .failedPrecondition(
                "This service plays a recording: only GetTrip, SearchTrips and GetTaskTrackingInfo can be called."
            )
        }
        guard let timeline = recording.timelines.first(where: { $0.id == .trip(id) }),
            var trip = timeline.snapshot(at: now)?.journey.trip
        else { throw .notFound(id.rawValue) }
        trip.remainingTime = trip.etaToFirstWaypoint.map { .seconds($0.timeIntervalSince(now)) }
        return .trip(conditions.applied(to: trip), conditions.format)
    }
}
