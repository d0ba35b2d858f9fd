import FleetEngineProtos
import FleetWire
import Foundation
import Runtime
import SwiftProtobuf
import TripModel

/// The operator calls for a driver's trips, with an operator token.
struct OperatorCalls: Sendable {
    let client: DriverClient

    private var base: String { "/v1/providers/\(PercentEncoding.encode(client.provider.rawValue))" }

    /// Creates a vehicle.
    func create(_ script: DriverScript) async throws(DriverError) {
        let vehicle = PercentEncoding.encode(script.vehicle.id)
        try await client.operate(
            "CreateVehicle",
            "POST",
            "\(base)/vehicles?vehicleId=\(vehicle)",
            MessageBytes.encode(
                VehicleMessage.with {
                    $0.vehicleState = .offline
                    $0.supportedTripTypes = script.types.map { EnumNames.tripType.value($0.name) }
                    $0.maximumCapacity = Int32(clamping: script.capacity)
                    $0.vehicleType.category = EnumNames.category.value(script.category)
                    $0.backToBackEnabled = script.backToBackEnabled
                }
            )
        )
    }

    /// Creates a trip.
    func create(_ trip: DriverScript.TripPlan) async throws(DriverError) {
        try await client.operate(
            "CreateTrip",
            "POST",
            "\(base)/trips?tripId=\(PercentEncoding.encode(trip.id.rawValue))",
            MessageBytes.encode(
                TripMessage.with {
                    $0.tripType = EnumNames.tripType.value(trip.type.name)
                    $0.numberOfPassengers = Int32(clamping: trip.passengers)
                    $0.pickupPoint = TerminalMessage(trip.pickup)
                    $0.intermediateDestinations = trip.stops.map(TerminalMessage.init)
                    if let dropoff = trip.dropoff { $0.dropoffPoint = TerminalMessage(dropoff) }
                }
            )
        )
    }

    /// Assigns a trip to the client's vehicle.
    func assign(_ trip: TripID, order: [DriverScript.Stop]) async throws(DriverError) {
        var change = TripMessage()
        change.vehicleID = client.vehicle.id
        guard !order.isEmpty else { return try await update(trip, change, mask: "vehicleId") }
        change.vehicleWaypoints = order.map {
            WaypointMessage(Waypoint(coordinate: $0.place, tripID: $0.trip, kind: $0.kind))
        }
        try await update(trip, change, mask: "vehicleId,vehicleWaypoints")
    }

    /// Sets the status of a trip; statuses at or on the way to a stop include the stop's index.
    func move(_ trip: TripID, to status: TripStatus, stop: Int?) async throws(DriverError) {
        var change = TripMessage()
        change.status = status
        change.intermediateDestinationIndex = Int32(clamping: stop ?? 0)
        try await update(trip, change, mask: stop == nil ? "tripStatus" : "tripStatus,intermediateDestinationIndex")
    }

    private func update(_ trip: TripID, _ change: TripMessage, mask: String) async throws(DriverError) {
        let path = ResourceName.trip(client.provider, trip).path
        try await client.operate("UpdateTrip", "PUT", "/v1/\(path)?updateMask=\(mask)", MessageBytes.encode(change))
    }
}
