import Runtime
package import TripModel

/// The full name of a resource in paths and bodies, such as `providers/{provider}/trips/{trip}`.
package enum ResourceName: Sendable, Hashable {
    case trip(ProviderID, TripID)
    case vehicle(ProviderID, VehicleID)
    case task(ProviderID, TaskID)
    case deliveryVehicle(ProviderID, DeliveryVehicleID)
    /// What the recipient of a shipment sees, by the tracking ID.
    case taskTrackingInfo(ProviderID, TrackingID)

    /// Parses a name.
    ///
    /// Throws ``WireError/badName(_:)`` for an invalid name.
    package init(_ text: String) throws(WireError) {
        let parts = text.split(separator: "/", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, parts[0] == "providers" else { throw .badName(text.bounded(to: 200)) }
        do {
            let provider = try ProviderID(parts[1])
            switch parts[2] {
            case "trips": self = .trip(provider, try TripID(parts[3]))
            case "vehicles": self = .vehicle(provider, try VehicleID(parts[3]))
            case "tasks": self = .task(provider, try TaskID(parts[3]))
            case "deliveryVehicles": self = .deliveryVehicle(provider, try DeliveryVehicleID(parts[3]))
            case "taskTrackingInfo": self = .taskTrackingInfo(provider, try TrackingID(parts[3]))
            default: throw WireError.badName(text.bounded(to: 200))
            }
        } catch {
            throw .badName(text.bounded(to: 200))
        }
    }

    /// Creates the name of a trip or of what the recipient of a shipment sees.
    package init(_ provider: ProviderID, _ journey: JourneyID) {
        switch journey {
        case .trip(let id): self = .trip(provider, id)
        case .shipment(let id): self = .taskTrackingInfo(provider, id)
        }
    }

    /// Parses the field `name` of a message; throws ``WireError``, also if it is not set.
    init(field name: String) throws(WireError) {
        guard !name.isEmpty else { throw .unexpected(path: "name", reason: "missing") }
        try self.init(name)
    }

    private var parts: (provider: ProviderID, collection: String, id: String) {
        switch self {
        case .trip(let provider, let id): (provider, "trips", id.rawValue)
        case .vehicle(let provider, let id): (provider, "vehicles", id.rawValue)
        case .task(let provider, let id): (provider, "tasks", id.rawValue)
        case .deliveryVehicle(let provider, let id): (provider, "deliveryVehicles", id.rawValue)
        case .taskTrackingInfo(let provider, let id): (provider, "taskTrackingInfo", id.rawValue)
        }
    }

    /// The name in a body.
    package var text: String { "providers/\(parts.provider)/\(parts.collection)/\(parts.id)" }

    /// The percent-encoded URL path, without the leading slash and the version.
    package var path: String {
        let (provider, collection, id) = parts
        return "providers/\(PercentEncoding.encode(provider.rawValue))/\(collection)/\(PercentEncoding.encode(id))"
    }
}
