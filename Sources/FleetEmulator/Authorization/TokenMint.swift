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

    /// Creates a rider's token for one trip; `trouble` lists the requested defects.
    func consumer(_ trip: TripID, at now: Date, _ trouble: TokenTrouble = TokenTrouble()) async throws -> Token {
        let id = trouble.isWrong ? "another-trip" : trip.rawValue
        return try await token(.consumer, .init(tripid: id), at: now, trouble)
    }

    /// Creates a driver's token for one vehicle.
    func driver(_ vehicle: VehicleID, at now: Date, _ trouble: TokenTrouble = TokenTrouble()) async throws -> Token {
        let id = trouble.isWrong ? "another-vehicle" : vehicle.rawValue
        return try await token(.driver, .init(vehicleid: id), at: now, trouble)
    }

    /// Creates a server token that covers everything.
    func server(at now: Date) async throws -> Token {
        try await token(.server, .init(tripid: "*", vehicleid: "*"), at: now, TokenTrouble())
    }

    private func token(
        _ role: Caller.Role,
        _ scopes: FleetClaims.Authorization,
        at now: Date,
        _ trouble: TokenTrouble
    ) async throws -> Token {
        let life = max(1, (trouble.lifetime ?? lifetime).seconds.rounded())
        let issued = now.timeIntervalSince1970.rounded(.down) - (trouble.isExpired ? life + 60 : 0)
        let expires = issued + life
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
