import Crypto
package import FleetTokens
import FleetWire
import Foundation
import Runtime
import TripModel

/// The format of a token endpoint's answers; real endpoints differ in these values.
package struct TokenEndpointFormat: Sendable, Equatable {
    /// The JSON key path of the token, such as `jwt` or `data.token`.
    package var tokenKey = "jwt"
    /// The JSON key path of the expiry.
    package var expirationKey = "expirationTimestamp"
    /// The meaning of the number there.
    package var expirationUnit = ExpiryUnit.absoluteMilliseconds

    /// The JSON key path of the time of issue.
    package var creationKey = "creationTimestamp"

    /// Creates the format of Google's sample backend.
    package init() {}

    /// The format of Google's samples in snake case.
    package static let snakeCase: TokenEndpointFormat = {
        var format = TokenEndpointFormat()
        format.tokenKey = "token"
        format.creationKey = "creation_timestamp_ms"
        format.expirationKey = "expiration_timestamp_ms"
        return format
    }()

    /// Returns an answer with a token.
    func answer(_ token: String, issued: Date, expires: Date) -> [UInt8] {
        let unit: (Date) -> Int =
            switch expirationUnit {
            case .absoluteMilliseconds: { Int($0.timeIntervalSince1970 * 1000) }
            case .absoluteSeconds: { Int($0.timeIntervalSince1970) }
            case .relativeSeconds: { Int($0.timeIntervalSince(issued)) }
            }
        var object = TokenField.object([:])
        object.set(.text(token), at: tokenKey)
        object.set(.number(Int(issued.timeIntervalSince1970 * 1000)), at: creationKey)
        object.set(.number(unit(expires)), at: expirationKey)
        return JSONBytes.encode(object)
    }

    /// How a client reads the answers.
    var answerFormat: TokenAnswerFormat {
        TokenAnswerFormat(tokenKey: tokenKey, expirationKey: expirationKey, expirationUnit: expirationUnit)
    }
}

/// The token endpoint.
///
/// | path | the token is for |
/// |---|---|
/// | `/token/consumer/{tripId}` | the rider of a trip |
/// | `/token/driver/{vehicleId}` | the driver of a vehicle |
/// | `/token/server` | all trips and vehicles |
/// | `/token/delivery_consumer/{trackingId}` | the recipient of a shipment |
/// | `/token/delivery_driver/{deliveryVehicleId}` | the driver of a delivery vehicle, who reports positions |
/// | `/token/trusted_delivery_driver/{deliveryVehicleId}` | a driver who also changes the stops |
/// | `/token/fleet_reader` | a reader of all tasks and delivery vehicles |
/// | `/token/delivery_server` | all tasks and delivery vehicles |
/// | `/token/delivery_batch` | BatchCreateTasks, whose claim must be the only one |
///
/// Answers about deliveries have the keys of Google's sample for them, unless a format is set.
///
/// Like Google's sample backend, it neither authenticates callers nor checks whether the trip exists. If it signs with real
/// keys it requires a secret, because the tokens are valid elsewhere.
struct TokenEndpoint: Sendable {
    let mint: TokenMint
    let format: TokenEndpointFormat
    let secret: EndpointSecret?

    /// Answers a request.
    func answer(_ request: PlainRequest, at now: Date, _ defects: TokenDefects = TokenDefects()) async -> PlainResponse
    {
        let parts = request.segments
        guard (2...3).contains(parts.count), parts[0] == "token" else { return .error(.noSuchMethod) }
        guard request.method == "GET" else { return .error(.methodNotAllowed) }
        if let secret, !secret.isMet(by: request.secret) {
            return .error(
                .unauthenticated(
                    "This token endpoint signs with a real key: send tokenSecret of the ready file in the header "
                        + EndpointSecret.header
                )
            )
        }
        do {
            let holder = try Self.holder(parts)
            // Faults are for apps, which have tokens for one ID.
            let defects = parts.count == 3 ? defects : TokenDefects()
            return answer(try await mint.token(for: holder, at: now, defects), defects, format(for: holder))
        } catch let error as ServiceError {
            return .error(error)
        } catch {
            // The library's error is not useful to clients.
            return .error(.unavailable)
        }
    }

    /// The holders of tokens that are for no single ID, by the names in paths.
    private static let servers: [String: TokenMint.Holder] = [
        "server": .server, "delivery_server": .deliveryServer, "delivery_batch": .deliveryBatch,
        "fleet_reader": .fleetReader,
    ]

