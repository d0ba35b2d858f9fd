package import FleetTokens
import FleetWire
import Foundation
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

/// The token endpoint: `GET /token/consumer/{tripId}`, `GET /token/driver/{vehicleId}` and `GET /token/server`.
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
            if parts.count == 2 {
                guard parts[1].lowercased() == "server" else { return .error(.noSuchMethod) }
                return answer(try await mint.server(at: now), TokenDefects())
            }
            switch try TokenRequest.context(parts) {
            case .trip(let trip): return answer(try await mint.consumer(trip, at: now, defects), defects)
            case .vehicle(let vehicle): return answer(try await mint.driver(vehicle, at: now, defects), defects)
            case .tracking, .task, .deliveryVehicle:
                return .error(.invalidArgument("The emulator has no deliveries."))
            case .server: return .error(.noSuchMethod)
            }
        } catch let error as ServiceError {
            return .error(error)
        } catch {
            // The library's error is not useful to clients.
            return .error(.unavailable)
        }
    }

    private func answer(_ token: TokenMint.Token, _ defects: TokenDefects) -> PlainResponse {
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
