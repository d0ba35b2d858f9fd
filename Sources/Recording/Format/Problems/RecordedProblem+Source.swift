package import FleetTokens
import Foundation

extension RecordedProblem {
    /// Converts an error of a token source.
    package convenience init(_ error: TokenSourceError) {
        switch error {
        case .unreachable(let reason, let cause):
            self.init("unreachable", reason: reason, name: Self.name(of: cause))
        case .unusableProxy(let reason): self.init("unusable_proxy", reason: reason)
        case .timedOut: self.init("timed_out")
        case .refusedStatus(let status, let delay):
            self.init("refused_status", number: status, retryAfter: delay?.recorded)
        case .redirected(let status): self.init("redirected", number: status)
        case .html(let status): self.init("html", number: status)
        case .notJSON: self.init("not_json")
        case .missingKey(let key, let known): self.init("missing_key", name: key, names: known)
        case .encodedJSON(let key): self.init("encoded_json", name: key)
        case .wrongType(let key): self.init("wrong_type", name: key)
        case .empty: self.init("empty")
        case .tooLarge(let limit): self.init("too_large", number: limit)
        case .invalidURL: self.init("invalid_url")
        case .insecureURL: self.init("insecure_url")
        case .unsupportedContext: self.init("unsupported_context")
        case .commandNotStarted(let reason): self.init("command_not_started", reason: reason)
        case .commandFailed(let status): self.init("command_failed", number: status)
        case .commandKilled(let signal): self.init("command_killed", number: signal)
        case .unreadableFile(let reason): self.init("unreadable_file", reason: reason)
        case .missingVariable(let name): self.init("missing_variable", name: name)
        case .unusableHeader(let name, let reason): self.init("unusable_header", reason: reason, name: name)
        case .badKey(let reason): self.init("bad_key", reason: reason)
        case .credentials(let failure): self.init(failure: failure)
        case .cancelled: self.init("cancelled")
        }
    }

    /// The error of a token source; `nil` for an unknown code.
    package var sourceError: TokenSourceError? {
        switch code {
        case "unreachable": .unreachable(reason: reason ?? "", cause: Self.cause(named: name))
        case "unusable_proxy": .unusableProxy(reason: reason ?? "")
        case "timed_out": .timedOut
        case "refused_status": .refusedStatus(number ?? 0, retryAfter: retryAfter.map(Duration.init(recorded:)))
        case "redirected": .redirected(status: number ?? 0)
        case "html": .html(status: number ?? 0)
        case "not_json": .notJSON
        case "missing_key": .missingKey(name ?? "", known: names ?? [])
        case "encoded_json": .encodedJSON(key: name)
        case "wrong_type": .wrongType(key: name ?? "")
        case "empty": .empty
        case "too_large": .tooLarge(limit: number ?? 0)
        case "invalid_url": .invalidURL
        case "insecure_url": .insecureURL
        case "unsupported_context": .unsupportedContext
        case "command_not_started": .commandNotStarted(reason: reason ?? "")
        case "command_failed": .commandFailed(exitStatus: number ?? 0)
        case "command_killed": .commandKilled(signal: number ?? 0)
        case "unreadable_file": .unreadableFile(reason: reason ?? "")
        case "missing_variable": .missingVariable(name ?? "")
        case "unusable_header": .unusableHeader(name: name ?? "", reason: reason ?? "")
        case "bad_key": .badKey(reason: reason ?? "")
        case "cancelled": .cancelled
        default: failure.map(TokenSourceError.credentials)
        }
    }

    private static func name(of cause: UnreachableCause) -> String {
        switch cause {
        case .unknownHost: "unknown_host"
        case .wrongPort: "wrong_port"
        case .tls: "tls"
        case .interrupted: "interrupted"
        case .brokenAnswer: "broken_answer"
        case .noRoute: "no_route"
        case .proxy: "proxy"
        case .other: "other"
        }
    }

    private static func cause(named name: String?) -> UnreachableCause {
        switch name {
        case "unknown_host": .unknownHost
        case "wrong_port": .wrongPort
        case "tls": .tls
        case "interrupted": .interrupted
        case "broken_answer": .brokenAnswer
        case "no_route": .noRoute
        case "proxy": .proxy
        default: .other
        }
    }

    /// Converts a warning about a token.
    package convenience init(_ warning: TokenWarning) {
        switch warning {
        case .expiryDisagreement(let token, let endpoint):
            self.init(
                warning.code,
                seconds: token.timeIntervalSince1970,
                ofSeconds: endpoint.timeIntervalSince1970
            )
        case .assumedLifetime(let duration), .clockDiffers(let duration), .shortLived(let duration):
            self.init(warning.code, seconds: duration.recorded)
        case .noExpirationKey(let key), .unreadableTime(let key): self.init(warning.code, name: key)
        case .opaque, .wrongExpiryUnit, .unusualAlgorithm, .wildcard, .surroundedBySpace, .readableByOthers:
            self.init(warning.code)
        }
    }

    /// The warning about a token; `nil` for an unknown code.
    package var tokenWarning: TokenWarning? {
        switch code {
        case "expiry_disagreement":
            .expiryDisagreement(
                token: Date(timeIntervalSince1970: seconds ?? 0),
                endpoint: Date(timeIntervalSince1970: ofSeconds ?? 0)
            )
        case "assumed_lifetime": .assumedLifetime(duration)
        case "clock_differs": .clockDiffers(duration)
        case "short_lived": .shortLived(duration)
        case "no_expiration_key": .noExpirationKey(name ?? "")
        case "unreadable_time": .unreadableTime(name ?? "")
        case "opaque": .opaque
        case "wrong_expiry_unit": .wrongExpiryUnit
        case "unusual_algorithm": .unusualAlgorithm
        case "wildcard": .wildcard
        case "surrounded_by_space": .surroundedBySpace
        case "readable_by_others": .readableByOthers
        default: nil
        }
    }
}
