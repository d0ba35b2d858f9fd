public import Foundation
package import TripModel

/// A validated token that may be sent to Fleet Engine; it prints redacted.
///
/// It is not `Codable` and has no raw value, so that it cannot be written to a file by accident. Its bytes are overwritten when
/// the last copy is released. The strings from ``authorizationHeaderValue`` cannot be overwritten.
public struct BearerToken: Sendable {
    /// What is known about a token, without its text.
    package struct Properties: Sendable {
        package var fingerprint: String
        /// The time of issue, in the service's time.
        package var issuedAt: Date?
        /// The expiry, in the service's time.
        package var expiresAt: Date
        /// When its request was sent, which is the start of `left`.
        package var sentAt: Moment
        /// *R*: the remaining lifetime at `sentAt`.
        package var left: Duration
        /// *L*: the total lifetime.
        package var lifetime: Duration
        package var warnings: [TokenWarning]
        /// The service's clock minus the local clock.
        package var clockOffset: Duration?
        /// The number of tokens that the key has had; 0 until the token is stored.
        package var generation = 0
        /// The time after which it is no longer returned: *M* before its expiry.
        package var deadline: Moment
        /// The time from which the next token is fetched.
        package var refresh: Moment

        package init(
            fingerprint: String,
            issuedAt: Date?,
            expiresAt: Date,
            sentAt: Moment,
            left: Duration,
            lifetime: Duration,
            warnings: [TokenWarning] = [],
            clockOffset: Duration? = nil
        ) {
            self.fingerprint = fingerprint
            self.issuedAt = issuedAt
            self.expiresAt = expiresAt
            self.sentAt = sentAt
            self.left = left
            self.lifetime = lifetime
            self.warnings = warnings
            self.clockOffset = clockOffset
            deadline = sentAt.advanced(by: left)
            refresh = deadline
        }
    }

    private let storage: Storage

    /// The value of the `Authorization` header; use it for nothing else.
    public var authorizationHeaderValue: String { "Bearer \(storage.bytes.text)" }

    /// The token in clear, for an embedding app whose SDK needs it and for `token fetch --reveal`.
    public var revealed: String { storage.bytes.text }

    /// The number of tokens that the key has had, including this one.
    public var generation: Int { storage.properties.generation }

    /// The first eight hexadecimal digits of the token's SHA-256: identifies the token without revealing it.
    public var fingerprint: String { storage.properties.fingerprint }

    /// The expiry in the service's time.
    public var expiresAt: Date { storage.properties.expiresAt }

    /// The time of issue by the issuer's clock; `nil` if unknown.
    public var issuedAt: Date? { storage.properties.issuedAt }

    /// Everything that is known about the token.
    package var properties: Properties { storage.properties }
    /// See ``Properties/deadline``.
    package var deadline: Moment { storage.properties.deadline }
    /// See ``Properties/refresh``.
    package var refresh: Moment { storage.properties.refresh }

    package init(bytes: SecretBytes, _ properties: Properties) {
        storage = Storage(bytes: bytes, properties: properties)
    }

    /// Returns the same token with other properties.
    func with(_ change: (inout Properties) -> Void) -> BearerToken {
        var properties = storage.properties
        change(&properties)
        return BearerToken(bytes: storage.bytes, properties)
    }

    private final class Storage: Sendable {
        let bytes: SecretBytes
        let properties: Properties

        init(bytes: SecretBytes, properties: Properties) {
            self.bytes = bytes
            self.properties = properties
        }
    }
}

extension BearerToken: Redacted {
    /// `<token>` with generation and fingerprint, without the token.
    public var description: String { "<token gen \(generation), sha256:\(fingerprint)>" }
}
