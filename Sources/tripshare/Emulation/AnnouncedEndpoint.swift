import FleetEmulator
import FleetTokens

/// A token endpoint as described by an emulator's ready file.
struct AnnouncedEndpoint: Sendable {
    /// The URL template for tokens of trips or of vehicles.
    var url: String
    var secret: String?
    var tokenKey: String?
    var expirationKey: String?
    var expirationUnit: ExpiryUnit?

    /// Creates the endpoint for one of the emulator's URLs.
    init(_ ready: ReadyFile, url: String) {
        self.url = url
        secret = ready.tokenSecret
        tokenKey = ready.tokenKey
        expirationKey = ready.tokenExpirationKey
        expirationUnit = ready.tokenExpirationUnit.flatMap(ExpiryUnit.init)
    }

    /// The request headers that the endpoint requires.
    var headers: [(name: String, value: String)] { secret.map { [(EndpointSecret.header, $0)] } ?? [] }
}
