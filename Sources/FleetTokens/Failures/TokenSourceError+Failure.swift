package import Failures

extension TokenSourceError {
    /// The failure with the values of this error.
    package var failure: Failure {
        switch self {
        case .unreachable(let reason, let cause): Failure(cause.failureCode, ["reason": .text(reason)])
        case .unusableProxy(let reason): Failure(.sourceUnusableProxy, ["reason": .text(reason)])
        case .timedOut: Failure(.sourceTimedOut)
        case .refusedStatus(let status, let delay):
            Failure(
                Self.code(ofStatus: status),
                ["status": .number(status)].merging(delay.map { ["retryAfter": .duration($0)] } ?? [:]) { $1 }
            )
        case .redirected(let status): Failure(.sourceRedirected, ["status": .number(status)])
        case .html(let status): Failure(.sourceHTML, ["status": .number(status)])
        case .notJSON: Failure(.sourceNotJSON)
        case .missingKey(let key, let known):
            Failure(Self.code(ofKeys: known), ["key": .text(key), "known": .texts(known)])
        case .encodedJSON(let key?): Failure(.sourceEncodedKey, ["key": .text(key)])
        case .encodedJSON(nil): Failure(.sourceEncodedJSON)
        case .wrongType(let key): Failure(.sourceWrongType, ["key": .text(key)])
        case .empty: Failure(.sourceEmpty)
        case .tooLarge(let limit): Failure(.sourceTooLarge, ["limit": .bytes(limit)])
        case .invalidURL: Failure(.sourceInvalidURL)
        case .insecureURL: Failure(.sourceInsecureURL)
        case .unsupportedContext: Failure(.sourceUnsupportedContext)
        case .commandNotStarted(let reason): Failure(.commandNotStarted, ["reason": .text(reason)])
        case .commandFailed(let status): Failure(.commandFailed, ["status": .number(status)])
        case .commandKilled(let signal): Failure(.commandKilled, ["signal": .number(signal)])
        case .unreadableFile(let reason): Failure(.unreadableFile, ["reason": .text(reason)])
        case .missingVariable(let name): Failure(.missingVariable, ["variable": .text(name)])
        case .unusableHeader(let name, let reason):
            Failure(.unusableHeader, ["header": .text(name), "reason": .text(reason)])
        case .badKey(let reason): Failure(.badKey, ["reason": .text(reason)])
        case .credentials(let failure): failure
        case .cancelled: Failure(.sourceCancelled)
        }
    }

    /// Returns the row of an error status.
    private static func code(ofStatus status: Int) -> FailureCode {
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

    /// Returns the row of an answer with these keys but without that of the token.
    ///
    /// An answer is an error in the form of an endpoint if its texts have the keys of one. A message alone is one if no other
    /// key may be that of the token.
    private static func code(ofKeys keys: [String]) -> FailureCode {
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

extension UnreachableCause {
    /// The row of an endpoint that can't be reached for this reason.
    fileprivate var failureCode: FailureCode {
        switch self {
        case .unknownHost: .sourceUnknownHost
        case .wrongPort: .sourceWrongPort
        case .tls: .sourceTLS
        case .interrupted: .sourceInterrupted
        case .brokenAnswer: .sourceBroken
        case .noRoute: .sourceNoRoute
        case .proxy: .sourceProxy
        case .other: .sourceUnreachable
        }
    }
}
