public import TripModel

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The subject of a token, which is the key of the token cache.
///
/// Contexts are equal only if their IDs are equal byte by byte. Swift's string equality treats canonically equivalent spellings
/// as equal, which would return the token of another trip.
public enum AuthorizationContext: Hashable, Sendable {
    /// A consumer token that can read one trip.
    case trip(TripID)
    /// A driver token that can report one vehicle.
    case vehicle(VehicleID)
    /// A server token that covers all trips and vehicles of a project.
    case server

    /// The ID without its kind; `*` for a server.
    public var id: String {
        switch self {
        case .trip(let trip): trip.rawValue
        case .vehicle(let vehicle): vehicle.rawValue
        case .server: "*"
        }
    }

    /// The claim in `authorization` that must contain the ID: `tripid` or `vehicleid`.
    public var claimName: String {
        switch self {
        case .trip, .server: "tripid"
        case .vehicle: "vehicleid"
        }
    }

    /// Compares kind and bytes.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.trip(let one), .trip(let other)): one.rawValue.hasSameBytes(as: other.rawValue)
        case (.vehicle(let one), .vehicle(let other)): one.rawValue.hasSameBytes(as: other.rawValue)
        case (.server, .server): true
        case (.trip, _), (.vehicle, _), (.server, _): false
        }
    }

    /// Hashes kind and ID.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .trip(let trip): hasher.combine(trip)
        case .vehicle(let vehicle):
            hasher.combine(1 as UInt8)
            hasher.combine(vehicle)
        case .server: hasher.combine(2 as UInt8)
        }
    }
}

extension AuthorizationContext: CustomStringConvertible, CustomReflectable {
    /// The kind and the last four characters of the ID, such as `trip …4f2a`, for logs.
    public var description: String {
        switch self {
        case .trip: "trip …\(ending)"
        case .vehicle: "vehicle …\(ending)"
        case .server: "server"
        }
    }

    /// A mirror with the description only, so that dumps do not contain the ID.
    public var customMirror: Mirror { Mirror(self, children: ["context": description]) }

    /// The last four Unicode scalars, escaped so that they contain no control characters.
    private var ending: String { id.unicodeScalars.suffix(4).map { $0.escaped(asASCII: true) }.joined() }
}

extension String {
    /// Returns whether two strings have the same bytes; `==` also accepts canonically equivalent spellings.
    package func hasSameBytes(as other: String) -> Bool {
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { own in
            unsafe other.utf8.withContiguousStorageIfAvailable { other in
                guard let one = own.baseAddress, let two = other.baseAddress else { return own.count == other.count }
                // Usually both strings share their storage, so that no bytes need to be compared.
                return unsafe own.count == other.count && (one == two || memcmp(one, two, own.count) == 0)
            }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
