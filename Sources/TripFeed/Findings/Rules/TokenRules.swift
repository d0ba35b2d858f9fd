import Failures
import FleetTokens
import Runtime
import TripModel

/// The trip's token.
extension FindingRule {
    // The columns of a row stay together.
    // swift-format-ignore
    static let tokens: [FindingRule] = [
        .poll(
            "tokenForAnother", .findingTokenForAnother, .findingTokenForAnotherWhat,
            .lasting,
            .error,
            ["fault", "tripid", "vehicleid"],
            advice: .adviceEndpoint,
            isLogged: false,
            tokenForAnother
        ),
        .poll(
            "tokenIDForm", .findingTokenIDForm, .findingTokenIDFormWhat,
            .lasting,
            .error,
            ["form", "tripid", "vehicleid"],
            advice: .adviceEndpoint,
            isLogged: false,
            tokenIDForm
        ),
        .poll("tokenUnusable", .findingTokenUnusable, .findingTokenUnusableWhat, .lasting, .error, ["fault"], advice: .adviceTokenView, isLogged: false, tokenUnusable),
        .poll("tokenTooShortLived", .findingTokenTooShortLived, .findingTokenTooShortLivedWhat, .event, .warning, ["life", "interval"], advice: .adviceLifetime, tokenTooShortLived),
        .poll("tokenRefetched", .findingTokenRefetched, .findingTokenRefetchedWhat, .event, .warning, ["tokens", "life"], advice: .adviceLifetime, tokenRefetched),
    ]

    /// The token is for another trip or vehicle.
    private static func tokenForAnother(_ step: PollStep) -> Detection? {
        guard let fault = step.tokenFault, fault.isForAnother else { return nil }
        return Detection(
            .text(fault.name),
            step.token.rejectedTrip.map { .text($0) },
            step.token.rejectedVehicle.map { .text($0) }
        )
    }

    /// The token has the requested ID in another form.
    private static func tokenIDForm(_ step: PollStep) -> Detection? {
        guard let form = step.tokenFault?.idForm else { return nil }
        return Detection(
            .text(form.rawValue),
            step.token.rejectedTrip.map { .text($0) },
            step.token.rejectedVehicle.map { .text($0) }
        )
    }

    /// The token is not usable.
    private static func tokenUnusable(_ step: PollStep) -> Detection? {
        guard let fault = step.tokenFault, !fault.isForAnother, fault.idForm == nil else { return nil }
        return Detection(.text(fault.name))
    }

    /// The token's lifetime is shorter than two poll intervals.
    private static func tokenTooShortLived(_ step: PollStep) -> Detection? {
        guard let token = step.history.newToken, token.lifetime < step.interval.seconds * 2 else { return nil }
        return Detection(.seconds(token.lifetime), .seconds(step.interval.seconds))
    }

    /// Tokens are fetched more often than their lifetimes require: two were replaced early within ten minutes.
    private static func tokenRefetched(_ step: PollStep) -> Detection? {
        guard let token = step.history.newToken, token.earlyReplacements >= 2 else { return nil }
        return Detection(.count(token.earlyReplacements + 1), .seconds(token.lifetime))
    }
}

extension PollStep {
    /// The fault of the latest token, from the poll and the token after it.
    var tokenFault: Failure? { report.failure?.unusableTokenCause ?? token.fault }
}

extension Failure {
    fileprivate var isForAnother: Bool { [.tokenBoundToAnother, .tokenWrongKind, .tokenOverBroad].contains(code) }
}
