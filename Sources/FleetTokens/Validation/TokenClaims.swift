package import Failures
package import Foundation
import Runtime

/// The header and claims of a JWT, parsed without checking its signature.
///
/// Fleet Engine verifies the signature. A client only checks whether it is the right token.
package struct TokenClaims: Sendable, Equatable, Codable {
    /// The maximum length of a token in bytes.
    package static let maximumBytes = 8192

    /// `alg` of the header; Fleet Engine requires `RS256`.
    package var algorithm: String?
    /// `kid` of the header, the ID of the signing key.
    package var keyID: String?
    /// `typ` of the header.
    package var type: String?
    /// `iss`, the service account's address.
    package var issuer: String?
    /// `sub`, the same address.
    package var subject: String?
    /// `aud`; several if it is an array.
    package var audiences: [String]
    /// `iat` in seconds since 1970, including a fraction.
    package var issuedAtSeconds: Double?
    /// `exp` in seconds since 1970, including a fraction; may be in milliseconds by mistake.
    package var expirySeconds: Double?
    /// `nbf` in seconds since 1970; part of the JWT standard but not set by Google's samples.
    package var notBeforeSeconds: Double?
    /// Claims with an unexpected type, such as a number in quotes.
    package var mistyped: Set<String>
    /// The values of ``mistyped`` as JSON of bounded length; `nil` in recordings of earlier versions.
    var mistypedValues: [String: String]?
    /// Whether there is an `authorization` object.
    package var hasAuthorization: Bool
    /// The form of an `authorization` that names no subject, such as `{"tripids": […]}`; `nil` if there is none.
    package var unusableAuthorization: String?
    /// `authorization.tripid`; `nil` also if it is empty.
    package var tripID: String?
    /// `authorization.vehicleid`; `nil` also if it is empty.
    package var vehicleID: String?
    /// `authorization.trackingid`; `nil` also if it is empty.
    package var trackingID: String?
    /// `authorization.taskid`; `nil` also if it is empty.
    package var taskID: String?
    /// `authorization.deliveryvehicleid`; `nil` also if it is empty.
    package var deliveryVehicleID: String?
    /// The members of `authorization` that are `*` or contain it.
    package var wildcards: [String]
    /// Misspelled members of `authorization`, such as `tripId`, with the intended name as the value.
    package var misspelled: [String: String]
    /// Whether `authorization.taskids` is present but not an array.
    package var hasMalformedTaskIDs: Bool
    /// The number of bytes of the signature, which is the third part.
    package var signatureBytes: Int
    /// Whether there is no signature.
    package var isUnsigned: Bool { signatureBytes == 0 }

    /// The time of issue.
    package var issuedAt: Date? { issuedAtSeconds.map(Date.init(timeIntervalSince1970:)) }
    /// The start of validity.
    package var notBefore: Date? { notBeforeSeconds.map(Date.init(timeIntervalSince1970:)) }
    /// The expiry.
    package var expiresAt: Date? { expirySeconds.map(Date.init(timeIntervalSince1970:)) }

    /// Whether the expiry is so large that it must be in milliseconds.
    var isExpiryInMilliseconds: Bool { Self.isInMilliseconds(expirySeconds) }

    /// The time of issue or the start of validity that is so large that it must be in milliseconds; `nil` if none is.
    var beginInMilliseconds: String? {
        Self.isInMilliseconds(issuedAtSeconds) ? "iat" : Self.isInMilliseconds(notBeforeSeconds) ? "nbf" : nil
    }

    private static func isInMilliseconds(_ time: Double?) -> Bool { time ?? 0 > 1e11 }

    /// The IDs in `authorization` with their kinds; each kind has a claim.
    package var ids: [(kind: AuthorizationContext.Kind, id: String)] {
        let ids: [(AuthorizationContext.Kind, String?)] = [
            (.trip, tripID), (.vehicle, vehicleID), (.tracking, trackingID), (.task, taskID),
            (.deliveryVehicle, deliveryVehicleID),
        ]
        return ids.compactMap { kind, id in id.map { (kind, $0) } }
    }

    /// Returns the ID in the claim that a token for a subject needs.
    func id(for context: AuthorizationContext) -> String? { ids.first { $0.kind == context.kind }?.id }

    /// Parses a token.
    ///
    /// - Throws: ``Failures/Failure/tokenMalformed`` or ``Failures/Failure/tokenTooLong(bytes:)``.
    package init(token: String) throws(Failure) {
        var copy = token
        let bytes = copy.withUTF8 { unsafe Array($0) }
        guard bytes.count <= Self.maximumBytes else { throw .tokenTooLong(bytes: bytes.count) }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.object(in: parts[0]),
            let payload = Base64URL.object(in: parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw .tokenMalformed }
        signatureBytes = signature.count
        algorithm = header["alg"]?.string
        keyID = header["kid"]?.string
        type = header["typ"]?.string
        issuer = payload["iss"]?.string
        subject = payload["sub"]?.string
        switch payload["aud"] {
        case .string(let audience): audiences = [audience]
        case .array(let values): audiences = values.compactMap(\.string)
        default: audiences = []
        }
        issuedAtSeconds = payload["iat"]?.number
        expirySeconds = payload["exp"]?.number
        notBeforeSeconds = payload["nbf"]?.number
        let authorization = payload["authorization"]
        if case .object = authorization { hasAuthorization = true } else { hasAuthorization = false }
        // An empty ID counts as missing.
        func id(_ kind: AuthorizationContext.Kind) -> String? {
            authorization?[kind.claimName]?.string.flatMap { $0.isEmpty ? nil : $0 }
        }
        (tripID, vehicleID) = (id(.trip), id(.vehicle))
        (trackingID, taskID, deliveryVehicleID) = (id(.tracking), id(.task), id(.deliveryVehicle))
        wildcards = Self.authorizationNames.filter { name in
            switch authorization?[name] {
            case .string(let id): id == "*"
            case .array(let ids): ids.contains { $0.string == "*" }
            default: false
            }
        }
        misspelled = Self.misspelled(in: authorization)
        if let authorization, authorization != .null,
            !Self.claimNames.contains(where: { authorization[$0]?.string?.isEmpty == false })
        {
            unusableAuthorization = Self.form(of: authorization)
        }
        switch authorization?["taskids"] {
        case nil, .array: hasMalformedTaskIDs = false
        default: hasMalformedTaskIDs = true
        }
        var wrong: [String: String] = [:]
        func check(_ names: [String], in object: JSONValue?, _ isValid: (JSONValue) -> Bool) {
            for name in names {
                guard let value = object?[name], value != .null, !isValid(value) else { continue }
                wrong[name] = Self.shown(value)
            }
        }
        func isText(_ value: JSONValue) -> Bool { value.string != nil }
        check(["alg", "kid"], in: header, isText)
        check(["iss", "sub"], in: payload, isText)
        check(Self.claimNames, in: authorization, isText)
        check(["iat", "exp", "nbf"], in: payload) { $0.number != nil }
        check(["aud"], in: payload) { value in
            if case .array(let values) = value { values.allSatisfy(isText) } else { isText(value) }
        }
        (mistyped, mistypedValues) = (Set(wrong.keys), wrong)
    }

    /// The members of `authorization` that name one subject.
    private static let claimNames = AuthorizationContext.Kind.allCases.filter { $0 != .server }.map(\.claimName)

    /// The members of `authorization` that Fleet Engine reads.
    private static let authorizationNames = [
        "tripid", "vehicleid", "deliveryvehicleid", "taskid", "taskids", "trackingid",
    ]

    /// Returns JSON with `…` in place of long or nested values, on one line.
    private static func form(of value: JSONValue) -> String {
        guard case .object(let members) = value else { return scalar(value) }
        let shown = members.prefix(5).map { "\"\($0.key.prefix(30))\": \(scalar($0.value))" }
        return "{" + (shown + (members.count > 5 ? ["…"] : [])).joined(separator: ", ") + "}"
    }

    /// Returns a value as JSON, with at most 40 characters of a text.
    private static func shown(_ value: JSONValue) -> String {
        guard case .string(let text) = value else { return value == .object([]) ? "{}" : form(of: value) }
        return "\"\(text.prefix(40))\(text.count > 40 ? "…" : "")\""
    }

    private static func scalar(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .number(let number): number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
        case .string(let text): text.isEmpty ? "\"\"" : "\"…\""
        case .array(let items): items.isEmpty ? "[]" : "[…]"
        case .object(let members): members.isEmpty ? "{}" : "{…}"
        }
    }

    /// Finds names that differ from known ones only in case, hyphens or underscores.
    private static func misspelled(in authorization: JSONValue?) -> [String: String] {
        guard case .object(let members) = authorization else { return [:] }
        var found: [String: String] = [:]
        for name in members.prefix(50).map(\.key) where !authorizationNames.contains(name) {
            let plain = name.lowercased().filter { $0 != "_" && $0 != "-" }
            guard authorizationNames.contains(plain), found[plain] == nil else { continue }
            found[plain] = String(name.prefix(40))
        }
        return found
    }
}
