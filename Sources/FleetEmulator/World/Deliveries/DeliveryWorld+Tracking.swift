import FleetEngineProtos
package import FleetWire
package import Foundation
package import TripModel

extension DeliveryWorld {
    /// GetTaskTrackingInfo: what the recipient of a shipment sees.
    package func trackingInfo(_ id: TrackingID, at now: Date) throws(ServiceError) -> TaskTrackingInfo {
        let records = (shipments[id] ?? []).compactMap { tasks[$0] }.sorted { $0.number < $1.number }
        // Each stored task has a valid name.
        let models = records.compactMap { try? DeliveryTaskCoding.task($0.task) }
        guard let task = models.shown(stop: { stop(of: $0.id, at: now)?.index }) else {
            throw .notFound(id.rawValue)
        }
        var info = TaskTrackingInfo(task, trackingID: id)
        guard let (vehicle, index) = stop(of: task.id, at: now) else { return info }
        info.show(
            vehicle.vehicle.hasLastLocation ? vehicle.vehicle.lastLocation.model : nil,
            approach(of: vehicle, to: index),
            by: task.trackingView,
            isOnBreak: vehicle.plan.segments.isOnBreak { tasks[$0]?.task.kind },
            at: now
        )
        return info
    }

    /// Returns the way of a vehicle to one of its stops.
    private func approach(of record: DeliveryVehicleRecord, to index: Int) -> Approach {
        let segments = Array(record.plan.segments[...index])
        let durations = segments.map { segment in
            (segment.stop?.tasks ?? []).reduce(Duration.zero) { $0 + (tasks[$1.id]?.task.taskDuration.length ?? .zero) }
        }
        return Approach(segments, durations: durations, from: record.plan.time, arrivedAt: record.plan.arrivedAt)
    }
}
