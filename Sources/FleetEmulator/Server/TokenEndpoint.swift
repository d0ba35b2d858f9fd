import FleetWire
import Foundation
import TripModel

/// The format of a token endpoint's answers; real endpoints differ in these values.
package struct TokenEndpointFormat: Sendable, Equatable {
    /// The meaning of the number at the expiration key.
    package enum ExpirationUnit: Sendable, Hashable {
        /// Milliseconds since 1970, as in Google's sample backend.
        case absoluteMilliseconds
        /// Seconds since 1970.
        case absoluteSeconds
        /// Seconds from the time of the answer.
        case relativeSeconds
    }

    /// The JSON key of the token.
    package var tokenKey = "jwt"
    /// The JSON key of the expiry.
    package var expirationKey = "expirationTimestamp"
    /// The meaning of the number there.
    package var expirationUnit = ExpirationUnit.absoluteMilliseconds

    /// Creates the format of Google's sample backend.
    package init() {}
}

/// The token endpoint: `GET /token/consumer/{tripId}` and `GET /token/driver/{vehicleId}`.
///
/// Like Google's sample backend, it neither authenticates callers nor checks whether the trip exists. If it signs with real
/// keys it requires a secret, because the tokens are valid elsewhere.
struct TokenEndpoint: Sendable {
    let mint: TokenMint
    let format: TokenEndpointFormat
    let secret: EndpointSecret?

    /// Answers a request.
    func answer(_ request: PlainRequest, at now: Date, _ trouble: TokenTrouble = TokenTrouble()) async -> PlainResponse
    {
        let parts = request.segments
        guard parts.count == 3, parts[0] == "token" else { return .error(.noSuchMethod) }
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
            switch parts[1].lowercased() {
            case "consumer": return answer(try await mint.consumer(try id(parts[2]), at: now, trouble), trouble)
            case "driver": return answer(try await mint.driver(try id(parts[2]), at: now, trouble), trouble)
            default: return .error(.invalidArgument("There are tokens for consumer and driver."))
            }
        } catch let error as ServiceError {
            return .error(error)
        } catch {
            // The library's error is not useful to clients.
            return .error(.unavailable)
        }
    }

    /// Parses the ID of a single trip or vehicle; wildcard tokens are not issued.
    private func id<Kind>(_ text: String) throws(ServiceError) -> ResourceID<Kind> {
        guard text != "*" else {
            throw .invalidArgument("The ID is *: tokens are for one trip or vehicle, not for all of them.")
        }
        do {
            return try ResourceID(text)
        } catch {
            throw .invalidArgument("The ID is empty, longer than 64 characters, . or .., or holds one of / : ? , #")
        }
    }

    private func answer(_ token: TokenMint.Token, _ trouble: TokenTrouble) -> PlainResponse {
        let unit: (Date) -> Int =
            switch format.expirationUnit {
            case .absoluteMilliseconds: { Int($0.timeIntervalSince1970 * 1000) }
            case .absoluteSeconds: { Int($0.timeIntervalSince1970) }
            case .relativeSeconds: { Int($0.timeIntervalSince(token.issued)) }
            }
        let object: [String: TokenField] = [
            format.tokenKey: .text(token.text + (trouble.isOversized ? String(repeating: "A", count: 20_000) : "")),
            "creationTimestamp": .number(Int(token.issued.timeIntervalSince1970 * 1000)),
            format.expirationKey: .number(unit(token.expires)),
        ]
        return PlainResponse(status: 200, body: JSONBytes.encode(object))
    }
}

private enum TokenField: Encodable {
    case text(String)
    case number(Int)

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        }
    }
}
