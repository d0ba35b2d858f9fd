/// Why nothing was reached, as far as it decides who has to change something.
public enum UnreachableCause: Sendable, Hashable {
    /// No name server knows the host.
    case unknownHost
    /// The connection was lost before the answer was complete.
    case interrupted
    /// Anything else, such as a refused connection.
    case other
}

/// Why a source gave no token; the reasons are a library's own words or names from the configuration, never an answer's body.
public enum TokenSourceError: Error, Sendable, Equatable {
    /// Nobody could be reached: refused, unknown host, TLS, connection lost.
    case unreachable(reason: String, cause: UnreachableCause = .other)
    /// The environment names a proxy that can't be used; the reason says which variable.
    case unusableProxy(reason: String)
    /// The time for one fetch was up.
    case timedOut
    /// The endpoint answered with an error status; `retryAfter` is its `Retry-After`.
    case refusedStatus(Int, retryAfter: Duration?)
    /// The endpoint sent us elsewhere; a secret in a header must not follow.
    case redirected(status: Int)
    /// The endpoint answered with a web page: a login form, a proxy, an error page.
    case html(status: Int)
    /// The answer is neither JSON nor a bare token.
    case notJSON
    /// The answer has no such key; `known` are the paths of those that it has and that hold text, at most 12.
    case missingKey(String, known: [String] = [])
    /// The key holds something that is not what was asked for, such as an object in place of a string.
    case wrongType(key: String)
    /// The answer is empty.
    case empty
    /// The answer is longer than anything that could be a token.
    case tooLarge(limit: Int)
    /// The URL can't be used.
    case invalidURL
    /// Plain `http` to another machine was not allowed.
    case insecureURL
    /// The source can't make tokens of this kind, such as a URL with `{tripId}` asked for a vehicle.
    case unsupportedContext
    /// The command could not be started.
    case commandNotStarted(reason: String)
    /// The command ended with this status.
    case commandFailed(exitStatus: Int)
    /// The command was ended by this signal.
    case commandKilled(signal: Int)
    /// There is no such file, or it can't be read.
    case unreadableFile(reason: String)
    /// The environment has no such variable.
    case missingVariable(String)
    /// What stands where a header's value should be is none, or can't be read.
    case unusableHeader(name: String, reason: String)
    /// The signing key can't be used.
    case badKey(reason: String)
    /// The flight was cancelled, or the source says so.
    case cancelled

    /// A stable name for programs.
    public var code: String {
        switch self {
        case .unreachable: "unreachable"
        case .unusableProxy: "unusable_proxy"
        case .timedOut: "timed_out"
        case .refusedStatus(let status, _): "status_\(status)"
        case .redirected: "redirected"
        case .html: "html"
        case .notJSON: "not_json"
        case .missingKey: "missing_key"
        case .wrongType: "wrong_type"
        case .empty: "empty"
        case .tooLarge: "too_large"
        case .invalidURL: "invalid_url"
        case .insecureURL: "insecure_url"
        case .unsupportedContext: "unsupported_context"
        case .commandNotStarted: "command_not_started"
        case .commandFailed: "command_failed"
        case .commandKilled: "command_killed"
        case .unreadableFile: "unreadable_file"
        case .missingVariable: "missing_variable"
        case .unusableHeader: "unusable_header"
        case .badKey: "bad_key"
        case .cancelled: "cancelled"
        }
    }

    /// Whether the set-up is at fault, so that the same question will get the same answer.
    public var isPermanent: Bool {
        switch self {
        case .refusedStatus(let status, _): (400...499).contains(status) && status != 408 && status != 429
        case .unreachable, .timedOut, .cancelled, .commandFailed, .commandKilled, .unreadableFile, .unusableHeader:
            false
        case .redirected, .html, .notJSON, .missingKey, .wrongType, .empty, .tooLarge, .invalidURL, .insecureURL,
            .unsupportedContext, .commandNotStarted, .missingVariable, .badKey, .unusableProxy:
            true
        }
    }

    /// Whether the source answered, and the answer had no token in it.
    package var isMissingData: Bool {
        switch self {
        case .missingKey, .wrongType, .empty, .notJSON, .html: true
        default: false
        }
    }
}
