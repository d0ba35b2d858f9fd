import FleetWire
import TripModel

/// The caller: the role of the service account that signed the token, and the token's claims.
package struct Caller: Sendable, Equatable {
    /// A role, defined by its permissions.
    ///
    /// The names in the comments are Fleet Engine's IAM roles.
    package enum Role: String, Sendable, Hashable, CaseIterable {
        /// `roles/fleetengine.consumerSdkUser`: reads trips.
        case consumer
        /// `roles/fleetengine.driverSdkUser`.
        case driver
        /// `roles/fleetengine.ondemandAdmin`: claims are not checked.
        case server
    }

    /// The role.
    package var role: Role
    /// The claim `authorization.tripid`; `*` covers all trips.
    package var tripID: String?
    /// The claim `authorization.vehicleid`; `*` covers all vehicles.
    package var vehicleID: String?

    /// Creates a caller.
    package init(role: Role, tripID: String?, vehicleID: String?) {
        self.role = role
        self.tripID = tripID
        self.vehicleID = vehicleID
    }

    /// Throws if the caller may not make a call.
    ///
    /// The error does not depend on whether the trip or vehicle exists.
    func checkPermission(for request: FleetRequest) throws(ServiceError) {
        let permission = request.permission
        guard role.permissions.contains(permission) else { throw .missingPermission("fleetengine.\(permission)") }
        guard role != .server else { return }
        switch request {
        case .getTrip(let id, _), .updateTrip(let id, _, _), .createTrip(let id, _), .deleteTrip(let id),
            .reportBillableTrip(let id, _):
            // A driver's token names a vehicle. It covers a trip only if it has a trip claim, too.
            guard Self.covers(tripID, id.rawValue) else {
                throw .permissionDenied("The token's tripid is not the requested trip")
            }
        case .getVehicle(let id, _), .updateVehicle(let id, _, _), .createVehicle(let id, _), .deleteVehicle(let id),
            .updateVehicleAttributes(let id, _):
            guard Self.covers(vehicleID, id.rawValue) else {
                throw .permissionDenied("The token's vehicleid is not the requested vehicle")
            }
        case .searchTrips(let search):
            // A search without a vehicle covers all vehicles, so it requires the claim `*`.
            guard Self.covers(vehicleID, search.vehicleID?.rawValue ?? "*") else {
                throw .permissionDenied("The token's vehicleid is not the vehicle whose trips are searched")
            }
        case .searchVehicles:
            // A rider may search for vehicles with a token for any trip.
            guard tripID != nil || vehicleID != nil else {
                throw .permissionDenied("The token names neither a trip nor a vehicle")
            }
        case .listVehicles: break
        }
    }

    /// Compares bytes, because `==` on strings treats canonically equivalent spellings as equal.
    private static func covers(_ claim: String?, _ id: String) -> Bool {
        guard let claim else { return false }
        return claim == "*" || claim.utf8.elementsEqual(id.utf8)
    }
}

extension FleetRequest {
    /// The IAM permission for the call, without the prefix.
    fileprivate var permission: String {
        switch self {
        case .createTrip: "trips.create"
        case .getTrip: "trips.get"
        case .updateTrip: "trips.update"
        case .deleteTrip: "trips.delete"
        case .searchTrips: "trips.search"
        case .reportBillableTrip: "trips.allowAllActions"
        case .createVehicle: "vehicles.create"
        case .getVehicle: "vehicles.get"
        case .updateVehicle(_, let mask, _):
            Set(mask.paths).isSubset(of: VehicleRecord.reported) ? "vehicles.updateLocation" : "vehicles.update"
        case .deleteVehicle: "vehicles.delete"
        case .updateVehicleAttributes: "vehicles.update"
        case .listVehicles: "vehicles.list"
        case .searchVehicles: "vehicles.search"
        }
    }
}

extension Caller.Role {
    /// The permissions of the role that ``FleetRequest`` uses.
    fileprivate var permissions: Set<String> {
        switch self {
        case .consumer: ["trips.get", "vehicles.get", "vehicles.search"]
        case .driver: ["trips.get", "trips.search", "trips.update", "vehicles.get", "vehicles.updateLocation"]
        case .server:
            [
                "trips.create", "trips.get", "trips.update", "trips.delete", "trips.search", "trips.allowAllActions",
                "vehicles.create", "vehicles.get", "vehicles.updateLocation", "vehicles.update", "vehicles.delete",
                "vehicles.list", "vehicles.search",
            ]
        }
    }
}
