public import Foundation

/// A token that may be sent to Fleet Engine; it prints redacted.
///
/// It is not `Codable` and has no raw value, so that it cannot be written to a file by accident. Its bytes are overwritten when
/// the last copy is released. The strings from ``authorizationHeaderValue`` cannot be overwritten.
public struct BearerToken: Sendable {
    private let storage: Storage

    /// The value of the `Authorization` header; use it for nothing else.
    public var authorizationHeaderValue: String { "Bearer \(storage.bytes.text)" }

    /// The token in clear, for an embedding app whose SDK needs it and for `token fetch --reveal`.
    public var revealed: String { storage.bytes.text }

    /// The number of tokens that the key has had, including this one.
    public var generation: Int { storage.generation }

    /// The first eight hexadecimal digits of the token's SHA-256: identifies the token without revealing it.
    public var fingerprint: String { storage.fingerprint }

    /// The expiry in the service's time.
    public var expiresAt: Date? { storage.expiresAt }

    /// The time of issue by the issuer's clock; `nil` if unknown.
    public var issuedAt: Date? { storage.issuedAt }

    package init(
        bytes: SecretBytes,
        generation: Int,
        fingerprint: String,
        issuedAt: Date?,
        expiresAt: Date?
    ) {
        storage = Storage(
            bytes: bytes,
            generation: generation,
            fingerprint: fingerprint,
            issuedAt: issuedAt,
            expiresAt: expiresAt
        )
    }

    /// Returns the token with its own storage, whose reference count no other copy changes.
    package func copied() -> BearerToken {
        BearerToken(
            bytes: SecretBytes(copying: storage.bytes),
            generation: generation,
            fingerprint: fingerprint,
            issuedAt: issuedAt,
            expiresAt: expiresAt
        )
    }

    /// Returns whether two values share their storage: same key, same generation, same bytes.
    package func isIdentical(to other: BearerToken) -> Bool { storage === other.storage }

    /// The shared storage; package access so that tests can observe its release.
    package var identity: AnyObject { storage }

    private final class Storage: Sendable {
        let bytes: SecretBytes
        let generation: Int
        let fingerprint: String
        let issuedAt: Date?
        let expiresAt: Date?

        init(bytes: SecretBytes, generation: Int, fingerprint: String, issuedAt: Date?, expiresAt: Date?) {
            self.bytes = bytes
            self.generation = generation
            self.fingerprint = fingerprint
            self.issuedAt = issuedAt
            self.expiresAt = expiresAt
        }
    }
}

extension BearerToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `<token>` with generation and fingerprint, without the token.
    public var description: String { "<token gen \(generation), sha256:\(fingerprint)>" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror with the description only.
    public var customMirror: Mirror { Mirror(self, children: ["token": description]) }
}
