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
    private func cause(_ localizer: Localizer) -> UserMessage? {
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
    private func refusalCauses(_ localizer: Localizer) -> [String] {
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
    private func text(_ value: JSONValue, of key: String, _ localizer: Localizer) -> String {
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

    private static func rows(_ fetch: Fetch, _ localizer: Localizer) -> [(String, String)] {
        let status = fetch.status
        var rows = [(localizer(.reportSource), localizer(fetch.source))]
        if let duration = status.lastFetchDuration {
            rows.append((localizer(.reportTook), localizer.latency(duration)))
        }
        if let offset = status.clockOffset, abs(offset.seconds) >= 1 {
            rows.append(
                (localizer(.reportClock), localizer(.reportClockDiffers(difference: localizer.difference(offset))))
            )
        }
        if let fault = fetch.fault {
            var sentence = UserMessage(fault, localizer: localizer)
            if let injected = status.lastExchange?.explanation { sentence.explain(by: injected, localizer) }
            rows.append((localizer(.reportNotUsed), sentence.what))
            if let advice = sentence.remedy { rows.append(("", "→ \(advice)")) }
        } else {
            if let end = status.expiresAt { rows.append((localizer(.reportEnds), time(end, fetch.now, localizer))) }
            if let end = status.usableUntil {
                rows.append((localizer(.reportUsedUntil), time(end, fetch.now, localizer)))
            }
            if let refresh = status.refreshAt {
                rows.append((localizer(.reportRefreshedAt), time(refresh, fetch.now, localizer)))
            }
        }
        for sentence in status.warnings.map({ UserMessage($0, localizer: localizer) }) {
            rows.append((localizer(.reportNote), sentence.what))
            if let remedy = sentence.remedy { rows.append(("", "→ \(remedy)")) }
        }
        return rows
    }

    /// Returns a time with a resolution of one second, and its distance from now.
    private static func time(_ date: Date, _ now: Date, _ localizer: Localizer) -> String {
        let second = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded())
        let apart = Duration(clampedSeconds: date.timeIntervalSince(now).rounded())
        let span = localizer.span(apart)
        let side =
            apart == .zero
            ? localizer(.countdownNow)
            : apart < .zero ? localizer(.reportAgo(duration: span)) : localizer(.countdownAhead(duration: span))
        return "\(Timestamp.text(second)) · \(side)"
    }

    private static func table(_ rows: [(String, String)]) -> [String] {
        let width = rows.map { TextWidth.of($0.0) }.max() ?? 0
        return rows.map { "  \($0.padded(to: width))  \($1)" }
    }

    private static func lines(_ findings: [TokenFinding], _ localizer: Localizer) -> [String] {
        let width = TokenRule.allCases.map { TextWidth.of(localizer($0.label)) }.max() ?? 0
        return findings.flatMap { lines($0, width, localizer) }
    }

    private static func lines(_ finding: TokenFinding, _ width: Int, _ localizer: Localizer) -> [String] {
        let mark =
            switch finding.verdict {
            case .kept: "✓"
            case .broken: "✗"
            case .doubtful: "!"
            case .unchecked: "–"
            }
        let name = localizer(finding.rule.label).padded(to: width)
        let evidence = "  \(mark) \(name)  \(finding.evidence(localizer).sanitized(limit: 400))"
        // For a broken rule, the party at fault is already part of the verdict.
        let remedy =
            finding.verdict == .doubtful ? UserMessage(finding, localizer: localizer).remedy : finding.advice(localizer)
        guard let advice = remedy else { return [evidence] }
        return [evidence, "    \(String(repeating: " ", count: width))  → \(advice.sanitized(limit: 400))"]
    }

    // MARK: JSON output

    private struct Line: Encodable {
        struct Rule: Encodable {
            var rule: String
            var verdict: String
            var evidence: String
            var advice: String?
        }

        var type = "inspection"
        var time: String
        var header: JSONValue?
        var claims: JSONValue?
        var fingerprint: String
        var rules: [Rule]
        var source: String?
        var latencyMs: Double?
        var expiresAt: String?
        var usableUntil: String?
        var refreshAt: String?
        var clockOffsetMs: Int?
        var warnings: [String]?
        var error: String?
        var party: String?
        var cause: String?
        var advice: String?
        var faultless: Bool
        /// What else can make the service refuse it.
        var otherCauses: [String]?
    }

    private var line: Line {
        let status = fetch?.status
        let cause = cause(.english)
        return Line(
            time: Timestamp.text(now),
            header: inspection.header?.inReadingOrder,
            claims: inspection.payload?.inReadingOrder,
            fingerprint: inspection.fingerprint,
            rules: inspection.findings.map {
                Line.Rule(
                    rule: $0.rule.rawValue,
                    verdict: $0.verdict.rawValue,
                    evidence: $0.evidence,
                    advice: $0.advice
                )
            },
            source: status?.source,
            latencyMs: (status?.lastFetchDuration).map { ($0.seconds * 10_000).rounded() / 10 },
            expiresAt: (status?.expiresAt).map(Timestamp.text),
            usableUntil: (status?.usableUntil).map(Timestamp.text),
            refreshAt: (status?.refreshAt).map(Timestamp.text),
            clockOffsetMs: status?.clockOffset?.milliseconds,
            warnings: (status?.warnings).map { $0.map { UserMessage($0).short } },
            error: (fault ?? fetch?.fault)?.name,
            party: cause?.party?.rawValue,
            cause: cause?.what,
            advice: cause?.advice,
            faultless: isFaultless,
            otherCauses: isFaultless ? refusalCauses(.english) : nil
        )
    }
}

extension TokenRule {
    /// The name of the rule in a report; JSON has the raw value.
    fileprivate var label: Text {
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
    fileprivate var inReadingOrder: JSONValue {
        guard case .object(let members) = self else { return self }
        let known = ["alg", "typ", "kid", "iss", "sub", "aud", "iat", "nbf", "exp"]
        let place = { (member: Member) in (known.firstIndex(of: member.key) ?? known.count, member.key) }
        return .object(members.sorted { place($0) < place($1) })
    }
}
