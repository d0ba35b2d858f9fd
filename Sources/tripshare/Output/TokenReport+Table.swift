import Canvas
import Failures
import FleetTokens
import Foundation
import Runtime
import TokenSigning
import TripModel
import TripText

extension TokenReport {
    static func rows(_ fetch: Fetch, _ localizer: Localizer) -> [(String, String)] {
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
    static func time(_ date: Date, _ now: Date, _ localizer: Localizer) -> String {
        let second = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded())
        let apart = Duration(clampedSeconds: date.timeIntervalSince(now).rounded())
        let span = localizer.span(apart)
        let side =
            apart == .zero
            ? localizer(.countdownNow)
            : apart < .zero ? localizer(.reportAgo(duration: span)) : localizer(.countdownAhead(duration: span))
        return "\(Timestamp.text(second)) · \(side)"
    }

    static func table(_ rows: [(String, String)]) -> [String] {
        let width = rows.map { TextWidth.of($0.0) }.max() ?? 0
        return rows.map { "  \($0.padded(to: width))  \($1)" }
    }

    static func lines(_ findings: [TokenFinding], _ localizer: Localizer) -> [String] {
        let width = TokenRule.allCases.map { TextWidth.of(localizer($0.label)) }.max() ?? 0
        return findings.flatMap { lines($0, width, localizer) }
    }

    static func lines(_ finding: TokenFinding, _ width: Int, _ localizer: Localizer) -> [String] {
        let mark =
            switch finding.verdict {
            case .satisfied: "✓"
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

    struct Line: Encodable {
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

    var line: Line {
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
