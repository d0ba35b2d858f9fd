package import Failures
public import Foundation

/// A source of tokens.
///
/// A source has no state and makes no decisions. The provider calls it once per fetch and validates the result. It cancels the
/// calling task after the timeout, or when the service refuses the current token.
///
/// For one key there is at most one call at a time, except for cancelled fetches that have not returned yet.
public protocol TokenSource: Sendable {
    /// The name for display: `http endpoint`, `command`, …; must not contain secrets. The default is the name of the type.
    var name: String { get }

    /// Fetches a new token.
    ///
    /// - Throws: Any error; the provider repeats the fetch later. Its description is shown without what may be a secret.
    func fetch(_ context: AuthorizationContext, reason: FetchReason) async throws -> IssuedToken

    /// Returns a stream with an element for each change of the source; `nil` if changes cannot be detected.
    ///
    /// The provider observes it for its whole lifetime, and fetches stored and missing tokens again after a change.
    func changes() -> AsyncStream<Void>?
}

extension TokenSource {
    /// The name of the type.
    public var name: String { "\(Self.self)" }

    /// The default for sources that cannot detect changes.
    public func changes() -> AsyncStream<Void>? { nil }

    /// Fetches a new token and records what came back, if the source does.
    ///
    /// - Throws: The failure of the source; an error of another type becomes one.
    package func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason,
        recording recorder: TokenAnswerRecorder
    ) async throws(Failure) -> IssuedToken {
        if let source = self as? any RecordingTokenSource {
            return try await source.fetch(context, reason: reason, recording: recorder)
        }
        do { return try await fetch(context, reason: reason) } catch { throw Failure(thrownBySource: error) }
    }
}

/// A source that records what came back, even if that contains no token.
package protocol RecordingTokenSource: TokenSource {
    /// Fetches a new token and records what came back.
    ///
    /// - Throws: A failure of a source, such as ``Failures/Failure/sourceTimedOut`` or
    ///   ``Failures/Failure/sourceStatus(_:retryAfter:)``. The failure of a connection, such as `.timedOut`, becomes a failure of the
    ///   source.
    func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason,
        recording recorder: TokenAnswerRecorder
    ) async throws(Failure) -> IssuedToken
}

extension RecordingTokenSource {
    /// Fetches a token without storing the record.
    public func fetch(_ context: AuthorizationContext, reason: FetchReason) async throws(Failure) -> IssuedToken {
        try await fetch(context, reason: reason, recording: TokenAnswerRecorder())
    }
}

/// The reason for a fetch.
public enum FetchReason: String, Sendable, Hashable, CaseIterable {
    /// A caller waits and there is no token.
    case needed
    /// The token will expire soon.
    case ahead
    /// The service refused the token; a source with its own cache must bypass it.
    case rejected
    /// The user requested a new token.
    case requested
    /// The last attempt failed.
    case retry
}

/// A token from a source, with its metadata; it prints redacted.
public struct IssuedToken: Sendable {
    /// An endpoint's statement about the expiry of its token.
    public enum Expiry: Sendable, Hashable {
        /// A time by the issuer's clock.
        case at(Date)
        /// A duration from the time of the fetch.
        case after(Duration)
    }

    package let secret: SecretBytes
    /// The time of creation given by the endpoint.
    public var issuedAt: Date?
    /// The expiry given by the endpoint; `nil` uses the token's `exp`.
    public var expiry: Expiry?
    /// The endpoint's time from its `Date` header, in whole seconds.
    public var serverDate: Date?
    /// Warnings of the source.
    package var warnings: [Failure] = []
    /// Whether the token was created for this request, as far as the source can determine.
    ///
    /// If so, the lifetime between the endpoint's two times is valid even if the clocks differ.
    ///
    /// A file, a variable or a command may return an older token.
    public var isNew = false
    /// Whether a cache has answered in place of the source, so that its times say nothing about the source's clock.
    package var isCached = false
    /// Whether it is an OAuth access token, which Fleet Engine accepts from servers in place of a JWT with claims.
    package var isAccessToken = false

    /// Creates an issued token.
    public init(
        _ token: String,
        issuedAt: Date? = nil,
        expiry: Expiry? = nil,
        serverDate: Date? = nil
    ) {
        self.init(SecretBytes(token))
        self.issuedAt = issuedAt
        self.expiry = expiry
        self.serverDate = serverDate
    }

    /// Creates an issued token from existing secret bytes, so that tests can observe their release.
    package init(_ secret: SecretBytes) {
        self.secret = secret
        // Every token passes here, including those that are rejected later.
        secret.becomeKnown()
    }

    /// The token in clear, for code that sends or inspects it.
    public var revealed: String { secret.text }
}

extension IssuedToken: Redacted {
    /// `<token>`, without any part of it.
    public var description: String { "<token>" }
}
