public import Foundation

/// A token that may be sent to Fleet Engine: a secret that prints redacted wherever it ends up.
///
/// It has neither `Codable` nor a raw value, so that it can't slip into a file. Its bytes are wiped when the last copy
/// goes; the strings that ``authorizationHeaderValue`` hands to an HTTP client can't be.
public struct BearerToken: Sendable {
    private let storage: Storage

    /// What the `Authorization` header of a request has to say, which is where it belongs and nowhere else.
    public var authorizationHeaderValue: String { "Bearer \(storage.bytes.text)" }

    /// The bare token, for an embedding app whose SDK asks for it and for `token fetch --reveal`.
    public var revealed: String { storage.bytes.text }

    /// How many tokens this key has had, this one included.
    public var generation: Int { storage.generation }

    /// The first eight hexadecimal digits of the token's SHA-256: tells two tokens apart, leads back to neither.
    public var fingerprint: String { storage.fingerprint }

    /// When the service stops taking it, in the service's time.
    public var expiresAt: Date? { storage.expiresAt }

    /// When it was issued, in the issuer's time; `nil` where nobody said.
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

    /// The same token with bytes of its own, which nobody else counts references to.
    package func copied() -> BearerToken {
        BearerToken(
            bytes: SecretBytes(copying: storage.bytes),
            generation: generation,
            fingerprint: fingerprint,
            issuedAt: issuedAt,
            expiresAt: expiresAt
        )
    }

    /// Whether two values are one stored token: same key, same generation, same bytes.
    package func isIdentical(to other: BearerToken) -> Bool { storage === other.storage }

    /// What the copies share; package access so that a test can watch it go.
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
    /// `<token>` with generation and fingerprint, never the token.
    public var description: String { "<token gen \(generation), sha256:\(fingerprint)>" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description, and nothing behind it.
    public var customMirror: Mirror { Mirror(self, children: ["token": description]) }
}
