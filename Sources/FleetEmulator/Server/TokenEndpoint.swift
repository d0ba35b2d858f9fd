import FleetWire
import Foundation
import TripModel

/// How a token endpoint answers; real ones differ in exactly this.
package struct TokenEndpointFormat: Sendable, Equatable {
    /// What the number at the expiration key means.
    package enum ExpirationUnit: Sendable, Hashable {
        /// Milliseconds since 1970, as Google's sample backend has it.
        case absoluteMilliseconds
        /// Seconds since 1970.
        case absoluteSeconds
        /// Seconds from the answer.
        case relativeSeconds
    }

    /// The key of the token.
    package var tokenKey = "jwt"
    /// The key of its end.
    package var expirationKey = "expirationTimestamp"
    /// What the number there means.
    package var expirationUnit = ExpirationUnit.absoluteMilliseconds

    /// The format of Google's sample backend.
    package init() {}
}

/// The token endpoint: `GET /token/consumer/{tripId}` and `GET /token/driver/{vehicleId}`.
///
/// As Google's sample backend it asks nobody who he is and does not look whether the trip exists.
struct TokenEndpoint: Sendable {
    let mint: TokenMint
    let format: TokenEndpointFormat

    /// Answers a request for a path.
    func answer(_ request: PlainRequest, at now: Date, _ trouble: TokenTrouble = TokenTrouble()) async -> PlainResponse
    {
        let parts = request.segments
        guard parts.count == 3, parts[0] == "token" else { return .error(.noSuchMethod) }
        guard request.method == "GET" else { return .error(.methodNotAllowed) }
        do {
            switch parts[1].lowercased() {
            case "consumer": return answer(try await mint.consumer(try TripID(parts[2]), at: now, trouble), trouble)
            case "driver": return answer(try await mint.driver(try VehicleID(parts[2]), at: now, trouble), trouble)
            default: return .error(.invalidArgument("There are tokens for consumer and driver."))
            }
        } catch is ResourceIDError {
            return .error(.invalidArgument("That is not an ID."))
        } catch {
            // The library's words on a signature that failed help nobody outside.
            return .error(.unavailable)
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
