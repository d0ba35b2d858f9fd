package import FleetTokens
import Foundation
import Runtime
import TripModel

/// The requested defects of a token.
package struct TokenDefects: Sendable {
    /// The lifetime; `nil` for the configured one.
    var lifetime: Duration?
    /// The number of characters that are appended to the token.
    var padding = 0
    private var claimChanges: [@Sendable (inout FleetClaims) -> Void] = []

    /// Whether tokens are as they should be.
    var isEmpty: Bool { lifetime == nil && padding == 0 && claimChanges.isEmpty }

    /// Adds a change of the claims before the token is signed.
    mutating func changeClaims(_ change: @escaping @Sendable (inout FleetClaims) -> Void) {
        claimChanges.append(change)
    }

    /// Changes the claims of a token.
    func apply(to claims: inout FleetClaims) {
        for change in claimChanges { change(&claims) }
    }

    /// Returns a token of a client's source with these defects; a token that is not a JWT with such claims is unchanged.
    ///
    /// The signature of a token with changed claims is wrong, but the token provider refuses it before it is sent.
    package func changed(_ token: IssuedToken) -> IssuedToken {
        var parts = token.revealed.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1].utf8),
            // Claims that are not JSON can't be changed.
            var object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        else { return token }
        let known = FleetClaims(object)
        var claims = known
        if let lifetime, let issued = claims.iat { claims.exp = issued + lifetime.seconds }
        apply(to: &claims)
        guard claims != known || padding > 0 else { return token }
        claims.write(to: &object)
        // The claims were read from JSON, so they can be written.
        guard let data = try? JSONSerialization.data(withJSONObject: object) else { return token }
        parts[1] = Base64URL.encode([UInt8](data))
        var expiry = token.expiry
        if claims.exp != known.exp, let end = claims.exp { expiry = .at(Date(timeIntervalSince1970: end)) }
        var changed = IssuedToken(
            parts.joined(separator: ".") + String(repeating: "x", count: padding),
            issuedAt: token.issuedAt,
            expiry: expiry,
            serverDate: token.serverDate
        )
        (changed.isNew, changed.isCached) = (token.isNew, token.isCached)
        return changed
    }
}

extension FleetClaims {
    /// Reads the claims that a defect can change.
    fileprivate init(_ object: [String: Any]) {
        let authorization = object["authorization"] as? [String: Any]
        self.init(
            iat: object["iat"] as? Double,
            exp: object["exp"] as? Double,
            authorization: authorization.map {
                Authorization(
                    tripid: $0["tripid"] as? String,
                    vehicleid: $0["vehicleid"] as? String,
                    trackingid: $0["trackingid"] as? String,
                    deliveryvehicleid: $0["deliveryvehicleid"] as? String
                )
            }
        )
    }

    /// Writes the claims that a defect can change over the claims of a token.
    fileprivate func write(to object: inout [String: Any]) {
        if let iat, iat != object["iat"] as? Double { object["iat"] = iat }
        if let exp, exp != object["exp"] as? Double { object["exp"] = exp }
        guard var names = object["authorization"] as? [String: Any], let authorization else { return }
        if let trip = authorization.tripid { names["tripid"] = trip }
        if let vehicle = authorization.vehicleid { names["vehicleid"] = vehicle }
        if let tracking = authorization.trackingid { names["trackingid"] = tracking }
        if let vehicle = authorization.deliveryvehicleid { names["deliveryvehicleid"] = vehicle }
        object["authorization"] = names
    }
}
