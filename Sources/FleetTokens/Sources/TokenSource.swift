public import Foundation

/// Where tokens come from.
///
/// A source keeps nothing and decides nothing: the provider calls it once per fetch, cancels the task that calls it when the
/// time for one fetch is up or the service refuses the token that was in use, and checks what comes.
///
/// For one key it is never called twice at a time, but for a fetch that was cancelled and has not ended yet.
public protocol TokenSource: Sendable {
    /// What it is, for people: `http endpoint`, `command`, …; never holds a secret.
    var name: String { get }

    /// Gets one new token.
    func fetch(_ context: AuthorizationContext, reason: FetchReason) async throws(TokenSourceError) -> IssuedToken

    /// Gets one new token, and keeps what an endpoint answered, also where there is no token in it.
    func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason,
        recording recorder: TokenAnswerRecorder
    ) async throws(TokenSourceError) -> IssuedToken

    /// An element whenever the source has other tokens than before; `nil` for a source that can't tell.
    ///
    /// The provider listens from its first to its last moment, and fetches anew what it holds or failed to get.
    func changes() -> AsyncStream<Void>?
}

extension TokenSource {
    /// Most sources are no endpoints, and have no answers that could be shown.
    public func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason,
        recording recorder: TokenAnswerRecorder
    ) async throws(TokenSourceError) -> IssuedToken {
        try await fetch(context, reason: reason)
    }

    /// Most sources can't tell.
    public func changes() -> AsyncStream<Void>? { nil }
}

/// Why a token is fetched.
public enum FetchReason: String, Sendable, Hashable, CaseIterable {
    /// Somebody waits, and there is no token.
    case needed
    /// The token will end soon.
    case ahead
    /// The service refused the token; a source with a cache of its own must not answer from it.
    case rejected
    /// A person asked for a new one.
    case requested
    /// The last attempt failed.
    case retry
}

/// What a source got: a token, which prints redacted, and what was said about it.
public struct IssuedToken: Sendable {
    /// What an endpoint said about the end of its token.
    public enum Expiry: Sendable, Hashable {
        /// It ends at a time of the issuer's clock.
        case at(Date)
        /// It ends so long after it was fetched.
        case after(Duration)
    }

    package let secret: SecretBytes
    /// When the endpoint says that it was made.
    public var issuedAt: Date?
    /// When the endpoint says that it ends; `nil` leaves it to the token itself.
    public var expiry: Expiry?
    /// What time it was at the endpoint when it answered (`Date` header, whole seconds).
    public var serverDate: Date?
    /// What the source finds odd.
    public var warnings: [TokenWarning]
    /// Whether it was made for this request, as far as the source knows: then a pair of times from the endpoint gives a
    /// life that needs no agreement of clocks.
    ///
    /// A file, a variable or a command may hand out what it has had for a while.
    public var isNew = false

    /// A token as it came.
    public init(
        _ token: String,
        issuedAt: Date? = nil,
        expiry: Expiry? = nil,
        serverDate: Date? = nil,
        warnings: [TokenWarning] = []
    ) {
        self.init(SecretBytes(token), issuedAt: issuedAt, expiry: expiry, serverDate: serverDate, warnings: warnings)
    }

    /// A token whose bytes are held already; a test can watch them being wiped.
    package init(
        _ secret: SecretBytes,
        issuedAt: Date? = nil,
        expiry: Expiry? = nil,
        serverDate: Date? = nil,
        warnings: [TokenWarning] = []
    ) {
        self.secret = secret
        // Every token of every source passes here, also one that is rejected later.
        secret.becomeKnown()
        self.issuedAt = issuedAt
        self.expiry = expiry
        self.serverDate = serverDate
        self.warnings = warnings
    }

    /// The token in clear, for the code that sends it or explains it.
    public var revealed: String { secret.text }
}

extension IssuedToken: CustomStringConvertible, CustomReflectable {
    /// `<token>`, and nothing of it.
    public var description: String { "<token>" }
    /// The description, and nothing behind it.
    public var customMirror: Mirror { Mirror(self, children: ["token": description]) }
}
