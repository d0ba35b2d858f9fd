import Foundation
import TripModel

/// Creates the tokens that the emulator issues.
struct TokenMint: Sendable {
    let accounts: ServiceAccounts
    /// The lifetime from issue to expiry, in the emulator's time.
    let lifetime: Duration

    /// A token and its times in whole seconds since 1970.
    struct Token: Sendable {
        var text: String
        var issued: Date
        var expires: Date
    }

    /// Creates a rider's token for one trip; `defects` are requested by faults.
    func consumer(_ trip: TripID, at now: Date, _ defects: TokenDefects = TokenDefects()) async throws -> Token {
        try await token(.consumer, .init(tripid: trip.rawValue), at: now, defects)
    }

    /// Creates a driver's token for one vehicle.
    func driver(_ vehicle: VehicleID, at now: Date, _ defects: TokenDefects = TokenDefects()) async throws -> Token {
        try await token(.driver, .init(vehicleid: vehicle.rawValue), at: now, defects)
    }

    /// Creates a server token that covers everything.
    func server(at now: Date) async throws -> Token {
        try await token(.server, .init(tripid: "*", vehicleid: "*"), at: now, TokenDefects())
    }

    private func token(
        _ role: Caller.Role,
        _ scopes: FleetClaims.Authorization,
        at now: Date,
        _ defects: TokenDefects
    ) async throws -> Token {
        let issued = now.timeIntervalSince1970.rounded(.down)
        let expires = issued + max(1, (defects.lifetime ?? lifetime).seconds.rounded())
        let address = accounts.address(of: role)
        var claims = FleetClaims(
            iss: address,
            sub: address,
            aud: Authorizer.audience,
            iat: issued,
            exp: expires,
            authorization: scopes
        )
        defects.apply(to: &claims)
        return Token(
            text: try await accounts.sign(claims, as: role),
            issued: Date(timeIntervalSince1970: claims.iat ?? issued),
            expires: Date(timeIntervalSince1970: claims.exp ?? expires)
        )
    }
}
