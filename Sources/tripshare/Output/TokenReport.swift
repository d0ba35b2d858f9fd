import Canvas
import FleetTokens
import FleetWire
import Foundation
import TripModel
import TripText

/// A report about one token; never contains the token itself.
struct TokenReport {
    /// How a token was fetched.
    struct Fetch {
        /// The provider's status of the token.
        var status: TokenStatus
        /// Why the token is not usable; `nil` if it is.
        var fault: TokenFault?
        /// The best estimate of the service's time.
        var now: Date
    }

    let inspection: TokenInspection
    let now: Date
    /// Why the provider would reject the token; `nil` if it would not, or if this was not checked.
    var fault: TokenFault?
    var fetch: Fetch?

    /// Whether no rule is broken and the provider would use the token.
    var isFaultless: Bool { inspection.isFaultless && cause == nil }

    /// Prints the report; uses standard error if the token itself goes to standard output.
    func print(_ form: ReportForm, revealing token: String? = nil) {
        let code = isFaultless ? ExitStatus.done : .expectationFailed
        guard let token else {
            switch form {
            case .json: Printing.json(line, ifUnread: code)
            case .plain: for line in plain { Printing.out(line, ifUnread: code) }
            }
            return
        }
        for line in form == .json ? [SanitizedJSON.line(line)] : plain { Printing.error(line) }
        Printing.reveal(token, ifUnread: code)
    }

    /// Returns for a valid token; otherwise throws a failure with exit code 1.
    func finish() throws(CommandFailure) {
        guard isFaultless else { throw CommandFailure(.expectationFailed, "") }
    }

    /// Why the token is rejected: the provider's fault, else the first broken rule.
    private var cause: Sentence? {
        if let fault = fault ?? fetch?.fault { return Sentence(fault) }
        return inspection.findings.first { $0.verdict == .broken }.map { Sentence($0) }
    }

    // MARK: Text output

    private var plain: [String] {
        var lines: [String] = []
        if let header = inspection.header { lines += ["Header"] + members(header) + [""] }
        if let payload = inspection.payload { lines += ["Claims"] + members(payload) + [""] }
        if let fetch { lines += ["Fetch"] + Self.table(Self.rows(fetch)) + [""] }
        lines += ["Rules"] + inspection.findings.flatMap(Self.lines) + [""]
        guard let cause else { return lines + ["Verdict: without fault."] }
        let refused = fault ?? fetch?.fault == nil ? "the service will refuse it" : "it is not used"
        lines.append("Verdict: \(refused): \(cause.what).")
        if let remedy = cause.remedy { lines.append("         \(remedy)") }
        return lines
    }

    private func members(_ object: JSONValue) -> [String] {
        guard case .object(let members) = object.inReadingOrder else { return [] }
        return Self.table(
            members.map { ($0.key.sanitized(limit: 40), text($0.value, of: $0.key)) }
        )
    }

    /// Returns a claim's value as text; times are explained.
    private func text(_ value: JSONValue, of key: String) -> String {
        switch value {
        case .string(let text): return text.sanitized(limit: 200)
        case .number(let seconds) where ["iat", "exp", "nbf"].contains(key) && abs(seconds) < 1e11:
            let date = Date(timeIntervalSince1970: seconds)
            return "\(Self.number(seconds)) · \(Self.time(date, now))"
        case .number(let number): return Self.number(number)
        default:
            return SanitizedJSON.line(value).sanitized(limit: 200)
        }
    }

    private static func number(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? "\(number)"
    }

    private static func rows(_ fetch: Fetch) -> [(String, String)] {
        let status = fetch.status
        var rows = [("source", status.source)]
        if let duration = status.lastFetchDuration { rows.append(("took", Wording.english.latency(duration))) }
        if let offset = status.clockOffset, abs(offset.seconds) >= 1 {
            rows.append(
                ("clock", "the token endpoint's clock is \(Wording.english.difference(offset)) from this machine's")
            )
        }
        if let fault = fetch.fault {
            let sentence = Sentence(fault)
            rows.append(("not used", sentence.what))
            if let advice = sentence.remedy { rows.append(("", "→ \(advice)")) }
        } else {
            if let end = status.expiresAt { rows.append(("ends", time(end, fetch.now))) }
            if let end = status.usableUntil { rows.append(("used until", time(end, fetch.now))) }
            if let refresh = status.refreshAt { rows.append(("refreshed at", time(refresh, fetch.now))) }
        }
        for sentence in status.warnings.map({ Sentence($0) }) {
            rows.append(("note", sentence.what))
            if let remedy = sentence.remedy { rows.append(("", "→ \(remedy)")) }
        }
        return rows
    }

    /// Returns a time with a resolution of one second, and its distance from now.
    private static func time(_ date: Date, _ now: Date) -> String {
        let second = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded())
        let apart = Duration(clampedSeconds: date.timeIntervalSince(now).rounded())
        let span = Wording.english.span(apart)
        let side = apart == .zero ? "now" : apart < .zero ? "\(span) ago" : "in \(span)"
        return "\(Timestamp.text(second)) · \(side)"
    }

    private static func table(_ rows: [(String, String)]) -> [String] {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  \($0.padding(toLength: width, withPad: " ", startingAt: 0))  \($1)" }
    }

    private static func lines(_ finding: TokenFinding) -> [String] {
        let mark =
            switch finding.verdict {
            case .kept: "✓"
            case .broken: "✗"
            case .doubtful: "!"
            case .unchecked: "–"
            }
        let name = finding.rule.rawValue.padding(toLength: 13, withPad: " ", startingAt: 0)
        let evidence = "  \(mark) \(name)  \(finding.evidence.sanitized(limit: 400))"
        // For a broken rule, the party at fault is already part of the verdict.
        let remedy = finding.verdict == .doubtful ? Sentence(finding).remedy : finding.advice
        guard let advice = remedy else { return [evidence] }
        return [evidence, "    \(String(repeating: " ", count: 13))  → \(advice.sanitized(limit: 400))"]
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
    }

    private var line: Line {
        let status = fetch?.status
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
            warnings: (status?.warnings).map { $0.map { Sentence($0).short } },
            error: (fault ?? fetch?.fault)?.code,
            party: cause?.party?.rawValue,
            cause: cause?.what,
            advice: cause?.advice,
            faultless: isFaultless
        )
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
