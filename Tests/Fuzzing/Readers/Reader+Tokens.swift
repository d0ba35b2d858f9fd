import FleetTokens
import Foundation
import Runtime
import TripModel

extension Reader {
    /// Tokens, and the answers of token endpoints.
    static let ofTokens: [Reader] = [
        Reader(name: "token-answer") { input in
            for format in formats {
                guard let issued = try? format.read(input) else { continue }
                _ = try? admission.admit(issued, for: trip, sentAt: now, receivedAt: now)
            }
        },
        Reader(name: "jwt") { input in
            let inspection = TokenInspection.inspect(
                String(decoding: input, as: UTF8.self),
                TokenInspection.Expectations(context: trip, providerID: "project"),
                now: now.wall
            )
            require(!inspection.findings.isEmpty, "An inspection has no findings.")
        },
        Reader(name: "json") { input in
            guard let value = JSONValue(input) else { return }
            let text = try? JSONEncoder().encode(value)
            require(text.flatMap { JSONValue([UInt8]($0)) } != nil, "A JSON value cannot be read again.")
        },
    ]

    private static let now = Moment(wall: Date(timeIntervalSince1970: 1_700_000_000), steady: .zero)
    private static let trip = AuthorizationContext.trip(constant(try? TripID("trip-1")))
    private static let admission = TokenAdmission(expectations: TokenExpectations(), policy: .standard)
    private static let formats = [
        TokenAnswerFormat(),
        TokenAnswerFormat(tokenKey: "data.token", expirationKey: "data.expires", expirationUnit: .absoluteSeconds),
    ]

    /// Returns the ID of a text in this program, which is valid.
    static func constant<ID>(_ id: ID?) -> ID {
        guard let id else { fatalError("An ID of this program is not valid.") }
        return id
    }
}
