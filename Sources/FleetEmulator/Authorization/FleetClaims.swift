import JWTKit

/// The claims of a Fleet Engine token; times in whole seconds since 1970.
struct FleetClaims: JWTPayload, Equatable {
    struct Authorization: Codable, Equatable {
        var tripid: String?
        var vehicleid: String?
        var trackingid: String?
        var taskid: String?
        var taskids: [String]?
        var deliveryvehicleid: String?
    }

    var iss: String?
    var sub: String?
    var aud: String?
    /// OAuth scopes, which Google accepts instead of an audience.
    var scope: String?
    var iat: Double?
    var exp: Double?
    var authorization: Authorization?

    /// Does nothing: expiry is checked against the emulator's clock, not the machine's.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
}
