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

    /// Creates the endpoint for the driver of a vehicle.
    init(_ ready: ReadyFile, for vehicle: DrivenVehicle) {
        guard vehicle.ofDeliveries != nil else {
            self.init(ready, url: ready.vehicleTokenURL)
            return
        }
        // Older emulators announce only the endpoint of drivers who may not change the stops.
        let url = ready.trustedDeliveryVehicleTokenURL ?? ready.deliveryVehicleTokenURL
        self.init(ready, url: url ?? ready.vehicleTokenURL)
        var format = TokenEndpointFormat()
        if let tokenKey { format.tokenKey = tokenKey }
        if let expirationKey { format.expirationKey = expirationKey }
        if let expirationUnit { format.expirationUnit = expirationUnit }
        // Without keys of its own, the emulator answers about deliveries with the keys of Google's sample for them.
        if format == TokenEndpointFormat() { format = .snakeCase }
        (tokenKey, expirationKey) = (format.tokenKey, format.expirationKey)
        expirationUnit = format.expirationUnit
    }

    /// The request headers that the endpoint requires.
    var headers: [(name: String, value: String)] { secret.map { [(EndpointSecret.header, $0)] } ?? [] }
}
