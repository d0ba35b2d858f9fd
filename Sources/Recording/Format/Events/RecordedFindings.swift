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
    package init(journey: JourneyID, _ findings: [Finding]) {
        self.trip = journey.name
        self.findings = findings.map { finding in
            RecordedFinding(
                rule: finding.rule.id,
                severity: finding.severity.rawValue,
                time: Timestamp.text(finding.time),
                evidence: finding.evidence.map(RecordedFinding.Value.init)
            )
        }
    }

    /// The findings of a trip; findings of unknown rules are missing.
    package func findings(of journey: JourneyID) -> [Finding] {
        findings.compactMap { finding in
            guard let rule = FindingRule.all.first(where: { $0.id == finding.rule }),
                let time = Timestamp.date(finding.time)
            else { return nil }
            return Finding(
                time: time,
                journey: journey,
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
