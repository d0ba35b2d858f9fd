package import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
package import TripFeed
package import TripModel

/// A finding of the rules.
package struct RecordedFinding: Sendable, Equatable, Codable {
    /// A number or a name with its unit.
    package struct Value: Sendable, Equatable, Codable {
        /// The name.
        package var name: String
        /// `seconds`, `meters`, `metersPerSecond`, `share`, `count`, `text` or `time`.
        package var unit: String
        /// The number; `nil` for a text and a time.
        package var number: Double?
        /// The text or the time.
        package var text: String?
    }

    /// The identifier of the rule.
    package var rule: String
    /// `info`, `warning` or `error`.
    package var severity: String
    /// When it was detected, in the service's time: RFC 3339, UTC.
    package var time: String
    /// The numbers and names that show it, in display order.
    package var evidence: [Value]
}

/// What the rules reported about the preceding poll.
package struct RecordedFindings: Sendable, Equatable, Codable {
    /// The trip.
    package var trip: String
    /// The findings, the most severe first.
    package var findings: [RecordedFinding]

    /// Converts findings.
    package init(trip: JourneyID, _ findings: [Finding]) {
        self.trip = trip.name
        self.findings = findings.map { finding in
            RecordedFinding(
                rule: finding.rule.id,
                severity: finding.severity.rawValue,
                time: Timestamp.text(finding.time),
                evidence: finding.evidence.map(RecordedFinding.Value.init)
            )
        }
    }

    /// The findings of a trip; those of unknown rules are missing.
    package func findings(of trip: JourneyID) -> [Finding] {
        findings.compactMap { finding in
            guard let rule = FindingRule.all.first(where: { $0.id == finding.rule }),
                let time = Timestamp.date(finding.time)
            else { return nil }
            return Finding(
                time: time,
                trip: trip,
                rule: rule,
                severity: Finding.Severity(rawValue: finding.severity) ?? rule.severity,
                evidence: finding.evidence.compactMap(\.evidence)
            )
        }
    }
}

extension RecordedFinding.Value {
    fileprivate init(_ evidence: Evidence) {
        name = evidence.name
        switch evidence.value {
        case .seconds(let value): (unit, number) = ("seconds", value)
        case .meters(let value): (unit, number) = ("meters", value)
        case .metersPerSecond(let value): (unit, number) = ("metersPerSecond", value)
        case .share(let value): (unit, number) = ("share", value)
        case .count(let value): (unit, number) = ("count", Double(value))
        case .text(let value): (unit, text) = ("text", RecordedText.redacted(value))
        case .time(let value): (unit, text) = ("time", Timestamp.text(value))
        }
    }

    fileprivate var evidence: Evidence? {
        let value: Evidence.Value? =
            switch unit {
            case "seconds": number.map(Evidence.Value.seconds)
            case "meters": number.map(Evidence.Value.meters)
            case "metersPerSecond": number.map(Evidence.Value.metersPerSecond)
            case "share": number.map(Evidence.Value.share)
            case "count": number.flatMap { Int(exactly: $0) }.map(Evidence.Value.count)
            case "text": text.map(Evidence.Value.text)
            case "time": text.flatMap(Timestamp.date).map(Evidence.Value.time)
            default: nil
            }
        return value.map { Evidence(name, $0) }
    }
}

/// The result of a rule for tokens.
package struct RecordedTokenFinding: Sendable, Equatable, Codable {
    /// A text: its key in `Assets/Strings` and its values.
    package struct Sentence: Sendable, Equatable, Codable {
        /// The key.
        package var key: String
        /// The texts by the names of their placeholders.
        package var texts: [String: String]
        /// The durations in seconds by the names of their placeholders.
        package var spans: [String: Double]
    }

    /// The identifier of the rule.
    package var rule: String
    /// `kept`, `broken`, `doubtful` or `unchecked`.
    package var verdict: String
    /// What was found.
    package var evidence: Sentence
    /// What to change.
    package var advice: Sentence?

    /// Converts a finding.
    package init(_ finding: TokenFinding) {
        rule = finding.rule.rawValue
        verdict = finding.verdict.rawValue
        evidence = Sentence(finding.sentence)
        advice = finding.remedy.map(Sentence.init)
    }

    /// The finding; `nil` if the rule, the verdict or the text is unknown.
    package var finding: TokenFinding? {
        guard let rule = TokenRule(rawValue: rule), let verdict = TokenFinding.Verdict(rawValue: verdict),
            let evidence = evidence.sentence
        else { return nil }
        return TokenFinding(rule, verdict, evidence, advice: advice?.sentence)
    }
}

extension RecordedTokenFinding.Sentence {
    fileprivate init(_ sentence: TokenSentence) {
        key = sentence.key.rawValue
        (texts, spans) = ([:], [:])
        for (name, value) in sentence.values {
            switch value {
            case .text(let text): texts[name] = RecordedText.redacted(text)
            case .span(let seconds): spans[name] = seconds
            }
        }
    }

    fileprivate var sentence: TokenSentence? {
        TextKey(rawValue: key).map { key in
            let values = texts.mapValues(TokenSentence.Value.text)
            return TokenSentence(key, values.merging(spans.mapValues(TokenSentence.Value.span)) { $1 })
        }
    }
}
