import Canvas
import Failures
import FleetTokens
import Foundation
import Runtime
import TokenSigning
import TripModel
import TripText

/// A report about one token; never contains the token itself.
struct TokenReport {
    /// How a token was fetched.
    struct Fetch {
        /// The provider's status of the token.
        var status: TokenStatus
        /// The name of the source.
        var source: Text
        /// Why the token is not usable; `nil` if it is.
        var fault: Failure?
        /// The best estimate of the service's time.
        var now: Date
    }

    let inspection: TokenInspection
    let now: Date
    /// Why the provider would reject the token; `nil` if it would not, or if this was not checked.
    var fault: Failure?
    var fetch: Fetch?

    /// Whether no rule is broken and the provider would use the token.
    var isFaultless: Bool { inspection.isFaultless && fault == nil && fetch?.fault == nil }

    private var isSignatureChecked: Bool {
        inspection.findings.contains { $0.rule == .signature && $0.verdict != .unchecked }
    }

    /// Prints the report; uses standard error if the token itself goes to standard output.
    func print(_ form: ReportForm, revealing token: String? = nil) {
        let code = isFaultless ? ExitStatus.done : .expectationFailed
        let localizer = form.localizer
        guard let token else {
            switch form {
            case .json: Printing.json(line, ifUnread: code)
            case .plain: for line in plain(localizer) { Printing.out(line, ifUnread: code) }
            }
            return
        }
        for line in form == .json ? [SanitizedJSON.line(line)] : plain(localizer) { Printing.error(line) }
        Printing.reveal(token, ifUnread: code)
    }

    /// Returns for a valid token; otherwise throws a failure with exit code 1.
    func finish() throws(CommandFailure) {
        guard isFaultless else { throw .silent(.expectationFailed) }
    }

    /// Why the token is rejected: the provider's fault, else the first broken rule, and an injected fault that explains it.
    func cause(_ localizer: Localizer) -> UserMessage? {
        var message = brokenRule(localizer)
        if let injected = fetch?.status.lastExchange?.explanation { message?.explain(by: injected, localizer) }
        return message
    }

    private func brokenRule(_ localizer: Localizer) -> UserMessage? {
        let broken = inspection.findings.first { $0.verdict == .broken }
        if let fault = fault ?? fetch?.fault {
            // A text that is no token has no expiry either.
            guard fetch == nil, fault.code == .tokenWithoutExpiry, let broken, broken.rule == .shape else {
                return UserMessage(fault, localizer: localizer)
            }
        }
        return broken.map { UserMessage($0, localizer: localizer) }
    }

    // MARK: Text output

    private func plain(_ localizer: Localizer) -> [String] {
        var lines: [String] = []
        if let header = inspection.header { lines += [localizer(.reportHeader)] + members(header, localizer) + [""] }
        if let payload = inspection.payload { lines += [localizer(.reportClaims)] + members(payload, localizer) + [""] }
        if let fetch { lines += [localizer(.reportFetch)] + Self.table(Self.rows(fetch, localizer)) + [""] }
        lines += [localizer(.reportRules)] + Self.lines(inspection.findings, localizer) + [""]
        guard let cause = cause(localizer) else {
            lines.append(localizer(isSignatureChecked ? .reportValid : .reportUnchecked))
            let causes = refusalCauses(localizer)
            return causes.isEmpty ? lines : lines + ["", localizer(.refusedNevertheless)] + causes.map { "  – \($0)" }
        }
        let isUnused = fault ?? fetch?.fault != nil
        lines.append(localizer(isUnused ? .reportUnused(cause: cause.what) : .reportRefused(cause: cause.what)))
        if let remedy = cause.remedy { lines.append("         \(remedy)") }
        return lines
    }

    /// What else can make the service refuse a token without a fault.
    func refusalCauses(_ localizer: Localizer) -> [String] {
        guard isFaultless, let claims = inspection.claims else { return [] }
        return RefusalCauses(
            of: claims,
            isSignatureChecked: isSignatureChecked,
            certificatesURL: inspection.certificatesURL ?? IssuerCertificates.google,
            localizer: localizer
        ).sentences
    }

    private func members(_ object: JSONValue, _ localizer: Localizer) -> [String] {
        guard case .object(let members) = object.inReadingOrder else { return [] }
        return Self.table(
            members.map { ($0.key.sanitized(limit: 40), text($0.value, of: $0.key, localizer)) }
        )
    }

    /// Returns a claim's value as text; times are explained.
    func text(_ value: JSONValue, of key: String, _ localizer: Localizer) -> String {
        switch value {
        case .string(let text): return text.sanitized(limit: 200)
        case .number(let seconds) where ["iat", "exp", "nbf"].contains(key) && abs(seconds) < 1e11:
            let date = Date(timeIntervalSince1970: seconds)
            return "\(Self.number(seconds)) · \(Self.time(date, now, localizer))"
        case .number(let number): return Self.number(number)
        default:
            return SanitizedJSON.line(value).sanitized(limit: 200)
        }
    }

    private static func number(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? "\(number)"
    }

    // MARK: JSON output
}

extension TokenRule {
    /// The name of the rule in a report; JSON has the raw value.
    var label: Text {
        switch self {
        case .shape: .ruleShape
        case .algorithm: .ruleAlgorithm
        case .keyID: .ruleKeyID
        case .signature: .ruleSignature
        case .issuer: .ruleIssuer
        case .audience: .ruleAudience
        case .issuedAt: .ruleIssuedAt
        case .expiry: .ruleExpiry
        case .lifetime: .ruleLifetime
        case .authorization: .ruleAuthorization
        case .identity: .ruleIdentity
        case .scope: .ruleScope
        case .taskIDs: .ruleTaskIDs
        }
    }
}

extension JSONValue {
    /// The same object with its members in a fixed order: standard members first, then by name.
    var inReadingOrder: JSONValue {
        guard case .object(let members) = self else { return self }
        let known = ["alg", "typ", "kid", "iss", "sub", "aud", "iat", "nbf", "exp"]
        let place = { (member: Member) in (known.firstIndex(of: member.key) ?? known.count, member.key) }
        return .object(members.sorted { place($0) < place($1) })
    }
}
