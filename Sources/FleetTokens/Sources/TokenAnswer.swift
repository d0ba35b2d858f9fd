package import Failures
import Foundation
import Runtime

/// The location of a token in the answer of an endpoint or a command.
public struct TokenAnswerFormat: Sendable, Equatable {
    /// The maximum size of an answer in bytes.
    public static let maximumBytes = 64 << 10

    /// The key path of the token, such as `jwt` or `data.token`.
    public var tokenKey: String
    /// Another key path of the token, used if the answer does not have the first; `nil` for none.
    package var otherTokenKey: String?
    /// The key path of the expiry; `nil` uses the token's `exp`.
    public var expirationKey: String?
    /// The unit of the expiry.
    public var expirationUnit: ExpiryUnit
    /// The key path of the creation time, in the unit of the expiry; `nil` for none.
    public var creationKey: String?

    /// Creates a format; the defaults are the keys of Google's sample backend and the token's own `exp`.
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

    /// Parses an answer: a JSON object, a JSON string, or a bare token with optional surrounding white space.
    ///
    /// The status is 200 if the answer did not come by HTTP.
    package func read(_ bytes: [UInt8], status: Int = 200) throws(Failure) -> IssuedToken {
        guard bytes.count <= Self.maximumBytes else { throw .sourceTooLarge(limit: Self.maximumBytes) }
        let bytes = bytes.withoutByteOrderMark
        let isText: (UInt8) -> Bool = { $0 != 0x20 && !(0x09...0x0D).contains($0) }
        guard let start = bytes.firstIndex(where: isText), let end = bytes.lastIndex(where: isText) else {
            throw .sourceEmpty
        }
        let text = Array(bytes[start...end])
        switch text[0] {
        case UInt8(ascii: "<"):
            // The check of the token says which form it has.
            guard let wrapped = Self.wrapped(text) else { throw .sourceHTML(status: status) }
            return wrapped
        case UInt8(ascii: "{"):
            guard let object = JSONValue(text) else { throw .sourceNotJSON }
            return try read(object)
        case UInt8(ascii: "\""):
            guard let token = JSONValue(text)?.string else {
                guard let wrapped = Self.wrapped(text) else { throw .sourceNotJSON }
                return wrapped
            }
            guard !Self.isTokenInJSON(token) else { throw .sourceEncodedJSON(key: nil) }
            return try trimmed(token)
        default:
            // A bare token contains no white space or quotes; other texts are messages for users, or cookies.
            let isBare = text.allSatisfy { (0x21...0x7E).contains($0) && !Array("\"[".utf8).contains($0) }
            let token = String(decoding: text, as: UTF8.self)
            if isBare || CredentialKind(token) == .sessionCookie { return IssuedToken(token) }
            guard let wrapped = Self.wrapped(text) else { throw .sourceNotJSON }
            return wrapped
        }
    }

    /// Returns a text that contains a token in another form; `nil` if it contains none.
    private static func wrapped(_ bytes: [UInt8]) -> IssuedToken? {
        let text = String(decoding: bytes, as: UTF8.self)
        return TokenForm(of: text) == nil ? nil : IssuedToken(text)
    }

    private func read(_ object: JSONValue) throws(Failure) -> IssuedToken {
        let keys = [tokenKey, otherTokenKey].compactMap(\.self)
        guard let value = keys.lazy.compactMap({ object[path: $0] }).first, value != .null else {
            if let key = Self.keyOfEncodedJSON(in: object) { throw .sourceEncodedJSON(key: key) }
            throw .sourceMissingKey(tokenKey, known: Self.paths(of: object))
        }
        guard let text = value.string else {
            // If the value is an object, the token has another key.
            guard case .array = value, let wrapped = Self.wrapped(JSONBytes.encode(value)) else {
                throw .sourceWrongType(key: tokenKey)
            }
            return wrapped
        }
        guard !Self.isTokenInJSON(text) else { throw .sourceEncodedJSON(key: tokenKey) }
        var token = try trimmed(text)
        switch time(object, creationKey) {
        case .expiry(.at(let date)): token.issuedAt = date
        case .unreadable(let key): token.warnings.append(.unreadableTime(key))
        case .expiry(.after), .missing, nil: break
        }
        switch time(object, expirationKey) {
        case .expiry(let expiry): token.expiry = expiry
        case .unreadable(let key): token.warnings.append(.unreadableTime(key))
        case .missing(let key): token.warnings.append(.noExpirationKey(key))
        case nil: break
        }
        return token
    }

    /// Returns a token without surrounding white space, with a warning if there was some: other clients may send it.
    private func trimmed(_ text: String) throws(Failure) -> IssuedToken {
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty else { throw .sourceEmpty }
        var issued = IssuedToken(token)
        if token != text { issued.warnings.append(.surroundedBySpace) }
        return issued
    }

    /// Returns the key paths with string values that may be tokens, up to the second level, JWTs first.
    ///
    /// A URL, such as the URL of a `token_endpoint`, is no token. Keys are truncated after 60 characters.
    private static func paths(of object: JSONValue) -> [String] {
        let found = texts(of: object).filter { !$0.text.hasPrefix("https://") && !$0.text.hasPrefix("http://") }
        let ordered = found.filter { $0.text.hasPrefix("eyJ") } + found.filter { !$0.text.hasPrefix("eyJ") }
        return ordered.prefix(12).map { shown($0.path) }
    }

    /// Returns the string values with their key paths, up to the second level.
    private static func texts(of object: JSONValue) -> [(path: String, text: String)] {
        guard case .object(let members) = object else { return [] }
        let values = members.prefix(50).flatMap { member in
            guard case .object(let inner) = member.value else { return [(member.key, member.value)] }
            return inner.prefix(50).map { ("\(member.key).\($0.key)", $0.value) }
        }
        return values.compactMap { path, value in value.string.map { (path, $0) } }
    }

    private static func shown(_ path: String) -> String { String(path.withoutPossibleSecrets.prefix(60)) }

    /// Returns the key of a text that is an answer of its own, as cloud functions return it to their gateways.
    private static func keyOfEncodedJSON(in object: JSONValue) -> String? {
        texts(of: object).first { isTokenInJSON($0.text) }.map { shown($0.path) }
    }

    /// Returns whether a text is a JSON object with a JWT.
    private static func isTokenInJSON(_ text: String) -> Bool {
        guard text.contains("\"eyJ"), case .object = JSONValue(Array(text.utf8)) else { return false }
        return true
    }

    /// A time in an answer.
    private enum StatedTime {
        case expiry(IssuedToken.Expiry)
        /// The answer does not have the key, or `null`.
        case missing(key: String)
        /// The value is neither a number nor a time.
        case unreadable(key: String)
    }

    /// Returns the value of a key: a number or a numeric string in the configured unit, or a time of RFC 3339; `nil` if the key is
    /// not configured.
    private func time(_ object: JSONValue, _ key: String?) -> StatedTime? {
        guard let key else { return nil }
        guard let value = object[path: key], value != .null else { return .missing(key: key) }
        let text = value.string?.trimmingCharacters(in: .whitespaces)
        if let number = value.number ?? text.flatMap({ Double(decimal: $0) }) {
            return .expiry(expirationUnit.expiry(number))
        }
        // RFC 3339 allows small letters and a space before the time of day.
        let date = text.flatMap { Timestamp.date($0.uppercased().replacing(" ", with: "T", maxReplacements: 1)) }
        return date.map { .expiry(.at($0)) } ?? .unreadable(key: key)
    }
}
