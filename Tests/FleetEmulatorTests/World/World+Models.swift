import FleetEmulator
import FleetWire
import TripModel

/// The answers of the service as values of the model.
extension World {
    func model(of id: VehicleID) throws -> Vehicle { try VehicleCoding.vehicle(vehicle(id)) }

    /// Returns a vehicle with everything that was reported.
    func reportedModel(of id: VehicleID) throws -> Vehicle { try VehicleCoding.vehicle(reportedVehicle(id)) }
}

extension VehicleMessage {
    init(json: String) throws { try self.init(body: [UInt8](json.utf8)) }
}
