import FleetWire
import TripModel

/// The caller: the roles of the service account that signed the token, and the token's claims.
package struct Caller: Sendable, Equatable {
    /// The IAM role of an account; ``entry`` has its permissions.
    package enum Role: String, Sendable, Hashable, CaseIterable {
        /// `roles/fleetengine.consumerSdkUser`: reads trips.
        case consumer
        /// `roles/fleetengine.driverSdkUser`.
        case driver
        /// `roles/fleetengine.serviceSuperUser`: everything that the claims of a token cover.
        case server
        /// `roles/fleetengine.ondemandAdmin`: everything, whatever the claims are.
        case ondemandAdmin
        /// The roles for scheduled tasks, which permit nothing about trips and their vehicles.
        case deliveryConsumer, deliveryUntrustedDriver, deliveryTrustedDriver, deliveryFleetReader, deliverySuperUser
        case deliveryAdmin
        /// No role of Fleet Engine.
        case noRole = "none"

        /// The roles whose accounts sign the tokens of the token endpoint.
        package static let issuing: [Role] = [
            .consumer, .driver, .server, .deliveryConsumer, .deliveryUntrustedDriver, .deliveryTrustedDriver,
            .deliveryFleetReader, .deliverySuperUser,
        ]
        /// The roles whose accounts have a key without one given by the user.
        static let signing = issuing + [.ondemandAdmin]
    }

    /// The roles of the account that signed the token.
    package var roles: Set<Role>
    /// Whether the token has the claim `authorization`.
    var hasClaims = true
    /// The claim `authorization.tripid`; `*` covers all trips.
    package var tripID: String?
    /// The claim `authorization.vehicleid`; `*` covers all vehicles.
    package var vehicleID: String?
    /// The claims about deliveries.
    package var delivery = DeliveryClaims()

    package init(role: Role, tripID: String?, vehicleID: String?) {
        roles = [role]
        self.tripID = tripID
        self.vehicleID = vehicleID
    }

    /// Throws if the caller may not make a call.
    ///
    /// The error does not depend on whether the trip or vehicle exists.
    func checkPermission(for request: FleetRequest) throws(ServiceError) {
        guard hasClaims || roles.contains(where: \.entry.ignoresClaims) else {
            // What Fleet Engine answers to clients that sign with the key of an account without the role ondemandAdmin.
            throw .permissionDenied("JWT does not contain any scopes.")
        }
        for permission in request.permissions
        where !roles.contains(where: { $0.entry.permissions.contains(permission) }) {
            throw .missingPermission("fleetengine.\(permission)")
        }
        let ignoresClaims = roles.contains {
            $0.entry.ignoresClaims && $0.entry.permissions.isSuperset(of: request.permissions)
        }
        guard !ignoresClaims else { return }
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
        case .listVehicles:
            guard Self.covers(vehicleID, "*") else {
                throw .permissionDenied("The token's vehicleid is not *, which a list of all vehicles needs")
            }
        case .delivery(let request): try checkScope(for: request)
        }
    }

    /// Compares with `==`, which treats canonically equivalent spellings as equal: IDs are normalized and claims are not.
    static func covers(_ claim: String?, _ id: String) -> Bool {
        guard let claim else { return false }
        return claim == "*" || claim == id
    }
}

extension FleetRequest {
    /// The IAM permissions for the call, without the prefix.
    fileprivate var permissions: [String] {
        switch self {
        case .createTrip: ["trips.create"]
        case .getTrip: ["trips.get"]
        case .updateTrip: ["trips.update"]
        case .deleteTrip: ["trips.delete"]
        case .searchTrips: ["trips.search"]
        // Google's reference names no permission for it: who creates trips reports them.
        case .reportBillableTrip: ["trips.create"]
        case .createVehicle: ["vehicles.create"]
        case .getVehicle: ["vehicles.get"]
        case .updateVehicle(_, let mask, _):
            Set(mask.paths).isSubset(of: VehicleRecord.reported) ? ["vehicles.updateLocation"] : ["vehicles.update"]
        case .deleteVehicle: ["vehicles.delete"]
        case .updateVehicleAttributes: ["vehicles.update"]
        case .listVehicles: ["vehicles.list"]
        case .searchVehicles: ["vehicles.search"]
        case .delivery(let request): request.permissions
        }
    }
}
