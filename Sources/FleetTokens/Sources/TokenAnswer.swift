import FleetWire
import Foundation

/// How to find a token in what an endpoint or a command answers.
public struct TokenAnswerFormat: Sendable, Equatable {
    /// The longest answer that is read, in bytes.
    public static let maximumBytes = 64 << 10

    /// The path of keys to the token, such as `jwt` or `data.token`.
    public var tokenKey: String
    /// The path of keys to its end; `nil` leaves that to the token itself.
    public var expirationKey: String?
    /// What the number there means.
    public var expirationUnit: ExpiryUnit
    /// The path of keys to the time at which it was made, in the unit of its end; `nil` for none.
    public var creationKey: String?

    /// The keys of Google's sample backend; the token's own `exp` decides unless a key is named.
    public init(
        tokenKey: String = "jwt",
        expirationKey: String? = nil,
        expirationUnit: ExpiryUnit = .absoluteMilliseconds,
        creationKey: String? = nil
    ) {
        self.tokenKey = tokenKey
        self.expirationKey = expirationKey
        self.expirationUnit = expirationUnit
        self.creationKey = creationKey
    }

    /// Reads an answer: a JSON object, a JSON string, or a bare token with nothing but white space around it.
    ///
    /// - Parameters:
    ///   - bytes: The answer.
    ///   - status: The HTTP status it came with; 200 for what came otherwise.
    /// - Returns: The token and what the answer says about its times.
    /// - Throws: ``TokenSourceError`` that tells empty, HTML, not JSON, a missing key and a wrong type apart.
    package func read(_ bytes: [UInt8], status: Int = 200) throws(TokenSourceError) -> IssuedToken {
        guard bytes.count <= Self.maximumBytes else { throw .tooLarge(limit: Self.maximumBytes) }
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard let start = bytes.firstIndex(where: { !isSpace($0) }), let end = bytes.lastIndex(where: { !isSpace($0) })
        else { throw .empty }
        let text = Array(bytes[start...end])
        switch text[0] {
        case UInt8(ascii: "<"): throw .html(status: status)
        case UInt8(ascii: "{"):
            guard let object = JSONValue(text) else { throw .notJSON }
            return try read(object)
        case UInt8(ascii: "\""):
            guard let token = JSONValue(text)?.string else { throw .notJSON }
            guard !token.isEmpty else { throw .empty }
            return IssuedToken(token)
        default:
            // A bare token has no white space and no quotes; anything else is a message that somebody meant for people.
            guard text.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "[") })
            else { throw .notJSON }
            return IssuedToken(String(decoding: text, as: UTF8.self))
        }
    }

    private func read(_ object: JSONValue) throws(TokenSourceError) -> IssuedToken {
        guard let value = object[path: tokenKey], value != .null else {
            throw .missingKey(tokenKey, known: Self.paths(of: object))
        }
        guard let token = value.string else { throw .wrongType(key: tokenKey) }
        guard !token.isEmpty else { throw .empty }
        let expiration = try number(object, expirationKey)
        let creation = try number(object, creationKey)
        var warnings: [TokenWarning] = []
        if expiration == nil, let expirationKey { warnings.append(.noExpirationKey(expirationKey)) }
        return IssuedToken(
            token,
            issuedAt: creation.flatMap(expirationUnit.date),
            expiry: expiration.map(expirationUnit.expiry),
            warnings: warnings
        )
    }

    /// The keys of an object that hold text, down to the second level, those of JWTs first; a key is cut after 60 characters.
    private static func paths(of object: JSONValue) -> [String] {
        guard case .object(let members) = object else { return [] }
        var found: [(path: String, isToken: Bool)] = []
        for member in members.prefix(50) {
            switch member.value {
            case .string(let text): found.append((member.key, text.hasPrefix("eyJ")))
            case .object(let inner):
                for deep in inner.prefix(50) {
                    guard case .string(let text) = deep.value else { continue }
                    found.append(("\(member.key).\(deep.key)", text.hasPrefix("eyJ")))
                }
            default: break
            }
        }
        let ordered = found.filter(\.isToken) + found.filter { !$0.isToken }
        return ordered.prefix(12).map { String(SecretText.hiding($0.path).prefix(60)) }
    }

    /// A number or a numeric string; nothing where the key is not configured, missing or `null`.
    private func number(_ object: JSONValue, _ key: String?) throws(TokenSourceError) -> Double? {
        guard let key, let value = object[path: key], value != .null else { return nil }
        if let number = value.number { return number }
        guard let number = value.string.flatMap(Double.init), number.isFinite else { throw .wrongType(key: key) }
        return number
    }
}
