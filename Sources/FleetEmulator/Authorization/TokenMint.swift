import Foundation
import JWTKit
import Runtime
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

    /// Whom a token is for.
    enum Holder: Sendable {
        /// The rider of a trip.
        case consumer(TripID)
        /// The driver of a vehicle.
        case driver(VehicleID)
        /// A server that manages all trips and vehicles.
        case server
        /// The recipient of a shipment.
        case deliveryConsumer(TrackingID)
        /// The driver's app of a delivery vehicle, which reports positions; as in Google's sample it is not trusted.
        case deliveryDriver(DeliveryVehicleID)
        /// The app of a trusted driver, who also changes the stops of the vehicle.
        case trustedDeliveryDriver(DeliveryVehicleID)
        /// A reader of all tasks and delivery vehicles.
        case fleetReader
        /// A server that manages all tasks and delivery vehicles.
        case deliveryServer
        /// A server that creates tasks with BatchCreateTasks, whose claim must be the only one.
        case deliveryBatch
    }

    /// Creates a token; `defects` are requested by faults.
    func token(for holder: Holder, at now: Date, _ defects: TokenDefects = TokenDefects()) async throws -> Token {
        let issued = now.timeIntervalSince1970.rounded(.down)
        let expires = issued + max(1, (defects.lifetime ?? lifetime).seconds.rounded())
        let address = accounts.address(of: holder.role)
        var claims = FleetClaims(
            iss: address,
            sub: address,
            aud: Authorizer.audience,
            iat: issued,
            exp: expires,
            authorization: holder.scopes
        )
        defects.apply(to: &claims)
        return Token(
            text: try await accounts.sign(claims, as: holder.role),
            issued: Date(timeIntervalSince1970: claims.iat ?? issued),
            expires: Date(timeIntervalSince1970: claims.exp ?? expires)
        )
    }
}

extension TokenMint.Holder {
    /// Whether the token is about deliveries.
    var isOfDeliveries: Bool {
        switch self {
        case .consumer, .driver, .server: false
        case .deliveryConsumer, .deliveryDriver, .trustedDeliveryDriver, .fleetReader, .deliveryServer, .deliveryBatch:
            true
        }
    }

    /// The role of the account that signs the token.
    fileprivate var role: Caller.Role {
        switch self {
        case .consumer: .consumer
        case .driver: .driver
        case .server: .server
        case .deliveryConsumer: .deliveryConsumer
        case .deliveryDriver: .deliveryUntrustedDriver
        case .trustedDeliveryDriver: .deliveryTrustedDriver
        case .fleetReader: .deliveryFleetReader
        case .deliveryServer, .deliveryBatch: .deliverySuperUser
        }
    }

    /// The claim `authorization`.
    fileprivate var scopes: FleetClaims.Authorization {
        switch self {
        case .consumer(let trip): .init(tripid: trip.rawValue)
        case .driver(let vehicle): .init(vehicleid: vehicle.rawValue)
        case .server: .init(tripid: "*", vehicleid: "*")
        case .deliveryConsumer(let tracking): .init(trackingid: tracking.rawValue)
        case .deliveryDriver(let vehicle): .init(deliveryvehicleid: vehicle.rawValue)
        // A trusted driver sets the outcomes of the tasks at the stops of the vehicle.
        case .trustedDeliveryDriver(let vehicle): .init(taskid: "*", deliveryvehicleid: vehicle.rawValue)
        case .fleetReader, .deliveryServer: .init(trackingid: "*", taskid: "*", deliveryvehicleid: "*")
        case .deliveryBatch: .init(taskids: ["*"])
        }
    }
}

/// The tokens of a backend, by the calls that they permit.
package enum BackendToken: Sendable, Hashable, CaseIterable {
    /// All trips and vehicles.
    case trips
    /// All tasks and delivery vehicles.
    case deliveries
    /// BatchCreateTasks, whose claim must be the only one.
    case taskBatch

    /// For whom the token is signed.
    var holder: TokenMint.Holder {
        switch self {
        case .trips: .server
        case .deliveries: .deliveryServer
        case .taskBatch: .deliveryBatch
        }
    }
}

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
