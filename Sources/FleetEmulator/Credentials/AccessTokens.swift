import Crypto
import FleetTokens
import Foundation
import Runtime
import Synchronization
import TripModel

/// The access tokens that the emulator has issued.
///
/// They are opaque. Only their hashes are stored, because a token is a secret.
final class AccessTokens: Sendable {
    /// What an access token grants.
    struct Grant: Sendable, Equatable {
        var principal: Principal
        var scopes: Set<String>
        var expires: Date
    }

    /// A new token.
    struct Issued: Sendable {
        var text: String
        var grant: Grant
    }

    /// The lifetime of Google's access tokens.
    static let lifetime = Duration.seconds(3599)
    /// The start of every access token.
    private static let prefix = "ya29."

    private let limit: Int
    private let grants = Mutex<[Data: Grant]>([:])

    /// Creates an empty store.
    ///
    /// - Parameter limit: The maximum number of tokens; then those that expire first become unknown.
    init(limit: Int = 4096) {
        self.limit = limit
    }

    /// Returns whether a text has the form of an access token.
    static func isOne(_ text: Substring) -> Bool { text.hasPrefix(prefix) }

    /// Issues a token.
    func issue(
        to principal: Principal,
        scopes: Set<String>,
        lifetime: Duration? = nil,
        at now: Date
    ) -> Issued {
        let text = Self.prefix + RandomText.make()
        KnownSecrets.ofProcess.add(token: text)
        let expires = now.addingTimeInterval((lifetime ?? Self.lifetime).seconds)
        let grant = Grant(principal: principal, scopes: scopes, expires: expires)
        grants.withLock { grants in
            if grants.count >= limit { Self.shrink(&grants, to: limit * 3 / 4, at: now) }
            grants[Self.digest(text[...])] = grant
        }
        return Issued(text: text, grant: grant)
    }

    /// What a token grants; `nil` for an unknown one.
    ///
    /// Expired tokens stay known, so that their callers get the reason.
    subscript(text: Substring) -> Grant? {
        grants.withLock { $0[Self.digest(text)] }
    }

    private static func shrink(_ grants: inout [Data: Grant], to count: Int, at now: Date) {
        grants = grants.filter { $0.value.expires > now }
        guard grants.count > count else { return }
        for (key, _) in grants.sorted(by: { $0.value.expires < $1.value.expires }).prefix(grants.count - count) {
            grants[key] = nil
        }
    }

    private static func digest(_ text: Substring) -> Data { Data(SHA256.hash(data: Data(text.utf8))) }
}

/// Random texts for secrets.
enum RandomText {
    /// Returns 256 random bits in base64url.
    static func make() -> String {
        var random = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }
}
