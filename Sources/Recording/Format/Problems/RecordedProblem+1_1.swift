import Failures
import FleetTokens
import Foundation

/// Failures of format 1.1 and before.
extension RecordedProblem {
    /// Returns the failure; `nil` for an unknown code.
    func failure(inOldForm family: Family) -> Failure? {
        switch (family, code) {
        case (.source, "unreachable"):
            .sourceUnreachable(name.flatMap { Self.unreachable[$0] } ?? .refused, reason: reason ?? "")
        case (.source, "refused_status"):
            .sourceStatus(number ?? 0, retryAfter: retryAfter.map(Duration.init(recorded:)))
        case (.source, "missing_key"): .sourceMissingKey(name ?? "", known: Array((names ?? []).prefix(20)))
        case (.source, "encoded_json"): .sourceEncodedJSON(key: name)
        case (.fault, "wrapped"): TokenForm(rawValue: reason ?? "").map(Failure.tokenWrapped)
        case (.warning, "clock_differs"): .clockDiffers(Duration(recorded: seconds ?? 0))
        case (.warning, "expiry_disagreement"):
            .expiryDisagreement(
                token: Date(timeIntervalSince1970: seconds ?? 0),
                endpoint: Date(timeIntervalSince1970: ofSeconds ?? 0)
            )
        case (.token, "missing_data"), (.token, "unavailable"): withCause(of: .source)
        case (.token, "unusable"): withCause(of: .fault)
        case (.token, "denied"): TokenError.denied(status: number ?? 403, retryAfter: .zero).failure
        case (.token, "rejected_by_service"):
            TokenError.rejectedByService(
                status: AnswerStatus(httpStatus: number ?? 401, grpcStatus: grpcStatus),
                retryAfter: .zero
            ).failure
        default:
            FailureCode(rawValue: "\(family.rawValue).\(code)").map { Failure($0, values(of: $0)) }
                ?? (family == .source ? FailureCode(rawValue: "transport.\(code)") : nil)
                .map { Failure($0, values(of: $0), asked: .source) }
        }
    }

    private func withCause(of family: Family) -> Failure? {
        // The cause of a source that failed may be the failure of another token, which its code says.
        guard let cause = cause?.failure(of: family) ?? cause?.anyFailure() else { return nil }
        return FailureCode(rawValue: "token.\(code)").map { Failure($0, cause: cause) }
    }

    /// The causes of an endpoint that can't be reached.
    private static let unreachable: [String: FailureCode] = [
        "unknown_host": .unknownHost, "wrong_port": .wrongPort, "tls": .tls,
        "interrupted": .connectionLost, "broken_answer": .cutOff, "no_route": .other,
        "proxy": .proxyFailed,
    ]

    /// Returns the values of a code, of which each was a member.
    private func values(of code: FailureCode) -> [String: FailureValue] {
        let text = { (text: String?) in FailureValue.text(text ?? "") }
        let duration = { (seconds: Double?) in FailureValue.duration(Duration(recorded: seconds ?? 0)) }
        return switch code {
        case .tls, .wrongPort, .unusableProxy, .proxyFailed, .malformed, .other,
            .commandNotStarted, .unreadableFile, .badKey:
            ["reason": text(reason)]
        case .tooLarge: ["limit": .bytes(number ?? 0)]
        case .tooManyKeys, .tooManyWaiters: ["limit": .number(number ?? 0)]
        case .sourceRedirected, .sourceHTML, .commandFailed: ["status": .number(number ?? 0)]
        case .commandKilled: ["signal": .number(number ?? 0)]
        case .sourceWrongType, .noExpirationKey, .unreadableTime: ["key": text(name)]
        case .missingVariable: ["variable": text(name)]
        case .unusableHeader: ["header": text(name), "reason": text(reason)]
        case .tokenTooLong: ["bytes": .number(number ?? 0)]
        case .tokenExpired, .tokenEndsTooFarAhead, .tokenIssuedInFuture: ["duration": duration(seconds)]
        case .tokenTooShort: ["left": duration(seconds)]
        case .tokenNearlyOver: ["left": duration(seconds), "lifetime": duration(ofSeconds)]
        case .tokenTooLongLived, .assumedLifetime, .shortLived: ["lifetime": duration(seconds)]
        case .tokenMisspelledClaim: ["name": text(reason), "meant": text(name)]
        case .tokenMistypedTime, .tokenBeginInMilliseconds: ["claim": text(name)]
        case .tokenUnusableAuthorization: ["form": text(reason)]
        case .tooShortLived: ["left": duration(seconds), "wanted": duration(ofSeconds)]
        default: [:]
        }
    }
}
