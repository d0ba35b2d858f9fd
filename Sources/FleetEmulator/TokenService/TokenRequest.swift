import Crypto
import FleetTokens
import FleetWire
import Foundation
import Runtime
import TripModel

/// What a request to a token endpoint asks for, as in Google's sample backends: `/token/consumer/{tripId}`,
/// `/token/driver/{vehicleId}`, `/token/delivery_consumer/{trackingId}` and `/token/delivery_driver/{deliveryVehicleId}`.
enum TokenRequest {
    /// Parses the path of a request; throws what is wrong with it.
    static func context(_ segments: [String]) throws(ServiceError) -> AuthorizationContext {
        guard segments.count == 3, segments[0] == "token" else { throw .noSuchMethod }
        guard let kind = types.first(where: { $0.type == segments[1].lowercased() })?.kind else {
            let names = types.map(\.type).joined(separator: ", ")
            throw .invalidArgument("The kind of token must be one of \(names).")
        }
        guard !IDText.isWildcard(segments[2]) else {
            throw .invalidArgument("The ID is *: tokens are for one trip, vehicle or shipment, not for all of them.")
        }
        do {
            return try AuthorizationContext(kind, segments[2])
        } catch {
            throw .invalidArgument("The ID is empty, longer than 64 characters, . or .., or contains one of / : ? , #")
        }
    }

    /// Throws for an ID that cannot be seen or is not what it appears to be, although the service would accept it.
    ///
    /// Such an ID comes from a mistake or an attack, and a token with it would be valid.
    static func checkSignable(_ id: String) throws(ServiceError) {
        let scalars = id.unicodeScalars
        guard !scalars.contains(where: IDText.isControl) else {
            throw .invalidArgument("The ID contains control characters.")
        }
        guard !scalars.contains(where: \.properties.isBidiControl) else {
            throw .invalidArgument("The ID contains characters that change the direction of text.")
        }
        guard !scalars.allSatisfy(IDText.isBlank) else {
            throw .invalidArgument("The ID has no character that can be seen.")
        }
    }

    /// The kinds of tokens by the names that Google's sample backends use in paths.
    static let types: [(type: String, kind: AuthorizationContext.Kind)] = [
        ("consumer", .trip), ("driver", .vehicle), ("delivery_consumer", .tracking),
        ("delivery_driver", .deliveryVehicle),
    ]
}

/// The requests of each caller in the present minute.
struct CallerLimit: Sendable {
    /// The maximum number of callers that are counted on their own; further ones share one limit.
    private static let mostCallers = 1000

    /// The maximum number of requests of a caller in a minute.
    let requestsPerMinute: Int
    /// The minute that is counted, since 1970.
    private(set) var minute = 0.0
    private(set) var counts: [String: Int] = [:]

    /// Counts a request; returns the time until the next minute if the caller has reached the limit.
    mutating func count(_ caller: String, at now: Date) -> Duration? {
        let present = (now.timeIntervalSince1970 / 60).rounded(.down)
        if minute != present { (minute, counts) = (present, [:]) }
        let key = counts[caller] != nil || counts.count < Self.mostCallers ? caller : ""
        let count = min(counts[key, default: 0], requestsPerMinute) + 1
        counts[key] = count
        return count > requestsPerMinute ? .seconds((present + 1) * 60 - now.timeIntervalSince1970) : nil
    }
}

/// The value of the header `Authorization` that a token endpoint for development requires.
package struct EndpointLogin: Sendable {
    private static let scheme = "Bearer "
    private let hash: SHA256.Digest

    /// Creates a login from the content of its file: a secret, with or without `Bearer` before it; `nil` for fewer than 16 characters.
    package init?(_ text: String) {
        var secret = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if secret.hasPrefix(Self.scheme) { secret.removeFirst(Self.scheme.count) }
        guard secret.utf8.count >= 16, secret.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
        hash = SHA256.hash(data: Data((Self.scheme + secret).utf8))
    }

    /// Returns the content of a new file: a value for the header with 256 random bits.
    package static func generate() -> String { scheme + EndpointSecret().revealed }

    /// Returns whether a header is the login, in constant time.
    func isMet(by header: String?) -> Bool {
        guard let header else { return false }
        return SHA256.hash(data: Data(header.utf8)) == hash
    }
}

extension EndpointLogin: CustomStringConvertible, CustomReflectable {
    /// A placeholder instead of the login.
    package var description: String { "<login>" }
    /// A mirror without the login.
    package var customMirror: Mirror { Mirror(self, children: ["login": description]) }
}
