public import Failures

/// Why an endpoint was unreachable; distinguishes only the causes that different parties must fix.
public enum UnreachableCause: Sendable, Hashable {
    /// The host name cannot be resolved.
    case unknownHost
    /// The port of an `https` URL does not use TLS.
    case wrongPort
    /// The certificate is not trusted, or the encryption could not begin for another reason.
    case tls
    /// The connection was lost before an answer began.
    case interrupted
    /// An answer began, but it was incomplete or could not be unpacked.
    case brokenAnswer
    /// No connection could be opened, for example without a route to the host.
    case noRoute
    /// The proxy could not be reached or opened no connection.
    case proxy
    /// Anything else, such as a refused connection.
    case other
}

/// Why a source gave no token; the reasons are a library's own words or names from the configuration, never an answer's body.
public enum TokenSourceError: Error, Sendable, Equatable {
    /// The endpoint could not be reached: refused, unknown host, TLS, connection lost.
    case unreachable(reason: String, cause: UnreachableCause = .other)
    /// The environment names a proxy that can't be used; the reason says which variable.
    case unusableProxy(reason: String)
    /// The fetch timed out.
    case timedOut
    /// The endpoint answered with an error status; `retryAfter` is its `Retry-After`.
    case refusedStatus(Int, retryAfter: Duration?)
    /// The endpoint redirected the request, which is not followed, because secret headers must not go to another host.
    case redirected(status: Int)
    /// The endpoint answered with a web page: a login form, a proxy or an error page.
    case html(status: Int)
    /// The answer is neither JSON nor a bare token.
    case notJSON
    /// The answer lacks this key; `known` lists up to 12 key paths with string values.
    case missingKey(String, known: [String] = [])
    /// The answer is JSON that is written as a text: the whole answer, or the value of this key.
    case encodedJSON(key: String?)
    /// The value of the key has the wrong type, such as an object instead of a string.
    case wrongType(key: String)
    /// The answer is empty.
    case empty
    /// The answer is longer than any token.
    case tooLarge(limit: Int)
    /// The URL is invalid.
    case invalidURL
    /// Plain `http` to a host other than loopback is not allowed.
    case insecureURL
    /// The source cannot create tokens of this kind, for example a URL with `{tripId}` for a vehicle.
    case unsupportedContext
    /// The command could not be started.
    case commandNotStarted(reason: String)
    /// The command exited with this status.
    case commandFailed(exitStatus: Int)
    /// The command was terminated by this signal.
    case commandKilled(signal: Int)
    /// The file does not exist or cannot be read.
    case unreadableFile(reason: String)
    /// The environment variable is not set.
    case missingVariable(String)
    /// A header's value is invalid or cannot be read.
    case unusableHeader(name: String, reason: String)
    /// The signing key is invalid.
    case badKey(reason: String)
    /// The credentials of a backend gave no token; the failure says why.
    case credentials(Failure)
    /// The fetch was cancelled.
    case cancelled

    /// A stable name for programs.
    public var code: String { failure.name }

    /// Whether the configuration is at fault, so that a retry would fail the same way.
    public var isPermanent: Bool { failure.has(.isPermanent) }

    /// Whether the source answered without a token.
    package var isMissingData: Bool { failure.code.row.stage == .sourceAnswer }
}