    private static func holder(_ parts: [String]) throws(ServiceError) -> TokenMint.Holder {
        if parts.count == 2 {
            guard let holder = servers[parts[1].lowercased()] else { throw .noSuchMethod }
            return holder
        }
        let isTrusted = parts[1].lowercased() == "trusted_delivery_driver"
        switch try TokenRequest.context(isTrusted ? [parts[0], "delivery_driver", parts[2]] : parts) {
        case .trip(let trip): return .consumer(trip)
        case .vehicle(let vehicle): return .driver(vehicle)
        case .tracking(let tracking): return .deliveryConsumer(tracking)
        case .deliveryVehicle(let vehicle):
            return isTrusted ? .trustedDeliveryDriver(vehicle) : .deliveryDriver(vehicle)
        case .task, .server: throw .noSuchMethod
        }
    }

    private func format(for holder: TokenMint.Holder) -> TokenEndpointFormat {
        holder.isOfDeliveries && format == TokenEndpointFormat() ? .snakeCase : format
    }

    private func answer(
        _ token: TokenMint.Token,
        _ defects: TokenDefects,
        _ format: TokenEndpointFormat
    ) -> PlainResponse {
        let text = token.text + String(repeating: "A", count: defects.padding)
        return PlainResponse(status: 200, body: format.answer(text, issued: token.issued, expires: token.expires))
    }
}

private enum TokenField: Encodable {
    case text(String)
    case number(Int)
    case object([String: TokenField])

    /// Sets a value at a key path; creates the objects of the path.
    mutating func set(_ value: TokenField, at path: String) {
        guard case .object(var members) = self else { return }
        let keys = path.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if keys.count == 2 {
            var inner = members[keys[0]] ?? .object([:])
            inner.set(value, at: keys[1])
            members[keys[0]] = inner
        } else {
            members[path] = value
        }
        self = .object(members)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .object(let members): try container.encode(members)
        }
    }
}

/// The secret that a token endpoint requires when it signs with a real key.
package struct EndpointSecret: Sendable {
    /// The request header that contains it.
    package static let header = "X-Emulator-Secret"

    /// The secret in clear, for the ready file only; never print it.
    package let revealed: String

    /// Creates a secret of 256 random bits.
    package init() {
        var random = SystemRandomNumberGenerator()
        revealed = (0..<4).map { _ in
            let word = String(UInt64.random(in: .min ... .max, using: &random), radix: 16)
            return String(repeating: "0", count: 16 - word.count) + word
        }.joined()
    }

    /// Returns whether a request's header contains the secret, in constant time.
    func isMet(by header: String?) -> Bool {
        guard let header else { return false }
        return SHA256.hash(data: Data(header.utf8)) == SHA256.hash(data: Data(revealed.utf8))
    }
}

extension EndpointSecret: CustomStringConvertible, CustomReflectable {
    /// A placeholder instead of the secret.
    package var description: String { "<secret>" }
    /// A mirror without the secret.
    package var customMirror: Mirror { Mirror(self, children: ["secret": description]) }
}

/// Serves the certificates of the service accounts' keys: `GET /service_accounts/v1/metadata/x509/{email}`.
///
/// Path and format (a JSON object from key ID to PEM certificate) match `www.googleapis.com`, which publishes the certificates
/// of every service account.
struct CertificateEndpoint: Sendable {
    /// The path without the account's email address.
    static let path = "/service_accounts/v1/metadata/x509"

    let accounts: ServiceAccounts

    /// Answers a request.
    func answer(_ request: PlainRequest, _ effects: FaultEffects) async -> PlainResponse {
        let parts = request.segments
        guard parts.count == 5, "/" + parts.dropLast().joined(separator: "/") == Self.path else {
            return .error(.noSuchMethod)
        }
        guard request.method == "GET" else { return .error(.methodNotAllowed) }
        guard let certificates = try? await accounts.certificates(of: parts[4]) else {
            // The library's error is not useful to clients.
            return .error(.unavailable)
        }
        guard !certificates.isEmpty else { return .error(.notFound(parts[4])) }
        let isDeleted = effects.problems.contains(.keyDeleted)
        return PlainResponse(status: 200, body: JSONBytes.encode(isDeleted ? [:] : certificates))
    }
}
