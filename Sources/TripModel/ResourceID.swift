/// The bare ID of a Fleet Engine resource, such as `tr-7f3a`: one type per kind of resource, so that they can't be mixed.
///
/// Rules of the service (reference, section 2.1, CreateTrip): 1 to 64 characters, none of `/ : ? , #`. `.` and `..` are
/// refused too, as they would change the path of a URL that they are put in. Anything else is allowed, spaces, emoji and
/// control characters included, so an ID is percent-encoded for a URL and made printable for a screen.
public struct ResourceID<Kind>: Sendable, Hashable, CustomStringConvertible {
    /// The ID as the service spells it.
    public let rawValue: String
    /// Made once: IDs are looked up far more often than they are made.
    private let hash: Int

    /// Takes a bare ID.
    ///
    /// - Parameter rawValue: The ID without any path.
    /// - Throws: ``ResourceIDError`` with the rule that is broken.
    public init(_ rawValue: String) throws(ResourceIDError) {
        guard !rawValue.isEmpty else { throw .empty }
        // One character can be of any number of bytes; no ID that a person gives has more than a family of emoji in each place.
        guard rawValue.utf8.count <= 2048, rawValue.count <= 64 else { throw .tooLong(characters: rawValue.count) }
        guard rawValue != ".", rawValue != ".." else { throw .pathSegment(rawValue) }
        if let character = rawValue.first(where: { "/:?,#".contains($0) }) { throw .forbidden(character) }
        self.rawValue = rawValue
        hash = rawValue.hashValue
    }

    /// Compares the bytes: two spellings of one accented letter, which are the same string for Swift, are two trips.
    public static func == (left: Self, right: Self) -> Bool {
        left.hash == right.hash && left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    /// Hashes the text; the same bytes have the same hash.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// The ID as the service spells it.
    public var description: String { rawValue }
}

/// Why a string can't be a resource ID.
public enum ResourceIDError: Error, Sendable, Equatable {
    /// There is nothing in it.
    case empty
    /// It has more than 64 characters.
    case tooLong(characters: Int)
    /// It holds one of `/ : ? , #`.
    case forbidden(Character)
    /// It is `.` or `..`, which a URL takes for a step in its path.
    case pathSegment(String)
}

/// Marks a ``TripID``.
public enum TripKind: Sendable {}
/// Marks a ``VehicleID``.
public enum VehicleKind: Sendable {}
/// Marks a ``ProviderID``.
public enum ProviderKind: Sendable {}

/// The bare ID of a trip.
public typealias TripID = ResourceID<TripKind>
/// The bare ID of a vehicle.
public typealias VehicleID = ResourceID<VehicleKind>
/// The Google Cloud project that owns trips and vehicles.
public typealias ProviderID = ResourceID<ProviderKind>
