import FleetWire
import Foundation
import Runtime
import TripModel

/// The operator calls for a driver's trips, with an operator token.
struct OperatorCalls: Sendable {
    let client: DriverClient

    private struct NewVehicle: Encodable {
        struct Kind: Encodable {
            var category: String
        }

        var vehicleState = "OFFLINE"
        var supportedTripTypes: [String]
        var maximumCapacity: Int
        var vehicleType: Kind
        var backToBackEnabled: Bool
    }

    private struct NewTrip: Encodable {
        var tripType: String
        var numberOfPassengers: Int
        var pickupPoint: DriverReport.Place.Terminal
        var intermediateDestinations: [DriverReport.Place.Terminal]?
        var dropoffPoint: DriverReport.Place.Terminal?
    }

    private struct TripChange: Encodable {
        var tripStatus: String?
        var vehicleId: String?
        var intermediateDestinationIndex: Int?
        var vehicleWaypoints: [DriverReport.Place]?
    }

    private var base: String { "/v1/providers/\(PercentEncoding.encode(client.provider.rawValue))" }

    /// Creates a vehicle.
    func create(_ script: DriverScript) async throws(DriverError) {
        let vehicle = PercentEncoding.encode(script.vehicle.id)
        try await client.operate(
            "CreateVehicle",
            "POST",
            "\(base)/vehicles?vehicleId=\(vehicle)",
            NewVehicle(
                supportedTripTypes: script.types.map(\.name),
                maximumCapacity: script.capacity,
                vehicleType: .init(category: script.category),
                backToBackEnabled: script.backToBackEnabled
            )
        )
    }

    /// Creates a trip.
    func create(_ trip: DriverScript.TripPlan) async throws(DriverError) {
        let terminal = { (place: Coordinate) in DriverReport.Place.Terminal(point: DriverReport.LatLng(place)) }
        try await client.operate(
            "CreateTrip",
            "POST",
            "\(base)/trips?tripId=\(PercentEncoding.encode(trip.id.rawValue))",
            NewTrip(
                tripType: trip.type.name,
                numberOfPassengers: trip.passengers,
                pickupPoint: terminal(trip.pickup),
                intermediateDestinations: trip.stops.isEmpty ? nil : trip.stops.map(terminal),
                dropoffPoint: trip.dropoff.map(terminal)
            )
        )
    }

    /// Assigns a trip to the client's vehicle.
    func assign(_ trip: TripID, order: [DriverScript.Stop]) async throws(DriverError) {
        var change = TripChange(vehicleId: client.vehicle.id)
        guard !order.isEmpty else { return try await update(trip, change, mask: "vehicleId") }
        change.vehicleWaypoints = order.map(DriverReport.Place.init)
        try await update(trip, change, mask: "vehicleId,vehicleWaypoints")
    }

    /// Sets the status of a trip; statuses at or on the way to a stop include the stop's index.
    func move(_ trip: TripID, to status: TripStatus, stop: Int?) async throws(DriverError) {
        let change = TripChange(tripStatus: status.name, intermediateDestinationIndex: stop)
        try await update(trip, change, mask: stop == nil ? "tripStatus" : "tripStatus,intermediateDestinationIndex")
    }

    private func update(_ trip: TripID, _ change: TripChange, mask: String) async throws(DriverError) {
        let path = ResourceName.trip(client.provider, trip).path
        try await client.operate("UpdateTrip", "PUT", "/v1/\(path)?updateMask=\(mask)", change)
    }
}

extension DriverReport.Place {
    /// Converts a stop to the format of a request.
    init(_ stop: DriverScript.Stop) {
        self.init(
            location: .init(point: DriverReport.LatLng(stop.place)),
            tripId: stop.trip.rawValue,
            waypointType: stop.kind.name
        )
    }
}
