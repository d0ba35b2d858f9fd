package import Failures

/// The failures of a token source.
///
/// The reasons are a library's own words or names from the configuration, never the body of an answer.
extension Failure {
    /// The fetch timed out.
    package static let sourceTimedOut = Failure(.timedOut, asked: .source)
    /// The answer is neither JSON nor a bare token.
    package static let sourceNotJSON = Failure(.sourceNotJSON)
    /// The answer is empty.
    package static let sourceEmpty = Failure(.sourceEmpty)
    /// The URL is invalid.
    package static let sourceInvalidURL = Failure(.invalidURL, asked: .source)
    /// Plain `http` to a host other than loopback is not allowed.
    package static let sourceInsecureURL = Failure(.sourceInsecureURL)
    /// The source cannot create tokens of this kind, for example a URL with `{tripId}` for a vehicle.
    package static let sourceUnsupportedContext = Failure(.sourceUnsupportedContext)
    /// The fetch was cancelled.
    package static let sourceCancelled = Failure(.cancelled, asked: .source)

    /// The endpoint could not be reached; `code` is the code of the transport's failure.
    package static func sourceUnreachable(_ code: FailureCode = .refused, reason: String) -> Failure {
        Failure(code, asked: .source).with(.reason, reason)
    }

    /// The environment names a proxy that can't be used; the reason says which variable.
    package static func sourceUnusableProxy(reason: String) -> Failure {
        Failure(.unusableProxy, asked: .source).with(.reason, reason)
    }

    /// The endpoint answered with an error status; `retryAfter` is its `Retry-After`.
    package static func sourceStatus(_ status: Int, retryAfter: Duration?) -> Failure {
        Failure(code(ofSourceStatus: status), retryAfter: retryAfter).with(.status, status)
    }

    /// The endpoint redirected the request, which is not followed, because secret headers must not go to another host.
    package static func sourceRedirected(status: Int) -> Failure { Failure(.sourceRedirected).with(.status, status) }

    /// The endpoint answered with a web page: a login form, a proxy or an error page.
    package static func sourceHTML(status: Int) -> Failure { Failure(.sourceHTML).with(.status, status) }

    /// The answer lacks this key; `known` lists up to 12 key paths with string values.
    package static func sourceMissingKey(_ key: String, known: [String] = []) -> Failure {
        Failure(code(ofSourceKeys: known)).with(.key, key).with(.known, known)
    }

    /// The answer is JSON that is written as a text: the whole answer, or the value of this key.
    package static func sourceEncodedJSON(key: String?) -> Failure {
        key.map { Failure(.sourceEncodedKey).with(.key, $0) } ?? Failure(.sourceEncodedJSON)
    }

    /// The value of the key has the wrong type, such as an object instead of a string.
    package static func sourceWrongType(key: String) -> Failure { Failure(.sourceWrongType).with(.key, key) }

    /// The answer is longer than any token.
    package static func sourceTooLarge(limit: Int) -> Failure {
        Failure(.tooLarge, asked: .source).with(.sizeLimit, limit)
    }

    /// The command could not be started.
    package static func commandNotStarted(reason: String) -> Failure {
        Failure(.commandNotStarted).with(.reason, reason)
    }

    /// The command exited with this status.
    package static func commandFailed(exitStatus: Int) -> Failure { Failure(.commandFailed).with(.status, exitStatus) }

    /// The command was terminated by this signal.
    package static func commandKilled(signal: Int) -> Failure { Failure(.commandKilled).with(.signal, signal) }

    /// Returns the failure with the last lines that a helper program wrote to its standard error, without secrets; unchanged
    /// for `nil`.
    package func saying(_ errors: String?) -> Failure { with(.errors, errors) }

    /// The last lines of the standard error of a helper program, without secrets; `nil` if there are none.
    package var errors: String? { self[.errors] }

    /// The file does not exist or cannot be read.
    package static func unreadableFile(reason: String) -> Failure { Failure(.unreadableFile).with(.reason, reason) }

    /// The environment variable is not set.
    package static func missingVariable(_ name: String) -> Failure { Failure(.missingVariable).with(.variable, name) }

    /// A header's value is invalid or cannot be read.
    package static func unusableHeader(name: String, reason: String) -> Failure {
        Failure(.unusableHeader).with(.header, name).with(.reason, reason)
    }

    /// The signing key is invalid.
    package static func badKey(reason: String) -> Failure { Failure(.badKey).with(.reason, reason) }
}

extension Failure {
    /// Whether the source answered without a token.
    package var isMissingData: Bool { row.stage == .sourceAnswer }

    /// The status with which Fleet Engine refused a new token; `nil` if it is another failure.
    package var rejection: AnswerStatus? {
        guard code == .tokenRejected else { return nil }
        return AnswerStatus(httpStatus: self[.http] ?? 401, grpcStatus: self[.grpc])
    }

    /// The error status with which the source refuses this trip or vehicle; `nil` for other failures.
    var denialStatus: Int? {
        guard [.sourceLogin, .sourcePath].contains(code), let status = self[.status], status != 401 else {
            return nil
        }
        return status
    }

    /// Returns the row of an error status of a source.
    private static func code(ofSourceStatus status: Int) -> FailureCode {
        switch status {
        case 304: .sourceNotModified
        case 401, 403: .sourceLogin
        case 404, 410: .sourcePath
        case 405: .sourceMethod
        case 408: .sourceRequestTimeout
        case 429: .sourceQuota
        case 500...: .sourceServer
        default: .sourceStatus
        }
    }

    /// Returns the row of an answer with these keys but without the token's key.
    ///
    /// An answer is an error in the form of an endpoint if its texts have the keys of one. A message alone is an error if no other
    /// key may be the token's key.
    private static func code(ofSourceKeys keys: [String]) -> FailureCode {
        guard !keys.isEmpty else { return .sourceMissingKey }
        if keys.contains(where: { ["error", "errorMessage", "errorType"].contains($0) || $0.hasPrefix("error.") }) {
            return .sourceErrorAnswer
        }
        let mayHaveToken = keys.contains { key in
            ["token", "jwt"].contains { key.lowercased().contains($0) }
        }
        let isError =
            !mayHaveToken
            && keys.contains { key in
                ["message", "msg", "error", "errors"].contains { key.lowercased().hasSuffix($0) }
            }
        return isError ? .sourceErrorAnswer : .sourceMissingKeyAmong
    }
}

extension Failure {
    /// Creates the failure of a source from the failure of its transport; `url` is what was asked, if it is known.
    package init(ofSource error: Failure, at url: String? = nil) {
        let origin = url.flatMap(URLOrigin.init)
        // What began as an answer is a broken one.
        let code = error.code == .malformed && error.exchange?.answer != nil ? .cutOff : error.code
        let reason = error.reason ?? ""
        let words: String? =
            switch error.code {
            case .refused: "connection refused\(Self.place(origin))"
            case .unknownHost: "unknown host\(origin.map { " \($0.host)" } ?? "")"
            case .tls: "TLS: \(reason)"
            case .connectionLost: "connection lost"
            case .cutOff: "it ended before it was complete"
            case .malformed where code == .malformed: "not HTTP: \(reason)"
            default: error.reason
            }
        self = Failure(code, asked: .source).with(.reason, words).with(.sizeLimit, error[.sizeLimit])
    }

    /// Returns the host and the port of a URL after a preposition; nothing if they are unknown.
    private static func place(_ origin: URLOrigin?) -> String {
        guard let origin else { return "" }
        let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        return " by \(host):\(origin.port ?? (origin.isSecure ? 443 : 80))"
    }
}
