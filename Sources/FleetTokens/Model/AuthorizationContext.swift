public import TripModel

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What a token is for: the key of the token cache.
///
/// Two contexts are the same only if their IDs agree byte for byte; Swift's own string equality would take two spellings
/// of one accented letter for the same trip and hand out the other one's token.
public enum AuthorizationContext: Hashable, Sendable {
    /// A consumer's token, which may read one trip.
    case trip(TripID)
    /// A driver's token, which may report one vehicle.
    case vehicle(VehicleID)

    /// The bare ID, without saying of what.
    public var id: String {
        switch self {
        case .trip(let trip): trip.rawValue
        case .vehicle(let vehicle): vehicle.rawValue
        }
    }

    /// The claim inside `authorization` that has to hold the ID: `tripid` or `vehicleid`.
    public var claimName: String {
        switch self {
        case .trip: "tripid"
        case .vehicle: "vehicleid"
        }
    }

    /// Compares kind and bytes.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.trip(let one), .trip(let other)): one.rawValue.hasSameBytes(as: other.rawValue)
        case (.vehicle(let one), .vehicle(let other)): one.rawValue.hasSameBytes(as: other.rawValue)
        case (.trip, .vehicle), (.vehicle, .trip): false
        }
    }

    /// Hashes kind and ID.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .trip(let trip): hasher.combine(trip)
        case .vehicle(let vehicle):
            hasher.combine(1 as UInt8)
            hasher.combine(vehicle)
        }
    }
}

extension AuthorizationContext: CustomStringConvertible, CustomReflectable {
    /// The kind and the last four characters of the ID, such as `trip …4f2a`: enough to tell two apart in a log.
    public var description: String {
        switch self {
        case .trip: "trip …\(ending)"
        case .vehicle: "vehicle …\(ending)"
        }
    }

    /// The description, and nothing behind it: a dump is as short as a line of a log.
    public var customMirror: Mirror { Mirror(self, children: ["context": description]) }

    /// Four characters of Unicode, which in a log move no cursor and begin no line.
    private var ending: String { id.unicodeScalars.suffix(4).map { $0.escaped(asASCII: true) }.joined() }
}

extension String {
    /// Whether two strings are the same bytes; `==` also calls different spellings of one text equal.
    package func hasSameBytes(as other: String) -> Bool {
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { own in
            unsafe other.utf8.withContiguousStorageIfAvailable { other in
                guard let one = own.baseAddress, let two = other.baseAddress else { return own.count == other.count }
                // Most often they are copies of one string, whose bytes need not even be fetched from memory.
                return unsafe own.count == other.count && (one == two || memcmp(one, two, own.count) == 0)
            }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
