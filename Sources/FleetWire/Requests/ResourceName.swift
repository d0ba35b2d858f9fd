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

/// Percent-encoding of a path segment or a query value.
package enum PercentEncoding {
    /// Encodes all bytes except RFC 3986's unreserved ones: letters, digits, `-`, `.`, `_`, `~`.
    package static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                bytes.append(hexadecimal[Int(byte >> 4)])
                bytes.append(hexadecimal[Int(byte & 15)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes a text; `nil` for a `%` without two hexadecimal digits and for invalid UTF-8.
    package static func decode(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)
}
