import FleetEmulator
import FleetTokens

/// A token endpoint as the ready file of its emulator describes it.
struct AnnouncedEndpoint: Sendable {
    /// The URL template, of which the tokens are for trips or for vehicles.
    var url: String
    var secret: String?
    var tokenKey: String?
    var expirationKey: String?
    var expirationUnit: ExpiryUnit?

    /// The endpoint of an emulator at one of its URLs.
    init(_ ready: ReadyFile, url: String) {
        self.url = url
        secret = ready.tokenSecret
        tokenKey = ready.tokenKey
        expirationKey = ready.tokenExpirationKey
        expirationUnit = ready.tokenExpirationUnit.flatMap(ExpiryUnit.init)
    }

    /// The headers that it wants.
    var headers: [(name: String, value: String)] { secret.map { [(EndpointSecret.header, $0)] } ?? [] }
}
