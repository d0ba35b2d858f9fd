/// What the roles of service accounts permit.
///
/// The permissions come from Fleet Engine's IAM reference: those that a call of the service needs, without the prefix
/// `fleetengine.`. To add a role, add a case and an entry.
extension Caller.Role {
    /// One row of the table.
    struct Entry: Sendable {
        /// The IAM role; `nil` for an account without a role.
        let name: String?
        let permissions: Set<String>
        /// Whether the role has `allowAllActions`: then the claims of a token are not checked and need not exist.
        let ignoresClaims: Bool

        fileprivate init(_ name: String?, _ permissions: Set<String> = [], ignoresClaims: Bool = false) {
            (self.name, self.permissions, self.ignoresClaims) = (name, permissions, ignoresClaims)
        }
    }

    /// Whether the role has `serviceusage.services.use`, which a call needs that names the project that is to pay for it.
    ///
    /// The older role `serviceSuperUser` lacks it.
    var mayUseServices: Bool { self == .ondemandAdmin || self == .deliveryAdmin }

    /// The row of the role.
    var entry: Entry {
        switch self {
        case .consumer: Self.consumerEntry
        case .driver: Self.driverEntry
        case .server: Self.serverEntry
        case .ondemandAdmin: Self.adminEntry
        case .deliveryConsumer: Self.deliveryConsumerEntry
        case .deliveryUntrustedDriver: Self.untrustedDriverEntry
        case .deliveryTrustedDriver: Self.trustedDriverEntry
        case .deliveryFleetReader: Self.fleetReaderEntry
        case .deliverySuperUser: Entry("deliverySuperUser", Self.allDeliveries)
        case .deliveryAdmin: Entry("deliveryAdmin", Self.allDeliveries, ignoresClaims: true)
        case .noRole: Entry(nil)
        }
    }

    private static let consumerEntry = Entry("consumerSdkUser", ["trips.get", "vehicles.get", "vehicles.search"])
    private static let driverEntry = Entry(
        "driverSdkUser",
        ["trips.get", "trips.search", "trips.update", "vehicles.get", "vehicles.updateLocation"]
    )
    private static let serverEntry = Entry("serviceSuperUser", all)
    private static let adminEntry = Entry("ondemandAdmin", all, ignoresClaims: true)

    private static let deliveryConsumerEntry = Entry(
        "deliveryConsumer",
        ["tasks.searchWithTrackingId", "tasktrackinginfo.get"]
    )
    private static let untrustedDriverEntry = Entry(
        "deliveryUntrustedDriver",
        ["deliveryvehicles.get", "deliveryvehicles.updateLocation"]
    )
    private static let trustedDriverEntry = Entry(
        "deliveryTrustedDriver",
        [
            "deliveryvehicles.create", "deliveryvehicles.get", "deliveryvehicles.update",
            "deliveryvehicles.updateLocation", "deliveryvehicles.updateVehicleStops", "tasks.create", "tasks.update",
        ]
    )
    private static let fleetReaderEntry = Entry(
        "deliveryFleetReader",
        [
            "deliveryvehicles.get", "deliveryvehicles.list", "tasks.get", "tasks.list", "tasks.searchWithTrackingId",
            "tasktrackinginfo.get",
        ]
    )

    private static let allDeliveries: Set<String> = [
        "deliveryvehicles.create", "deliveryvehicles.get", "deliveryvehicles.update", "deliveryvehicles.updateLocation",
        "deliveryvehicles.updateVehicleStops", "deliveryvehicles.delete", "deliveryvehicles.list", "tasks.create",
        "tasks.get", "tasks.update", "tasks.delete", "tasks.list", "tasks.searchWithTrackingId",
        "tasktrackinginfo.get",
    ]

    private static let all: Set<String> = [
        "trips.create", "trips.get", "trips.update", "trips.delete", "trips.search", "vehicles.create", "vehicles.get",
        "vehicles.updateLocation", "vehicles.update", "vehicles.delete", "vehicles.list", "vehicles.search",
    ]
}
