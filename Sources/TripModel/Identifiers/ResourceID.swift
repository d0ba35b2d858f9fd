import Foundation
import Runtime

/// The ID of a Fleet Engine resource, such as `tr-7f3a`, with a separate type per kind of resource.
///
/// Fleet Engine's rules for IDs: 1 to 64 characters, none of `/ : ? , #`. `.` and `..` are refused, too, because they would
/// change the path of a URL. Everything else is allowed, including spaces, emoji and control characters. Percent-encode an ID
/// in a URL and sanitize it for display.
public struct ResourceID<Kind>: Sendable, Hashable, CustomStringConvertible {
    /// The ID as spelled by the service.
    public let rawValue: String
    /// Computed once, because IDs are looked up far more often than created; with 32 bits, an ID and its kind fit into 24 bytes.
    private let hash: UInt32

    /// Creates an ID.
    ///
    /// - Parameter rawValue: The ID without a path.
    /// - Throws: ``ResourceIDError`` with the violated rule.
    public init(_ rawValue: String) throws(ResourceIDError) {
        guard !rawValue.isEmpty else { throw .empty }
        // A character may have any number of bytes. 2048 bytes suffice for 64 complex emoji.
        guard rawValue.utf8.count <= 2048, rawValue.count <= 64 else { throw .tooLong(characters: rawValue.count) }
        guard rawValue != ".", rawValue != ".." else { throw .pathSegment(rawValue) }
        // Comparing bytes is much faster than comparing characters, and nearly always sufficient.
        if rawValue.utf8.contains(where: "/:?,#".utf8.contains),
            let character = rawValue.first(where: { "/:?,#".contains($0) })
        {
            throw .forbidden(character)
        }
        self.rawValue = rawValue
        hash = UInt32(truncatingIfNeeded: rawValue.hashValue)
    }

    /// Returns an ID as the service stores it: in Unicode Normalization Form C.
    package static func normalized(_ text: String) throws(ResourceIDError) -> Self {
        // Only other characters than ASCII have several spellings.
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        return try Self(isASCII || text.utf8.count > 4096 ? text : text.precomposedStringWithCanonicalMapping)
    }

    /// Compares bytes, because Swift's string equality treats different spellings of a character as equal, but they are
    /// different IDs.
    public static func == (left: Self, right: Self) -> Bool {
        left.hash == right.hash && left.rawValue.hasSameBytes(as: right.rawValue)
    }

    /// Hashes the ID consistently with the comparison of bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// The ID as spelled by the service.
    public var description: String { rawValue }
}

/// The reason why a string is not a valid resource ID.
public enum ResourceIDError: Error, Sendable, Equatable {
    /// The ID is empty.
    case empty
    /// The ID has more than 64 characters.
    case tooLong(characters: Int)
    /// The ID contains one of `/ : ? , #`.
    case forbidden(Character)
    /// The ID is `.` or `..`, which has a special meaning in a URL path.
    case pathSegment(String)
}

/// Marks a ``TripID``.
public enum TripKind: Sendable {}
/// Marks a ``VehicleID``.
public enum VehicleKind: Sendable {}
/// Marks a ``TrackingID``.
public enum TrackingKind: Sendable {}
/// Marks a ``TaskID``.
public enum TaskKind: Sendable {}
/// Marks a ``DeliveryVehicleID``.
public enum DeliveryVehicleKind: Sendable {}
/// Marks a ``ProviderID``.
public enum ProviderKind: Sendable {}

/// The ID of a trip.
public typealias TripID = ResourceID<TripKind>
/// The ID of a vehicle.
public typealias VehicleID = ResourceID<VehicleKind>
/// The tracking ID of a shipment, which its recipient has.
public typealias TrackingID = ResourceID<TrackingKind>
/// The ID of a delivery task.
public typealias TaskID = ResourceID<TaskKind>
/// The ID of a vehicle that delivers.
public typealias DeliveryVehicleID = ResourceID<DeliveryVehicleKind>
/// The Google Cloud project that owns trips and vehicles.
public typealias ProviderID = ResourceID<ProviderKind>

extension String {
    /// Returns whether two strings have the same bytes; `==` also accepts canonically equivalent spellings.
    package func hasSameBytes(as other: String) -> Bool {
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { own in
            unsafe other.utf8.withContiguousStorageIfAvailable { other in
                guard let one = own.baseAddress, let two = other.baseAddress else { return own.count == other.count }
                // A copy of a string shares its bytes.
                return unsafe own.count == other.count && (one == two || memcmp(one, two, own.count) == 0)
            }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}

/// What the characters of an ID look like, although the service would accept it.
package enum IDText {
    /// Returns whether an ID is `*`, also between spaces or characters that cannot be seen, percent-encoded, or in another width.
    ///
    /// A reader of the claim may decode or normalize these and grant access to everything.
    package static func isWildcard(_ id: String) -> Bool {
        var text = id
        // Each round removes characters, so that it ends.
        while let decoded = PercentEncoding.decode(text[...]), decoded != text { text = decoded }
        let visible = text.precomposedStringWithCompatibilityMapping.unicodeScalars.filter { !isBlank($0) }
        return visible.elementsEqual("*".unicodeScalars)
    }

    /// Returns whether a character is a control character.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }

    /// Returns whether a character shows nothing; the empty pattern of Braille is no white space.
    package static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint || isControl(scalar)
            || scalar.properties.generalCategory == .format || scalar == "\u{2800}"
    }
}
