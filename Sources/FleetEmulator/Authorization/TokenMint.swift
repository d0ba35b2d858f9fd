import Foundation
import TripModel

/// Makes the tokens that the emulator hands out.
struct TokenMint: Sendable {
    let accounts: ServiceAccounts
    /// From the issue to the end, in the emulator's time.
    let lifetime: Duration

    /// A token and its times, in whole seconds.
    struct Token: Sendable {
        var text: String
        var issued: Date
        var expires: Date
    }

    /// A rider's token for one trip.
    func consumer(_ trip: TripID, at now: Date) async throws -> Token {
        try await token(.consumer, .init(tripid: trip.rawValue), at: now)
    }

    /// A driver's token for one vehicle.
    func driver(_ vehicle: VehicleID, at now: Date) async throws -> Token {
        try await token(.driver, .init(vehicleid: vehicle.rawValue), at: now)
    }

    /// An operator's token for everything.
    func server(at now: Date) async throws -> Token {
        try await token(.server, .init(tripid: "*", vehicleid: "*"), at: now)
    }

    private func token(
        _ role: Caller.Role,
        _ scopes: FleetClaims.Authorization,
        at now: Date
    ) async throws -> Token {
        let issued = now.timeIntervalSince1970.rounded(.down)
        let expires = issued + max(1, lifetime.seconds.rounded())
        let address = accounts.address(of: role)
        let claims = FleetClaims(
            iss: address,
            sub: address,
            aud: Authorizer.audience,
            iat: issued,
            exp: expires,
            authorization: scopes
        )
        return Token(
            text: try await accounts.sign(claims, as: role),
            issued: Date(timeIntervalSince1970: issued),
            expires: Date(timeIntervalSince1970: expires)
        )
    }
}
