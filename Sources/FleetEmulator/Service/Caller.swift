import FleetWire
import TripModel

/// Who calls: the role of the service account that signed the token, and what the token's claims cover.
package struct Caller: Sendable, Equatable {
    /// A role, by the permissions that it has (section 4.2).
    package enum Role: String, Sendable, Hashable, CaseIterable {
        /// `roles/fleetengine.consumerSdkUser`.
        case consumer
        /// `roles/fleetengine.driverSdkUser`.
        case driver
        /// `roles/fleetengine.ondemandAdmin`: claims don't matter.
        case server
    }

    /// The role.
    package var role: Role
    /// The claim `authorization.tripid`; `*` covers all.
    package var tripID: String?
    /// The claim `authorization.vehicleid`; `*` covers all.
    package var vehicleID: String?

    /// A caller of a role with the claims of a token.
    package init(role: Role, tripID: String?, vehicleID: String?) {
        self.role = role
        self.tripID = tripID
        self.vehicleID = vehicleID
    }

    /// Throws what a caller gets who may not make a call, whether or not the thing exists.
    func checkPermission(for request: FleetRequest) throws(ServiceError) {
        let permission = request.permission
        guard role.permissions.contains(permission) else { throw .missingPermission("fleetengine.\(permission)") }
        guard role != .server else { return }
        switch request {
        case .getTrip(let id, _), .updateTrip(let id, _, _), .createTrip(let id, _), .deleteTrip(let id),
            .reportBillableTrip(let id, _):
            // A driver's token names the vehicle, not the trip: it covers trips only where it says so itself.
            guard Self.covers(tripID, id.rawValue) else {
                throw .permissionDenied("The token's tripid is not the requested trip")
            }
        case .getVehicle(let id, _), .updateVehicle(let id, _, _), .createVehicle(let id, _), .deleteVehicle(let id),
            .updateVehicleAttributes(let id, _):
            guard Self.covers(vehicleID, id.rawValue) else {
                throw .permissionDenied("The token's vehicleid is not the requested vehicle")
            }
        case .searchTrips(let search):
            // Without a vehicle the search is over all of them, which only a token for all of them covers.
            guard Self.covers(vehicleID, search.vehicleID?.rawValue ?? "*") else {
                throw .permissionDenied("The token's vehicleid is not the vehicle whose trips are searched")
            }
        case .searchVehicles:
            // A rider may look for vehicles with any trip's token (section 4.2).
            guard tripID != nil || vehicleID != nil else {
                throw .permissionDenied("The token names neither a trip nor a vehicle")
            }
        case .listVehicles: break
        }
    }

    /// Exact bytes: `==` on strings takes different spellings of one character for equal.
    private static func covers(_ claim: String?, _ id: String) -> Bool {
        guard let claim else { return false }
        return claim == "*" || claim.utf8.elementsEqual(id.utf8)
    }
}

extension FleetRequest {
    /// The IAM permission that the call needs, less the prefix.
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
    /// The permissions of the role among those of ``FleetRequest``.
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
